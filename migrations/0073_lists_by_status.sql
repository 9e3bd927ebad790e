-- A page of orders or invoices costs what it shows, however it is narrowed and sorted. The indexes of their lists begin with the
-- status: a list that does not ask for one reads each status in order and merges them, so that one index serves a sort with and
-- without a status. Their totals are maintained by status, by currency, and by the status of each buyer and merchant.
drop index orders_by_status, orders_by_created_at, orders_by_updated_at, orders_by_ordered_at, orders_by_amount,
  orders_by_buyer, orders_by_merchant, orders_by_currency;
create index orders_by_created_at on orders (platform_id, status, created_at desc, external_id);
create index orders_by_updated_at on orders (platform_id, status, updated_at desc, external_id);
create index orders_by_ordered_at on orders (platform_id, status, ordered_at desc, external_id);
create index orders_by_amount on orders (platform_id, status, amount_gross desc, external_id);
create index orders_by_buyer on orders (platform_id, buyer_external_id, status, created_at desc, external_id);
create index orders_by_merchant on orders (platform_id, merchant_external_id, status, created_at desc, external_id);
create index orders_by_currency on orders (platform_id, currency, status, created_at desc, external_id);

drop index invoices_by_status, invoices_by_created_at, invoices_by_updated_at, invoices_by_invoiced_at, invoices_by_due_at,
  invoices_by_amount, invoices_by_buyer, invoices_by_merchant, invoices_by_currency;
create index invoices_by_created_at on invoices (platform_id, status, created_at desc, external_id);
create index invoices_by_updated_at on invoices (platform_id, status, updated_at desc, external_id);
create index invoices_by_invoiced_at on invoices (platform_id, status, invoiced_at desc, external_id);
create index invoices_by_due_at on invoices (platform_id, status, due_at desc, external_id);
create index invoices_by_amount on invoices (platform_id, status, amount_gross desc, external_id);
create index invoices_by_buyer on invoices (platform_id, buyer_external_id, status, created_at desc, external_id);
create index invoices_by_merchant on invoices (platform_id, merchant_external_id, status, created_at desc, external_id);
create index invoices_by_currency on invoices (platform_id, currency, status, created_at desc, external_id);

-- Buyers change seldom, so that each of their filters and sorts can have an index.
create index buyers_by_updated_at on buyers (platform_id, updated_at desc, external_id);
create index buyers_by_legal_name on buyers (platform_id, legal_name, external_id);
create index buyers_by_legal_form on buyers (platform_id, legal_form, created_at desc, external_id);
create index buyers_by_country on buyers (platform_id, (business_address ->> 'country'), created_at desc, external_id);

-- The counts of one row stand in both statements: what it was counted by goes, what it is counted by comes.
create function count_by_status() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into list_count_changes (platform_id, list, filter, value, rows_change)
    select w.platform_id, tg_table_name, f.filter, f.value, count(*)
    from written w
    cross join lateral (values ('status', w.status), ('currency', w.currency),
      ('status,buyer_external_id', w.status || ' ' || w.buyer_external_id),
      ('status,merchant_external_id', w.status || ' ' || w.merchant_external_id)) f(filter, value)
    group by w.platform_id, f.filter, f.value;
  else
    insert into list_count_changes (platform_id, list, filter, value, rows_change)
    select c.platform_id, tg_table_name, f.filter, f.value, sum(c.change)
    from (
      select w.platform_id, w.status, w.currency, w.buyer_external_id, w.merchant_external_id, 1 as change from written w
      union all
      select r.platform_id, r.status, r.currency, r.buyer_external_id, r.merchant_external_id, -1 from replaced r
    ) c
    cross join lateral (values ('status', c.status), ('currency', c.currency),
      ('status,buyer_external_id', c.status || ' ' || c.buyer_external_id),
      ('status,merchant_external_id', c.status || ' ' || c.merchant_external_id)) f(filter, value)
    group by c.platform_id, f.filter, f.value having sum(c.change) <> 0;
  end if;
  return null;
end $$;

drop trigger count_new_invoices on invoices;
drop trigger count_changed_invoices on invoices;
drop function count_invoices();
create trigger count_new_invoices after insert on invoices
  referencing new table as written for each statement execute function count_by_status();
create trigger count_changed_invoices after update on invoices
  referencing old table as replaced new table as written for each statement execute function count_by_status();
create trigger count_new_orders after insert on orders
  referencing new table as written for each statement execute function count_by_status();
create trigger count_changed_orders after update on orders
  referencing old table as replaced new table as written for each statement execute function count_by_status();

delete from list_count_changes;
delete from list_counts;
insert into list_counts (platform_id, list, filter, value, rows_count)
select r.platform_id, r.list, f.filter, f.value, count(*)
from (
  select platform_id, 'invoices' as list, status, currency, buyer_external_id, merchant_external_id from invoices
  union all
  select platform_id, 'orders', status, currency, buyer_external_id, merchant_external_id from orders
) r
cross join lateral (values ('status', r.status), ('currency', r.currency),
  ('status,buyer_external_id', r.status || ' ' || r.buyer_external_id),
  ('status,merchant_external_id', r.status || ' ' || r.merchant_external_id)) f(filter, value)
group by r.platform_id, r.list, f.filter, f.value;
