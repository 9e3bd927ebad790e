-- The double-entry ledger: what happened to money, as entries whose lines sum to zero.

-- One row for each platform with entries. Posting shares the lock of its row, and closing takes it alone.
create table ledger_books (
  platform_id integer primary key references platforms,
  -- The first instant that is not closed.
  open_from unix_seconds not null default 0
);

-- Append-only. A correction is another entry.
create table ledger_entries (
  platform_id integer not null references ledger_books,
  entry_id uuid not null,
  ordinal bigint generated always as identity,
  cause text not null check (cause in ('ADVANCE_ACCEPTED', 'ADVANCE_CANCELLED', 'PAYOUT_PAID', 'PAYOUT_RETURNED',
    'PAYMENT_RECORDED', 'PAYMENT_REVERSED', 'CASH_APPLIED', 'CASH_REFUNDED', 'CREDIT_NOTE_ISSUED', 'INVOICE_CANCELLED',
    'TERM_FEE_CHARGED', 'TERM_FEE_CANCELLED', 'DEFAULT_WRITTEN_OFF', 'DEFAULT_RECOVERED', 'DIFFERENCE_WRITTEN_OFF',
    'BANK_CHARGED', 'SUSPENSE_RECORDED', 'SUSPENSE_CLEARED', 'CORRECTED')),
  currency text not null,
  -- The platform's time that the entry counts for: that of the cause, or the first open instant where that is closed.
  effective_at unix_seconds not null,
  -- The time of the cause, where it is in a closed period.
  belongs_to_at unix_seconds check (belongs_to_at < effective_at),
  -- The database's time: when it was known.
  recorded_at timestamptz not null default clock_timestamp(),
  actor text not null,
  approved_by text,
  order_external_id external_id,
  invoice_external_id external_id,
  payment_id text check (length(payment_id) between 1 and 200),
  credit_note_external_id external_id,
  service_external_id external_id,
  payout_external_id external_id,
  reverses_entry uuid,
  line_count integer not null check (line_count >= 2),
  primary key (platform_id, entry_id),
  foreign key (platform_id, reverses_entry) references ledger_entries
);
create unique index ledger_entries_by_reversed on ledger_entries (platform_id, reverses_entry)
  where reverses_entry is not null;
create index ledger_entries_by_invoice on ledger_entries (platform_id, invoice_external_id, ordinal)
  where invoice_external_id is not null;
create index ledger_entries_by_payment on ledger_entries (platform_id, payment_id, ordinal)
  where payment_id is not null;
create index ledger_entries_by_effective_at on ledger_entries (platform_id, effective_at);
create index ledger_entries_by_recorded_at on ledger_entries (platform_id, recorded_at);

-- Append-only. What balances are made of stands in the line too, so that an index has all of it.
create table ledger_lines (
  platform_id integer not null,
  entry_id uuid not null,
  line integer not null check (line >= 1),
  account text not null check (account in ('bank', 'buyer_receivable', 'term_fee_receivable', 'unapplied_cash',
    'merchant_payable', 'merchant_setoff', 'payout_clearing', 'suspense', 'fee_income', 'term_fee_income', 'fee_tax',
    'bank_charges', 'loss', 'recovery')),
  -- Whose account it is; empty where an account has no party.
  party text not null,
  -- Debit is positive, credit negative.
  amount minor_units not null check (amount <> 0),
  currency text not null,
  effective_at unix_seconds not null,
  recorded_at timestamptz not null,
  ordinal bigint not null,
  primary key (platform_id, entry_id, line),
  foreign key (platform_id, entry_id) references ledger_entries,
  constraint ledger_lines_party_check check (case when account in ('payout_clearing', 'suspense', 'fee_income', 'term_fee_income',
    'bank_charges', 'loss', 'recovery') then party = '' else party ~ '^[a-zA-Z0-9_-]{1,100}$' end)
);
create index ledger_lines_by_account on ledger_lines
  (platform_id, account, party, currency, effective_at, ordinal, line) include (amount, recorded_at);

-- Entries that have no number yet. Posting inserts them, and numbering removes them.
create table ledger_unnumbered (
  platform_id integer not null,
  ordinal bigint not null,
  entry_id uuid not null,
  primary key (platform_id, ordinal),
  foreign key (platform_id, entry_id) references ledger_entries
);

-- At commit an entry has all of its lines, they sum to zero, and nothing is in a closed period. A reversal has the opposite
-- lines of the entry that it reverses.
create function ledger_entry_balances() returns trigger language plpgsql as $function$
declare
  entry record;
  written record;
begin
  select * into entry from ledger_entries where platform_id = new.platform_id and entry_id = new.entry_id;
  select count(*) as line_count, sum(amount) as total, bool_and(currency = entry.currency and ordinal = entry.ordinal
    and effective_at = entry.effective_at and recorded_at = entry.recorded_at) as is_of_entry
  into written from ledger_lines where platform_id = new.platform_id and entry_id = new.entry_id;
  if written.line_count <> entry.line_count or not written.is_of_entry then
    raise exception 'ledger entry %/% has other lines than it says', new.platform_id, new.entry_id;
  end if;
  if written.total <> 0 then
    raise exception 'the lines of ledger entry %/% do not sum to zero', new.platform_id, new.entry_id;
  end if;
  if entry.reverses_entry is not null and exists (
    select from ledger_lines where platform_id = new.platform_id and entry_id in (new.entry_id, entry.reverses_entry)
    group by account, party, currency having sum(amount) <> 0
  ) then
    raise exception 'ledger entry %/% is not the opposite of the entry that it reverses', new.platform_id, new.entry_id;
  end if;
  if entry.effective_at < (select open_from from ledger_books where platform_id = new.platform_id) then
    raise exception 'ledger entry %/% is in a closed period', new.platform_id, new.entry_id;
  end if;
  return null;
end $function$;
create constraint trigger ledger_entry_balances after insert on ledger_entries
  deferrable initially deferred for each row execute function ledger_entry_balances();
create constraint trigger ledger_line_balances after insert on ledger_lines
  deferrable initially deferred for each row execute function ledger_entry_balances();

grant select, insert on ledger_entries, ledger_lines to tradeline_service;
-- Sharing a lock takes the right to update.
grant select, insert, update on ledger_books to tradeline_service;
grant select, insert, delete on ledger_unnumbered to tradeline_service;
