-- Statistics of invoices are collected every few seconds while many fall due or are paid. A row is wide: with the sample of
-- PostgreSQL's default each time took half a second of a processor (measured, 100,000 invoices), with this one a quarter of that.
do $$
declare
  name text;
begin
  for name in
    select attname from pg_attribute where attrelid = 'invoices'::regclass and attnum > 0 and not attisdropped
  loop
    execute format('alter table invoices alter column %I set statistics 30', name);
  end loop;
end $$;
alter index invoices_paid_late alter column 2 set statistics 30;
