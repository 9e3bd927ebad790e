-- How a statement changes the totals of lists is one row with one entry in one index, however many totals it changes. With a row for
-- each of them, two for most orders that are written together, counting took a tenth of the time of a new draft order.
insert into list_counts as l (platform_id, list, filter, value, rows_count)
select platform_id, list, filter, value, sum(rows_change)
from list_count_changes
group by platform_id, list, filter, value
on conflict (platform_id, list, filter, value) do update set rows_count = l.rows_count + excluded.rows_count;
delete from list_count_changes;
drop index list_count_changes_by_value;
alter table list_count_changes drop column filter, drop column value, drop column rows_change;
alter table list_count_changes
  -- Of equal length: each filter with its value, and how many rows more it has.
  add column filters text[] not null,
  add column filter_values text[] not null,
  add column rows_changes bigint[] not null;
-- A row lives for a moment: neither compressed nor cut in pieces as long as it fits into a page.
alter table list_count_changes set (toast_tuple_target = 8160);

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
    insert into list_count_changes (platform_id, list, filters, filter_values, rows_changes)
    values (changed.platform_id, tg_argv[0], changed.filters, changed.values, changed.changes);
  end loop;
  return null;
end $function$;

create or replace function count_changed_status() returns trigger language plpgsql as $function$
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
    insert into list_count_changes (platform_id, list, filters, filter_values, rows_changes)
    values (changed.platform_id, tg_argv[0], changed.filters, changed.values, changed.changes);
  end loop;
  return null;
end $function$;
