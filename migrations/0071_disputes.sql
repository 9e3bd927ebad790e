-- What buyers contest of what they owe, and what became of it.
create table disputes (
  platform_id integer not null,
  external_id external_id not null,
  status text not null check (status in ('OPEN', 'ACCEPTED', 'REJECTED', 'WITHDRAWN')),
  version integer not null default 1,
  -- Disputes of one second are listed in the order in which they were opened.
  ordinal bigint not null generated always as identity,
  invoice_external_id external_id not null,
  buyer_external_id external_id not null,
  merchant_external_id external_id not null,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  -- Days in the platform's time zone.
  opened_on calendar_day not null,
  decided_on calendar_day check ((decided_on is null) = (status = 'OPEN')),
  reason text not null check (reason in ('NOT_DELIVERED', 'DAMAGED', 'WRONG_PRICE', 'NOT_ORDERED', 'PAID_ALREADY', 'OTHER')),
  -- Of the invoice's line items, from 1; null for a dispute of no certain line.
  line_number integer check (line_number > 0),
  currency text not null,
  amount minor_units not null check (amount > 0),
  accepted_amount minor_units not null default 0 check (accepted_amount between 0 and amount),
  -- Whether it pauses its amount: the setting of the platform when it was opened.
  is_pausing boolean not null,
  -- What was paid of the invoice when it was opened: a dispute PAID_ALREADY ends with a payment that was not known then.
  invoice_paid_amount minor_units not null,
  -- The words of the buyer and of the decision, encrypted.
  comment_sealed bytea,
  decision_sealed bytea,
  file_external_ids text[] not null default '{}',
  credit_note_external_id external_id,
  opened_by text not null,
  decided_by text,
  primary key (platform_id, external_id),
  foreign key (platform_id, invoice_external_id) references invoices (platform_id, external_id),
  foreign key (platform_id, credit_note_external_id) references credit_notes (platform_id, external_id),
  check (status = 'ACCEPTED' or accepted_amount = 0),
  check ((credit_note_external_id is null) = (accepted_amount = 0 or reason = 'PAID_ALREADY'))
);
create index disputes_by_invoice on disputes (platform_id, invoice_external_id, ordinal);
create index disputes_by_status on disputes (platform_id, status, ordinal);
create unique index disputes_one_open_by_line on disputes (platform_id, invoice_external_id, line_number) where status = 'OPEN';

-- Append-only: every transition of a dispute, who made it, when and why. The words are encrypted.
create table dispute_transitions (
  platform_id integer not null,
  dispute_external_id external_id not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  transitioned_at unix_seconds not null,
  actor text not null,
  comment_sealed bytea,
  primary key (platform_id, dispute_external_id, version),
  foreign key (platform_id, dispute_external_id) references disputes (platform_id, external_id)
);

-- What open disputes contest of an invoice, and what of it does not count as overdue. Either can be more than is outstanding
-- by now.
alter table invoices
  add column disputed_amount minor_units not null default 0 check (disputed_amount >= 0),
  add column paused_amount minor_units not null default 0 check (paused_amount between 0 and disputed_amount);

-- Whether a disputed amount is neither charged for being late nor counted as overdue while its dispute is open.
alter table platforms add column disputes_pause boolean not null default true;

grant select, insert, update on disputes to tradeline_service;
grant select, insert on dispute_transitions to tradeline_service;
