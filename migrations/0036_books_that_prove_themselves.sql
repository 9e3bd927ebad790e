-- The ledger proves itself: numbers in a chain of hashes, running totals, and periods that are closed.

-- Append-only: the number of each entry, given after its commit, with the hash over the entry and the hash before it.
create table ledger_numbers (
  platform_id integer not null,
  number bigint not null check (number >= 1),
  entry_id uuid not null,
  hash bytea not null check (length(hash) = 32),
  previous_hash bytea not null check (length(previous_hash) = 32),
  primary key (platform_id, number),
  unique (platform_id, entry_id),
  foreign key (platform_id, entry_id) references ledger_entries
);

-- The end of the chain of a platform, sealed with a key that the database does not have. Numbering locks it, posting does not.
create table ledger_heads (
  platform_id integer primary key references ledger_books,
  number bigint not null,
  hash bytea not null,
  seal bytea not null
);

-- What the numbered entries sum to, by days of UTC, so that balances do not read every line. The party is empty for accounts of
-- buyers and merchants, which are many.
create table ledger_totals (
  platform_id integer not null references ledger_books,
  account text not null,
  party text not null,
  currency text not null,
  -- Days since 1970-01-01.
  effective_day integer not null,
  recorded_day integer not null,
  amount numeric not null,
  primary key (platform_id, account, party, currency, effective_day, recorded_day)
);

-- Append-only: until when the books are closed, and who closed them.
create table ledger_closings (
  platform_id integer not null references ledger_books,
  -- The first instant after the closed period.
  open_from unix_seconds not null,
  closed_at unix_seconds not null,
  recorded_at timestamptz not null default clock_timestamp(),
  actor text not null,
  approved_by text not null,
  reason text not null,
  primary key (platform_id, open_from)
);

drop index ledger_entries_by_effective_at;
create index ledger_entries_by_effective_at on ledger_entries (platform_id, effective_at, ordinal);

grant select, insert on ledger_numbers, ledger_closings to tradeline_service;
grant select, insert, update on ledger_heads, ledger_totals to tradeline_service;

-- A key with every scope keeps every scope.
update api_keys set scopes = array_append(scopes, 'ledger:read')
where scopes @> '{read,orders:write,invoices:write,payouts:write,webhooks:write,credit:read,admin}'
  and not scopes @> '{ledger:read}';
