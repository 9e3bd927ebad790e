-- Payouts: what merchants are to be paid, and what was paid.

alter table payout_instructions
  -- Payouts to it that are under way. The module of payouts counts them here: such an account cannot be deleted.
  add column payouts_under_way integer not null default 0 check (payouts_under_way >= 0);

-- The row that is locked while it is decided what a merchant gets: one payout, and one set-off, at a time.
create table merchant_accounts (
  platform_id integer not null,
  merchant_external_id external_id not null,
  -- When payouts are to be formed of its lines; null if nothing is due.
  pays_at unix_seconds,
  primary key (platform_id, merchant_external_id),
  foreign key (platform_id, merchant_external_id) references merchants (platform_id, external_id)
);
create index merchant_accounts_paying on merchant_accounts (platform_id, pays_at, merchant_external_id)
  where pays_at is not null;

-- When a platform looks next at what is to be paid: at the beginning of each weekday.
create table payout_runs (
  platform_id integer primary key references platforms,
  next_at unix_seconds not null
);

-- Files that instruct banks. Asked for again, the bytes are the same.
create table payout_files (
  platform_id integer not null references platforms,
  external_id external_id not null,
  scheme text not null check (scheme in ('SEPA', 'FPS', 'SWIFT')),
  currency text not null,
  execution_on calendar_day not null,
  payouts_count integer not null check (payouts_count > 0),
  amount minor_units not null check (amount > 0),
  created_at unix_seconds not null,
  created_by text not null,
  sha256 bytea not null,
  content_sealed bytea not null,
  primary key (platform_id, external_id)
);

create table payouts (
  platform_id integer not null,
  external_id external_id not null,
  -- By which the bank names it: at most 35 characters.
  end_to_end_id text not null check (end_to_end_id ~ '^[A-Z0-9]{1,35}$'),
  merchant_external_id external_id not null,
  payout_instruction_external_id external_id not null,
  scheme text not null check (scheme in ('SEPA', 'FPS', 'SWIFT')),
  currency text not null,
  status text not null check (status in ('SCHEDULED', 'INSTRUCTED', 'PAID', 'FAILED', 'CANCELLED')),
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  -- The business day on which it is to be paid.
  scheduled_on calendar_day not null,
  amount minor_units not null check (amount >= 0),
  -- The version of the instruction that two operators have released; null before.
  instruction_version integer,
  -- The file that instructs the bank; null before it is written.
  file_external_id external_id,
  -- When debts of the merchant take all of it: nothing is transferred then. Null if something is, or it was done.
  nets_at unix_seconds check (nets_at is null or (amount = 0 and status = 'SCHEDULED')),
  paid_at unix_seconds,
  failure_reason text,
  primary key (platform_id, external_id),
  foreign key (platform_id, merchant_external_id) references merchants (platform_id, external_id),
  foreign key (platform_id, payout_instruction_external_id) references payout_instructions (platform_id, external_id),
  foreign key (platform_id, file_external_id) references payout_files (platform_id, external_id)
);
create index payouts_without_file on payouts (platform_id, external_id)
  where status = 'INSTRUCTED' and file_external_id is null;
create unique index payouts_by_end_to_end_id on payouts (platform_id, end_to_end_id);
create index payouts_by_created_at on payouts (platform_id, created_at desc, external_id);
create index payouts_by_scheduled_on on payouts (platform_id, scheduled_on desc, external_id);
create index payouts_by_amount on payouts (platform_id, amount desc, external_id);
create index payouts_by_merchant on payouts (platform_id, merchant_external_id, created_at desc, external_id);
create index payouts_by_instruction on payouts (platform_id, payout_instruction_external_id, created_at desc, external_id);
create index payouts_by_status on payouts (platform_id, status, created_at desc, external_id);
create index payouts_by_currency on payouts (platform_id, currency, created_at desc, external_id);
create index payouts_by_scheme on payouts (platform_id, scheme, created_at desc, external_id);
create index payouts_netting on payouts (platform_id, nets_at, external_id) where nets_at is not null;

create table payout_transitions (
  platform_id integer not null,
  payout_external_id external_id not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  transitioned_at unix_seconds not null,
  actor text not null,
  approved_by text,
  reason text,
  primary key (platform_id, payout_external_id, version),
  foreign key (platform_id, payout_external_id) references payouts (platform_id, external_id)
);

-- What a merchant is to be paid, and what is deducted. A line without a payout waits for one.
create table payout_lines (
  platform_id integer not null,
  line_id uuid not null,
  merchant_external_id external_id not null,
  currency text not null,
  kind text not null check (kind in ('ADVANCE', 'COLLECTED', 'SET_OFF')),
  invoice_external_id external_id,
  service_external_id external_id check ((service_external_id is not null) = (kind = 'ADVANCE')),
  -- Positive for the merchant.
  amount minor_units not null check (amount >= 0 or kind <> 'ADVANCE'),
  earliest_on calendar_day not null,
  created_at unix_seconds not null,
  payout_external_id external_id check (payout_external_id is not null or kind <> 'SET_OFF'),
  primary key (platform_id, line_id),
  foreign key (platform_id, merchant_external_id) references merchants (platform_id, external_id),
  foreign key (platform_id, payout_external_id) references payouts (platform_id, external_id)
);
create index payout_lines_waiting on payout_lines (platform_id, merchant_external_id, currency, earliest_on)
  where payout_external_id is null;
create index payout_lines_by_payout on payout_lines (platform_id, payout_external_id, kind, line_id)
  where payout_external_id is not null;
create unique index payout_lines_by_service on payout_lines (platform_id, service_external_id)
  where service_external_id is not null;

-- Days that operators have added to the calendars of the service.
create table bank_holidays (
  platform_id integer not null references platforms,
  currency text not null,
  day calendar_day not null,
  reason text not null,
  added_at unix_seconds not null,
  added_by text not null,
  primary key (platform_id, currency, day)
);

alter table invoices
  drop constraint invoices_payment_script_check,
  add constraint invoices_payment_script_check check (payment_script in ('pays-late', 'never-pays', 'payout-fails'));

alter table ledger_entries
  drop constraint ledger_entries_cause_check,
  add constraint ledger_entries_cause_check check (cause in ('ADVANCE_ACCEPTED', 'ADVANCE_CANCELLED', 'MERCHANT_MONEY_DUE',
    'DEBT_SET_OFF', 'SET_OFF_CANCELLED', 'PAYOUT_PAID', 'PAYOUT_RETURNED',
    'PAYMENT_RECORDED', 'PAYMENT_REVERSED', 'CASH_APPLIED', 'CASH_REFUNDED', 'CREDIT_NOTE_ISSUED', 'INVOICE_CANCELLED',
    'TERM_FEE_CHARGED', 'TERM_FEE_CANCELLED', 'DEFAULT_WRITTEN_OFF', 'DEFAULT_RECOVERED', 'DIFFERENCE_WRITTEN_OFF',
    'BANK_CHARGED', 'SUSPENSE_RECORDED', 'SUSPENSE_CLEARED', 'CORRECTED'));

grant select, insert, update on merchant_accounts, payout_runs, payouts to tradeline_service;
grant select, insert, update, delete on payout_lines to tradeline_service;
grant select, insert on payout_transitions, payout_files, bank_holidays to tradeline_service;
