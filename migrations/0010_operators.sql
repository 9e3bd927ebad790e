-- Operators: the persons who change what no API key may, each with a key of their own. And the log of what they did.

-- Rows are never deleted: the history names operators.
create table operators (
  platform_id integer not null references platforms,
  operator_id text not null check (operator_id ~ '^[a-z0-9][a-z0-9.-]{0,49}$'),
  role text not null check (role in ('VIEW', 'CREDIT', 'FINANCE', 'ADMIN')),
  -- As for API keys: the id finds the row, and the SHA-256 of the secret is compared.
  key_id text not null,
  secret_sha256 bytea not null,
  -- Another person has seen the key, who added the operator: it serves only to be replaced.
  is_key_initial boolean not null,
  -- Encrypted, and as a keyed hash of the normalized address: one person is one operator.
  email_sealed bytea not null,
  email_hash bytea not null,
  created_at unix_seconds not null,
  created_by text not null,
  approved_by text,
  disabled_at unix_seconds,
  disabled_by text,
  primary key (platform_id, operator_id),
  unique (platform_id, key_id),
  check ((disabled_at is null) = (disabled_by is null)),
  check (approved_by <> created_by)
);
create unique index operators_by_email on operators (platform_id, email_hash) where disabled_at is null;

-- Append-only: every change outside the API, in a chain of hashes per platform.
create table audit_entries (
  platform_id integer not null references platforms,
  position integer not null check (position >= 1),
  recorded_at unix_seconds not null,
  actor text not null,
  action text not null,
  subject text not null,
  reason text,
  -- JSON as text: the hash is over exactly these bytes.
  details text not null,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (platform_id, position)
);

-- The last entry of each chain, with a seal that only the master key makes: entries missing at the end are found, and so is
-- a chain that was computed again.
create table audit_heads (
  platform_id integer primary key references platforms,
  position integer not null,
  hash bytea not null,
  seal bytea not null
);

grant select, insert, update on operators, audit_heads to tradeline_service;
grant select, insert on audit_entries to tradeline_service;
