-- Services on invoices: financing, insurance and collection.
create table invoice_services (
  platform_id integer not null,
  external_id external_id not null,
  invoice_external_id external_id not null,
  buyer_external_id external_id not null,
  merchant_external_id external_id not null,
  service_type text not null check (service_type in ('FINANCING', 'INSURANCE', 'COLLECTION')),
  status text not null check (status in ('IN_REVIEW', 'ACCEPTED', 'REJECTED', 'CANCELLED', 'PAID_OUT', 'SETTLED',
    'DEFAULTED', 'COVER_EXPIRED', 'CLAIM_NOTIFIED', 'CLAIM_IN_ASSESSMENT', 'CLAIM_PAID', 'CLAIM_DENIED',
    'EARLY_COLLECTION', 'LATE_COLLECTION', 'COLLECTED', 'UNCOLLECTIBLE')),
  version integer not null default 1,
  -- Whether the service forbids changes of the invoice.
  is_active boolean not null generated always as (status in ('IN_REVIEW', 'ACCEPTED', 'PAID_OUT', 'DEFAULTED',
    'CLAIM_NOTIFIED', 'CLAIM_IN_ASSESSMENT', 'EARLY_COLLECTION', 'LATE_COLLECTION')) stored,
  currency text not null,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  terms_accepted_at unix_seconds not null,
  -- When the merchant wants the money; null for as soon as possible.
  requested_payout_at unix_seconds,
  -- What was not met when the service was last examined: code and description of each.
  requirements jsonb not null default '[]',
  -- What the invoice claimed for goods when the service was last examined, and what of it the merchant gets.
  base_amount minor_units not null check (base_amount >= 0),
  fee_net minor_units not null default 0 check (fee_net >= 0),
  fee_tax minor_units not null default 0 check (fee_tax >= 0),
  fee_gross minor_units not null generated always as (fee_net + fee_tax) stored,
  -- UN/CEFACT 5305, and the rate.
  fee_tax_category text,
  fee_tax_basis_points integer check (fee_tax_basis_points between 0 and 10000),
  set_off_amount minor_units not null default 0 check (set_off_amount >= 0),
  advance_amount minor_units not null default 0 check (advance_amount >= 0),
  accepted_at unix_seconds,
  paid_out_at unix_seconds,
  -- When the service is to be examined next; null if nothing is waited for.
  examine_at unix_seconds,
  primary key (platform_id, external_id),
  foreign key (platform_id, invoice_external_id) references invoices (platform_id, external_id)
);
create unique index invoice_services_active on invoice_services (platform_id, invoice_external_id, service_type)
  where is_active;
create index invoice_services_by_invoice on invoice_services (platform_id, invoice_external_id, created_at, external_id);
create index invoice_services_to_examine on invoice_services (platform_id, examine_at, external_id)
  where examine_at is not null;

-- Append-only: every transition of a service, who made it, when and why.
create table invoice_service_transitions (
  platform_id integer not null,
  external_id external_id not null,
  -- The version of the service after the transition.
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  transitioned_at unix_seconds not null,
  actor text not null,
  approved_by text,
  reason text,
  primary key (platform_id, external_id, version),
  foreign key (platform_id, external_id) references invoice_services (platform_id, external_id)
);

grant select, insert, update on invoice_services to tradeline_service;
grant select, insert on invoice_service_transitions to tradeline_service;
