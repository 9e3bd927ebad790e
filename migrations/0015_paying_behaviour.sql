-- How buyers have paid, as dated facts instead of three lifetime counters: closed orders, paid invoices, defaults.

-- Append-only: an order that was fulfilled and paid.
create table closed_orders (
  platform_id integer not null,
  buyer_external_id external_id not null,
  order_external_id external_id not null,
  closed_at unix_seconds not null,
  primary key (platform_id, buyer_external_id, order_external_id),
  foreign key (platform_id, buyer_external_id) references buyers (platform_id, external_id)
);

-- Append-only: an invoice that was paid in full, with the payment that settled it. A second settlement after a reversal is
-- another payment.
create table paid_invoices (
  platform_id integer not null,
  buyer_external_id external_id not null,
  invoice_external_id external_id not null,
  payment_id text not null check (length(payment_id) between 1 and 200),
  -- Days of the platform's calendar: when the invoice was due, and when the money came, whenever it was booked.
  due_on date not null,
  paid_on date not null,
  currency text not null,
  amount minor_units not null check (amount > 0),
  recorded_at unix_seconds not null,
  primary key (platform_id, buyer_external_id, invoice_external_id, payment_id),
  foreign key (platform_id, buyer_external_id) references buyers (platform_id, external_id)
);

-- Append-only: a settling payment that was reversed, so that the invoice is unpaid again.
create table paid_invoice_reversals (
  platform_id integer not null,
  buyer_external_id external_id not null,
  invoice_external_id external_id not null,
  payment_id text not null,
  recorded_at unix_seconds not null,
  primary key (platform_id, buyer_external_id, invoice_external_id, payment_id),
  foreign key (platform_id, buyer_external_id, invoice_external_id, payment_id)
    references paid_invoices (platform_id, buyer_external_id, invoice_external_id, payment_id)
);

-- Append-only: an invoice that was more than 90 days past due, with what was outstanding then.
create table invoice_defaults (
  platform_id integer not null,
  buyer_external_id external_id not null,
  invoice_external_id external_id not null,
  defaulted_on date not null,
  currency text not null,
  amount minor_units not null check (amount > 0),
  recorded_at unix_seconds not null,
  primary key (platform_id, buyer_external_id, invoice_external_id),
  foreign key (platform_id, buyer_external_id) references buyers (platform_id, external_id)
);

-- Append-only: what became of a defaulted amount. Still in default: amount - CORRECTED - PAID - WRITTEN_OFF. Net loss:
-- WRITTEN_OFF - RECOVERED. A negative amount reverses an earlier change.
create table invoice_default_changes (
  platform_id integer not null,
  buyer_external_id external_id not null,
  invoice_external_id external_id not null,
  -- The payment, credit note or write-off, so that each counts once.
  source_id text not null check (length(source_id) between 1 and 200),
  -- CORRECTED: was not owed, or was paid before the default. PAID: before a write-off. RECOVERED: after it.
  kind text not null check (kind in ('CORRECTED', 'PAID', 'WRITTEN_OFF', 'RECOVERED')),
  changed_on date not null,
  amount minor_units not null check (amount <> 0),
  recorded_at unix_seconds not null,
  primary key (platform_id, buyer_external_id, invoice_external_id, source_id, kind),
  foreign key (platform_id, buyer_external_id, invoice_external_id)
    references invoice_defaults (platform_id, buyer_external_id, invoice_external_id)
);

-- Closed orders are known to the day: the history of orders has them. The counts of paid and late invoices have neither day
-- nor amount, so no fact can be made of them. They end here: there were no invoices yet, and only the demo counted one.
insert into closed_orders (platform_id, buyer_external_id, order_external_id, closed_at)
select o.platform_id, o.buyer_external_id, o.external_id, min(t.transitioned_at)
from orders o
join order_transitions t on t.platform_id = o.platform_id and t.order_external_id = o.external_id and t.to_status = 'CLOSED'
group by o.platform_id, o.buyer_external_id, o.external_id;
drop table credit_histories;

-- Below this outstanding amount an invoice that is 90 days past due is no default. Null: the platform's, or the default.
alter table credit_settings
  add column default_materiality_amount minor_units check (default_materiality_amount >= 0);

grant select, insert on closed_orders, paid_invoices, paid_invoice_reversals, invoice_defaults, invoice_default_changes
  to tradeline_service;
