-- The totals of lists, so that a page of a list costs the same however many rows there are. A statement that writes rows
-- inserts how the totals change: nobody waits for anybody. The worker folds changes into counts, and a total is the sum of
-- both, read by one statement. A list has a trigger of its own that says by which columns it is counted.

create table list_counts (
  platform_id integer not null,
  -- The table that the list shows.
  list text not null,
  -- The column by which it is narrowed, and its value; both empty for the whole list.
  filter text not null,
  value text not null,
  rows_count bigint not null,
  primary key (platform_id, list, filter, value)
);

create table list_count_changes (
  platform_id integer not null,
  change_id bigint not null generated always as identity,
  list text not null,
  filter text not null,
  value text not null,
  rows_change bigint not null,
  primary key (platform_id, change_id)
);
create index list_count_changes_by_value on list_count_changes (platform_id, list, filter, value);

-- Invoices are never deleted, and of these columns only the status changes.
create function count_invoices() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into list_count_changes (platform_id, list, filter, value, rows_change)
    select i.platform_id, 'invoices', f.filter, f.value, count(*)
    from written i
    cross join lateral (values ('', ''), ('status', i.status), ('currency', i.currency),
      ('buyer_external_id', i.buyer_external_id), ('merchant_external_id', i.merchant_external_id)) f(filter, value)
    group by i.platform_id, f.filter, f.value;
  else
    insert into list_count_changes (platform_id, list, filter, value, rows_change)
    select c.platform_id, 'invoices', 'status', c.status, sum(c.change)
    from (select platform_id, status, 1 as change from written union all select platform_id, status, -1 from replaced) c
    group by c.platform_id, c.status having sum(c.change) <> 0;
  end if;
  return null;
end $$;

create trigger count_new_invoices after insert on invoices
  referencing new table as written for each statement execute function count_invoices();
create trigger count_changed_invoices after update on invoices
  referencing old table as replaced new table as written for each statement execute function count_invoices();

insert into list_counts (platform_id, list, filter, value, rows_count)
select i.platform_id, 'invoices', f.filter, f.value, count(*)
from invoices i
cross join lateral (values ('', ''), ('status', i.status), ('currency', i.currency),
  ('buyer_external_id', i.buyer_external_id), ('merchant_external_id', i.merchant_external_id)) f(filter, value)
group by i.platform_id, f.filter, f.value;

grant select, insert, update on list_counts to tradeline_service;
-- The lock of a row takes the right to update it.
grant select, insert, update, delete on list_count_changes to tradeline_service;
