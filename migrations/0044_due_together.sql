-- Arrears by instalment, and defaults.

-- One row for each unpaid instalment of a DUE invoice, also of those whose day is still to come: how much is overdue
-- depends on the day on which it is read.
alter table overdue_invoices
  add column installment integer not null default 1 check (installment >= 1),
  drop constraint overdue_invoices_pkey,
  add primary key (platform_id, buyer_external_id, invoice_external_id, installment);
alter table overdue_invoices alter column installment drop default;
delete from overdue_invoices o using invoices i
  where i.platform_id = o.platform_id and i.external_id = o.invoice_external_id;
insert into overdue_invoices (platform_id, buyer_external_id, invoice_external_id, installment, due_at, currency, outstanding_amount)
select i.platform_id, i.buyer_external_id, i.external_id, p.number, p.due_at, i.currency,
  p.amount + p.fee_amount - p.paid_amount - p.credited_amount
from invoices i
join invoice_installments p on p.platform_id = i.platform_id and p.invoice_external_id = i.external_id
where i.status = 'DUE' and p.amount + p.fee_amount - p.paid_amount - p.credited_amount > 0;
-- The oldest of a buyer, however many there are.
create index overdue_invoices_by_age on overdue_invoices (platform_id, buyer_external_id, due_at);

alter table invoices
  -- When a DUE invoice is judged for default: the first instant of the 91st day past due, or a later change of what is owed.
  -- Null once it was judged, and in other statuses.
  add column defaults_at unix_seconds check (defaults_at is null or status = 'DUE');
update invoices i set defaults_at = extract(epoch from (i.due_on::date + 91)::timestamp at time zone p.time_zone)::bigint
from platforms p
where p.platform_id = i.platform_id and i.status = 'DUE' and i.defaulted_on is null;
create index invoices_defaulting on invoices (platform_id, defaults_at, external_id) where defaults_at is not null;
