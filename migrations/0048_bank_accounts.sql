-- Bank accounts of a platform, and what its banks say about them.
create table bank_accounts (
  platform_id integer not null references platforms,
  -- The party of the ledger's account `bank`.
  external_id external_id not null,
  currency text not null,
  created_at unix_seconds not null,
  actor text not null,
  number_sealed bytea not null,
  -- A keyed hash of the number, by which a statement finds its account.
  number_mac bytea not null,
  -- The number as operators see it: its beginning and its end.
  number_masked text not null,
  primary key (platform_id, external_id)
);
create unique index bank_accounts_by_number on bank_accounts (platform_id, number_mac, currency);

-- What a file said about one account, with the balances that it adds up to. Append-only.
create table bank_statements (
  platform_id integer not null,
  statement_id uuid not null,
  bank_account external_id not null,
  type text not null check (type in ('STATEMENT', 'NOTIFICATION')),
  -- SHA-256 of the file, and the place of the statement in it from 1.
  file_hash bytea not null,
  position integer not null,
  -- The bank's name of it, which banks use again and which can hold an account number.
  reference_sealed bytea not null,
  from_on calendar_day,
  to_on calendar_day,
  opening_amount bigint,
  opening_on calendar_day,
  closing_amount bigint,
  closing_on calendar_day,
  entry_count integer not null,
  new_entry_count integer not null,
  imported_at unix_seconds not null,
  actor text not null,
  primary key (platform_id, statement_id),
  foreign key (platform_id, bank_account) references bank_accounts (platform_id, external_id)
);
create unique index bank_statements_by_file on bank_statements (platform_id, file_hash, position);
create index bank_statements_by_account on bank_statements (platform_id, bank_account, imported_at desc, statement_id);

-- One booked change of an account's balance, however often and in how many files the bank reports it. Append-only.
create table bank_entries (
  platform_id integer not null,
  entry_id uuid not null,
  bank_account external_id not null,
  -- A keyed hash of what the entry is known by: the bank's reference, amount and day.
  identity_mac bytea not null,
  currency text not null,
  -- Signed: money that came in is positive.
  amount minor_units not null check (amount <> 0),
  booked_on calendar_day not null,
  value_on calendar_day,
  is_reversal boolean not null,
  is_charge boolean not null,
  created_at unix_seconds not null,
  -- The bank's reference and text.
  details_sealed bytea not null,
  primary key (platform_id, entry_id),
  foreign key (platform_id, bank_account) references bank_accounts (platform_id, external_id)
);
create unique index bank_entries_by_identity on bank_entries (platform_id, bank_account, identity_mac);

-- A payment in an entry, or the whole entry while the payments of a batch are not known. This is what is matched.
create table bank_transactions (
  platform_id integer not null,
  transaction_id uuid not null,
  entry_id uuid not null,
  -- From 1; 0 is the whole entry.
  number integer not null check (number >= 0),
  booked_on calendar_day not null,
  amount minor_units not null check (amount <> 0),
  status text not null check (status in ('RECEIVED', 'QUEUED', 'MATCHED', 'REVERSED', 'DETAILED')),
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  -- Several payments in one amount.
  is_batch boolean not null,
  -- Money of a payment that came back.
  is_return boolean not null,
  -- It takes an earlier transaction back, and so is booked after those that wait.
  takes_back boolean not null,
  -- Why a person must say what it is for.
  queue_reason text,
  -- References, the payer's text, counterparty.
  details_sealed bytea not null,
  -- A keyed hash of the counterparty's account.
  counterparty_mac bytea,
  -- The ledger entry that has it in suspense, or that is all of its booking.
  ledger_entry uuid,
  primary key (platform_id, transaction_id),
  check ((status = 'QUEUED') = (queue_reason is not null)),
  foreign key (platform_id, entry_id) references bank_entries (platform_id, entry_id)
);
create unique index bank_transactions_by_entry on bank_transactions (platform_id, entry_id, number);
create index bank_transactions_received on bank_transactions (platform_id, takes_back, booked_on, transaction_id)
  where status = 'RECEIVED';
create index bank_transactions_queued on bank_transactions (platform_id, booked_on, transaction_id)
  where status = 'QUEUED';
create index bank_transactions_queued_back on bank_transactions (platform_id, transaction_id)
  where status = 'QUEUED' and takes_back;
create index bank_transactions_by_counterparty on bank_transactions (platform_id, counterparty_mac, created_at desc)
  where counterparty_mac is not null;

create table bank_transaction_transitions (
  platform_id integer not null,
  transaction_id uuid not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  transitioned_at unix_seconds not null,
  actor text not null,
  reason text,
  primary key (platform_id, transaction_id, version),
  foreign key (platform_id, transaction_id) references bank_transactions (platform_id, transaction_id)
);

-- What a match of a transaction says that it was for. Append-only: a version is one match.
create table bank_matches (
  platform_id integer not null,
  transaction_id uuid not null,
  version integer not null,
  position integer not null,
  kind text not null check (kind in ('PAYMENT', 'CHARGE', 'REVERSAL')),
  amount minor_units not null,
  invoice_external_id external_id,
  payment_external_id external_id,
  -- The transaction that this one takes back.
  reversed_transaction_id uuid,
  primary key (platform_id, transaction_id, version, position),
  foreign key (platform_id, transaction_id) references bank_transactions (platform_id, transaction_id)
);

-- Keyed hashes of the references by which a bank names a payment again.
create table bank_references (
  platform_id integer not null,
  reference_mac bytea not null,
  transaction_id uuid not null,
  primary key (platform_id, reference_mac, transaction_id),
  foreign key (platform_id, transaction_id) references bank_transactions (platform_id, transaction_id)
);

grant select, insert on bank_statements, bank_entries, bank_transaction_transitions, bank_matches, bank_references
  to tradeline_service;
grant select, insert, update on bank_accounts, bank_transactions to tradeline_service;
