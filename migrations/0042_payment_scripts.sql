-- Buyers of a sandbox whose name says how they pay their invoices.
alter table invoices add column payment_script text check (payment_script in ('pays-late', 'never-pays'));
-- When a buyer who pays late pays: ten days after the next unpaid instalment is due, but not before there is an invoice.
create index invoices_paid_late on invoices (platform_id, (greatest(due_at + 864000, created_at)), external_id)
  where payment_script = 'pays-late' and outstanding_amount > 0;
