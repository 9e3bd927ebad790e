-- works from 0097
-- A platform moves to another database: from this instant on it is only read here. Null: it does not move.
alter table platforms add column relocating_since unix_seconds;
create index platforms_relocating on platforms (platform_id) where relocating_since is not null;

-- Whether the rows that are written come from another database: what triggers would write comes with them, and what triggers check
-- is verified over all of them. Never true for the service.
create function is_import() returns boolean language sql stable as $$
  select current_user <> 'tradeline_service' and coalesce(current_setting('tradeline.import', true), '') = 'on'
$$;

-- Except the checks that read all rows of a facility at the commit.
do $$
declare
  of_trigger record;
begin
  for of_trigger in
    select pg_get_functiondef(p.oid) as definition from pg_proc p
    where p.pronamespace = current_schema()::regnamespace and p.prorettype = 'trigger'::regtype and p.proname <> 'facility_matches_ledger'
  loop
    execute regexp_replace(of_trigger.definition, E'\nbegin\n', E'\nbegin\n  if is_import() then\n    return null;\n  end if;\n');
  end loop;
end $$;
