-- Invoices: what buyers owe, in which parts and when, what was taken of which order, and what payments and credit notes
-- reduced of it.

-- A day of a platform's calendar such as 2026-01-31. As text it sorts by time and has no time zone to be read in.
create domain calendar_day as text check (value ~ '^\d{4}-\d{2}-\d{2}$');

create table invoices (
  platform_id integer not null,
  external_id external_id not null,
  status text not null check (status in ('OPEN', 'DUE', 'CLOSED', 'CANCELLED')),
  version integer not null default 1,
  buyer_external_id external_id not null,
  merchant_external_id external_id not null,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  invoiced_at unix_seconds not null,
  -- The next unpaid instalment; the last one when all are paid. With its day in the platform's time zone.
  due_at unix_seconds not null,
  due_on calendar_day not null,
  agreed_due_at unix_seconds not null,
  -- When an OPEN invoice turns DUE: the end of its due day, or its creation if that was later. Null in other statuses.
  falls_due_at unix_seconds check ((falls_due_at is not null) = (status = 'OPEN')),
  payment_method text not null check (payment_method in ('CASH', 'CARD', 'TRANSFER', 'DEBIT')),
  -- ISO 11649.
  payment_reference text not null,
  invoice_number text,
  currency text not null,
  amount_net minor_units not null check (amount_net >= 0),
  amount_tax minor_units not null check (amount_tax >= 0),
  amount_gross minor_units not null check (amount_gross > 0),
  -- The invoice's part of the fee that the buyer agreed to with the term of the orders.
  term_fee_net minor_units not null default 0 check (term_fee_net >= 0),
  term_fee_tax minor_units not null default 0 check (term_fee_tax >= 0),
  term_fee_gross minor_units not null default 0 check (term_fee_gross >= 0),
  paid_amount minor_units not null default 0 check (paid_amount >= 0),
  credited_amount minor_units not null default 0 check (credited_amount between 0 and amount_gross),
  outstanding_amount minor_units not null generated always as (
    case when status = 'CANCELLED' then 0 else amount_gross + term_fee_gross - credited_amount - paid_amount end
  ) stored,
  -- What was taken on credit from orders, and what of it the invoice still uses in the buyer's facility. A fee takes none:
  -- payments cover it first.
  credit_amount minor_units not null default 0 check (credit_amount between 0 and amount_gross),
  credit_used minor_units not null generated always as (
    case when status = 'CANCELLED' then 0
      else least(credit_amount, amount_gross - credited_amount - greatest(0, paid_amount - term_fee_gross)) end
  ) stored,
  -- When a payment settled it.
  paid_at unix_seconds check ((paid_at is not null) = (status = 'CLOSED')),
  -- A service has moved the claim to the platform's operator: payments settle what the buyer owes to us.
  is_financed boolean not null default false,
  -- Services that forbid changes. The module of services counts them here.
  active_services integer not null default 0 check (active_services >= 0),
  -- The status of the last service of each type; null without one.
  financing_status text,
  collection_status text,
  insurance_status text,
  contact_external_id external_id,
  line_items json not null,
  billing_address jsonb,
  delivery_address jsonb,
  custom_data json,
  primary key (platform_id, external_id),
  foreign key (platform_id, buyer_external_id) references buyers (platform_id, external_id),
  foreign key (platform_id, merchant_external_id) references merchants (platform_id, external_id),
  check (amount_gross = amount_net + amount_tax),
  check (term_fee_gross = term_fee_net + term_fee_tax),
  -- Money beyond what is owed belongs to the buyer and is not kept on the invoice.
  check (paid_amount + credited_amount <= amount_gross + term_fee_gross)
);
create unique index invoices_by_reference on invoices (platform_id, payment_reference);
-- A list may be narrowed, and sorted, by each of these.
create index invoices_by_created_at on invoices (platform_id, created_at desc, external_id);
create index invoices_by_updated_at on invoices (platform_id, updated_at desc, external_id);
create index invoices_by_invoiced_at on invoices (platform_id, invoiced_at desc, external_id);
create index invoices_by_due_at on invoices (platform_id, due_at desc, external_id);
create index invoices_by_amount on invoices (platform_id, amount_gross desc, external_id);
create index invoices_by_buyer on invoices (platform_id, buyer_external_id, created_at desc, external_id);
create index invoices_by_merchant on invoices (platform_id, merchant_external_id, created_at desc, external_id);
create index invoices_by_status on invoices (platform_id, status, created_at desc, external_id);
create index invoices_by_currency on invoices (platform_id, currency, created_at desc, external_id);
create index invoices_by_number on invoices (platform_id, invoice_number, external_id) where invoice_number is not null;
create index invoices_past_due on invoices (platform_id, due_on, external_id) where status = 'DUE';
create index invoices_falling_due on invoices (platform_id, falls_due_at, external_id) where falls_due_at is not null;
create index invoices_by_financing on invoices (platform_id, financing_status, created_at desc, external_id)
  where financing_status is not null;
create index invoices_by_collection on invoices (platform_id, collection_status, created_at desc, external_id)
  where collection_status is not null;
create index invoices_by_insurance on invoices (platform_id, insurance_status, created_at desc, external_id)
  where insurance_status is not null;

-- Append-only: every transition of an invoice, who made it, when and why.
create table invoice_transitions (
  platform_id integer not null,
  invoice_external_id external_id not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  transitioned_at unix_seconds not null,
  actor text not null,
  reason text,
  primary key (platform_id, invoice_external_id, version),
  foreign key (platform_id, invoice_external_id) references invoices (platform_id, external_id)
);

