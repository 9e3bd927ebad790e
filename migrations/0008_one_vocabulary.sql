-- One word for each thing (docs/glossary.md): a registry is the business registry, a change of status is a transition.
-- Only names change, and one key of buyers.registry.

alter table register_companies rename to registry_companies;
alter table registry_companies rename column register to registry;
alter table registry_companies rename column register_key to registry_key;
alter table register_followed rename to registry_followed;
alter table register_imports rename to registry_imports;
alter table register_words rename to registry_words;
alter table buyers rename column register_company_id to registry_company_id;

alter table checkouts rename column credit_asked_at to credit_requested_at;

alter table order_moves rename to order_transitions;
alter table order_transitions rename column moved_at to transitioned_at;
alter table facility_moves rename to facility_transitions;
alter table facility_transitions rename column moved_at to transitioned_at;
alter table credit_review_moves rename to credit_review_transitions;
alter table credit_review_transitions rename column moved_at to transitioned_at;

-- Constraints first: renaming one renames its index.
do $$
declare
  each record;
begin
  for each in
    select conrelid::regclass as on_table, conname::text as name from pg_constraint
    where connamespace = 'public'::regnamespace and conname ~ '(^|_)register_|_moves_|_moved_at_'
  loop
    execute format('alter table %s rename constraint %I to %I', each.on_table, each.name,
      replace(replace(replace(each.name, 'register_', 'registry_'), '_moves_', '_transitions_'),
        '_moved_at_', '_transitioned_at_'));
  end loop;
  for each in
    select indexrelid::regclass::text as name from pg_index
    join pg_class on pg_class.oid = indexrelid
    where relnamespace = 'public'::regnamespace and relname ~ '(^|_)register_'
  loop
    execute format('alter index %I rename to %I', each.name, replace(each.name, 'register_', 'registry_'));
  end loop;
  for each in
    select sequencename as name from pg_sequences where schemaname = 'public' and sequencename ~ '^register_'
  loop
    execute format('alter sequence %I rename to %I', each.name, replace(each.name, 'register_', 'registry_'));
  end loop;
end $$;

update buyers set registry = (registry - 'register') || jsonb_build_object('registry', registry -> 'register')
  where registry ? 'register';
