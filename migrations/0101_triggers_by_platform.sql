-- On a cluster, a trigger runs on the shard that has the rows. A statement of its own names the platform as a value, so that it finds
-- the other tables of the platform there; it does not read the rows of the triggering statement, which no planner of a cluster knows;
-- and the name of the table is that of the shard.

create or replace function count_by_status() returns trigger language plpgsql as $function$
declare
  changed record;
begin
  if is_import() then
    return null;
  end if;
  for changed in
    select c.platform_id, array_agg(c.filter) as filters, array_agg(c.value) as values, array_agg(c.change) as changes
    from (
      select w.platform_id, f.filter, f.value, count(*) as change
      from written w
      cross join lateral (values ('status', w.status), ('currency', w.currency),
        ('status,buyer_external_id', w.status || ' ' || w.buyer_external_id),
        ('status,merchant_external_id', w.status || ' ' || w.merchant_external_id)) f(filter, value)
      group by w.platform_id, f.filter, f.value
    ) c
    group by c.platform_id
  loop
    insert into list_count_changes (platform_id, list, filter, value, rows_change)
    select changed.platform_id, tg_argv[0], c.filter, c.value, c.change
    from unnest(changed.filters, changed.values, changed.changes) c(filter, value, change);
  end loop;
  return null;
end $function$;

create function count_changed_status() returns trigger language plpgsql as $function$
declare
  changed record;
begin
  if is_import() then
    return null;
  end if;
  for changed in
    select c.platform_id, array_agg(c.filter) as filters, array_agg(c.value) as values, array_agg(c.change) as changes
    from (
      select c.platform_id, f.filter, f.value, sum(c.change)::bigint as change
      from (
        select w.platform_id, w.status, w.currency, w.buyer_external_id, w.merchant_external_id, 1 as change from written w
        union all
        select r.platform_id, r.status, r.currency, r.buyer_external_id, r.merchant_external_id, -1 from replaced r
      ) c
      cross join lateral (values ('status', c.status), ('currency', c.currency),
        ('status,buyer_external_id', c.status || ' ' || c.buyer_external_id),
        ('status,merchant_external_id', c.status || ' ' || c.merchant_external_id)) f(filter, value)
      group by c.platform_id, f.filter, f.value having sum(c.change) <> 0
    ) c
    group by c.platform_id
  loop
    insert into list_count_changes (platform_id, list, filter, value, rows_change)
    select changed.platform_id, tg_argv[0], c.filter, c.value, c.change
    from unnest(changed.filters, changed.values, changed.changes) c(filter, value, change);
  end loop;
  return null;
end $function$;

drop trigger count_new_orders on orders;
create trigger count_new_orders after insert on orders
  referencing new table as written for each statement execute function count_by_status('orders');
drop trigger count_changed_orders on orders;
create trigger count_changed_orders after update on orders
  referencing old table as replaced new table as written for each statement execute function count_changed_status('orders');
drop trigger count_new_invoices on invoices;
create trigger count_new_invoices after insert on invoices
  referencing new table as written for each statement execute function count_by_status('invoices');
drop trigger count_changed_invoices on invoices;
create trigger count_changed_invoices after update on invoices
  referencing old table as replaced new table as written for each statement execute function count_changed_status('invoices');

-- At commit: a cluster writes the entries of a statement before their lines.
drop trigger ledger_entries_have_lines on ledger_entries;
drop function ledger_entries_have_lines();
create function ledger_entry_has_lines() returns trigger language plpgsql as $function$
begin
  if is_import() then
    return null;
  end if;
  if new.line_count <> (
    select count(*) from ledger_lines l where l.platform_id = new.platform_id and l.entry_id = new.entry_id
  ) then
    raise exception 'ledger entry %/% has other lines than it says', new.platform_id, new.entry_id;
  end if;
  return null;
end $function$;
create constraint trigger ledger_entry_has_lines after insert on ledger_entries
  deferrable initially deferred for each row execute function ledger_entry_has_lines();

create or replace function ledger_lines_balance() returns trigger language plpgsql as $function$
declare
  lines record;
  wrong record;
begin
  if is_import() then
    return null;
  end if;
  for lines in
    select w.platform_id, array_agg(w.entry_id) as entry_ids, array_agg(w.line) as numbers, array_agg(w.currency) as currencies,
      array_agg(w.amount::bigint) as amounts, array_agg(w.ordinal) as ordinals, array_agg(w.effective_at::bigint) as effective,
      array_agg(w.recorded_at) as recorded
    from written w group by w.platform_id
  loop
    select f.entry_id, f.fault into wrong
    from (
      select w.entry_id, case
        when e.entry_id is null then 'does not exist'
        when count(*) <> e.line_count or not bool_and(w.line <= e.line_count and w.currency = e.currency
          and w.ordinal = e.ordinal and w.effective_at = e.effective_at and w.recorded_at = e.recorded_at)
          then 'has other lines than it says'
        when sum(w.amount) <> 0 then 'has lines that do not sum to zero'
        when e.reverses_entry is not null and exists (
          select from ledger_lines l where l.platform_id = lines.platform_id and l.entry_id in (w.entry_id, e.reverses_entry)
          group by l.account, l.party, l.currency having sum(l.amount) <> 0
        ) then 'is not the opposite of the entry that it reverses'
        when e.effective_at < e.open_from then 'is in a closed period'
      end as fault
      from unnest(lines.entry_ids, lines.numbers, lines.currencies, lines.amounts, lines.ordinals, lines.effective, lines.recorded)
        w(entry_id, line, currency, amount, ordinal, effective_at, recorded_at)
      left join lateral (
        select e.entry_id, e.line_count, e.currency, e.ordinal, e.effective_at, e.recorded_at, e.reverses_entry, b.open_from
        from ledger_entries e join ledger_books b on b.platform_id = lines.platform_id
        where e.platform_id = lines.platform_id and e.entry_id = w.entry_id offset 0
      ) e on true
      group by w.entry_id, e.entry_id, e.line_count, e.reverses_entry, e.effective_at, e.open_from
    ) f
    where f.fault is not null limit 1;
    if found then
      raise exception 'ledger entry %/% %', lines.platform_id, wrong.entry_id, wrong.fault;
    end if;
  end loop;
  return null;
end $function$;