-- The parts in which an invoice is paid. The fee is due with the first. Payments fill the earliest part first, and its fee
-- before its goods; credit notes reduce the latest part first.
create table invoice_installments (
  platform_id integer not null,
  invoice_external_id external_id not null,
  number integer not null check (number >= 1),
  due_at unix_seconds not null,
  due_on calendar_day not null,
  amount minor_units not null check (amount >= 0),
  fee_amount minor_units not null default 0 check (fee_amount >= 0),
  paid_amount minor_units not null default 0 check (paid_amount >= 0),
  credited_amount minor_units not null default 0 check (credited_amount between 0 and amount),
  primary key (platform_id, invoice_external_id, number),
  foreign key (platform_id, invoice_external_id) references invoices (platform_id, external_id),
  check (paid_amount + credited_amount <= amount + fee_amount)
);

-- What an invoice took of its orders, in the order in which the request listed them.
create table invoice_orders (
  platform_id integer not null,
  invoice_external_id external_id not null,
  order_external_id external_id not null,
  position integer not null check (position >= 1),
  amount minor_units not null check (amount >= 0),
  -- The part that uses the buyer's facility: all of it, or nothing of an order paid in advance.
  credit_amount minor_units not null check (credit_amount between 0 and amount),
  -- The part of the order's agreed fee. The parts of all invoices of an order sum to the agreed fee.
  fee_net minor_units not null default 0 check (fee_net >= 0),
  fee_tax minor_units not null default 0 check (fee_tax >= 0),
  primary key (platform_id, invoice_external_id, order_external_id),
  foreign key (platform_id, invoice_external_id) references invoices (platform_id, external_id),
  foreign key (platform_id, order_external_id) references orders (platform_id, external_id)
);
create index invoice_orders_by_order on invoice_orders (platform_id, order_external_id, invoice_external_id);

-- Money that came from a buyer. What no allocation took is the buyer's, if the platform received it.
create table invoice_payments (
  platform_id integer not null,
  -- Chosen by the platform, else made by the service.
  external_id external_id not null,
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  buyer_external_id external_id not null,
  merchant_external_id external_id not null,
  -- The invoice on which it was recorded.
  invoice_external_id external_id not null,
  currency text not null,
  amount minor_units not null check (amount > 0),
  -- When the money came, and the day of it in the platform's time zone: late or not is judged by it.
  paid_at unix_seconds not null,
  paid_on calendar_day not null,
  received_by text not null check (received_by in ('PLATFORM', 'MERCHANT')),
  reference text,
  allocated_amount minor_units not null default 0 check (allocated_amount between 0 and amount),
  reversed_at unix_seconds,
  reversal_reason text,
  actor text not null,
  primary key (platform_id, external_id),
  foreign key (platform_id, buyer_external_id) references buyers (platform_id, external_id),
  foreign key (platform_id, invoice_external_id) references invoices (platform_id, external_id),
  check ((reversed_at is null) = (reversal_reason is null))
);
create index invoice_payments_by_invoice on invoice_payments (platform_id, invoice_external_id, created_at desc, external_id);
create index invoice_payments_unapplied on invoice_payments (platform_id, buyer_external_id, created_at, external_id)
  where received_by = 'PLATFORM' and reversed_at is null and allocated_amount < amount;

-- Append-only: what of a payment went to which part of which invoice. Amounts below 0 take an allocation back.
create table payment_allocations (
  platform_id integer not null,
  payment_external_id external_id not null,
  position integer not null check (position >= 1),
  invoice_external_id external_id not null,
  installment integer not null,
  cause text not null check (cause in ('PAYMENT', 'APPLICATION', 'CREDIT_NOTE', 'REFUND', 'REVERSAL')),
  -- The fee and the goods of the instalment.
  fee_amount minor_units not null,
  goods_amount minor_units not null,
  allocated_at unix_seconds not null,
  actor text not null,
  primary key (platform_id, payment_external_id, position),
  foreign key (platform_id, payment_external_id) references invoice_payments (platform_id, external_id),
  foreign key (platform_id, invoice_external_id, installment)
    references invoice_installments (platform_id, invoice_external_id, number)
);
create index payment_allocations_by_invoice on payment_allocations (platform_id, invoice_external_id, payment_external_id, position);

create table credit_notes (
  platform_id integer not null,
  external_id external_id not null,
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  invoice_external_id external_id not null,
  buyer_external_id external_id not null,
  merchant_external_id external_id not null,
  reason_code text not null
    check (reason_code in ('RETURN', 'DAMAGED', 'PRICE', 'DUPLICATE', 'GOODWILL', 'CORRECTION', 'OTHER')),
  -- The date on the credit note.
  invoiced_at unix_seconds not null,
  currency text not null,
  amount_net minor_units not null check (amount_net >= 0),
  amount_tax minor_units not null check (amount_tax >= 0),
  amount_gross minor_units not null check (amount_gross > 0),
  line_items json not null,
  actor text not null,
  primary key (platform_id, external_id),
  foreign key (platform_id, invoice_external_id) references invoices (platform_id, external_id),
  check (amount_gross = amount_net + amount_tax)
);
create index credit_notes_by_created_at on credit_notes (platform_id, created_at desc, external_id);
create index credit_notes_by_invoice on credit_notes (platform_id, invoice_external_id, created_at desc, external_id);
create index credit_notes_by_buyer on credit_notes (platform_id, buyer_external_id, created_at desc, external_id);
create index credit_notes_by_merchant on credit_notes (platform_id, merchant_external_id, created_at desc, external_id);

grant select, insert, update on invoices, invoice_installments, invoice_payments to tradeline_service;
grant select, insert on invoice_transitions, invoice_orders, payment_allocations, credit_notes to tradeline_service;
