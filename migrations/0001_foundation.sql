-- Platforms and their keys, companies, draft orders, the event log and webhook deliveries.
-- Every table begins with platform_id, and every foreign key carries it: no row can point across tenants.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- 9999-12-31T23:59:59Z is the last second every date type on the way can hold.
create domain unix_seconds as bigint check (value between 0 and 253402300799);
-- Money: cents, or yen. Never a fraction.
create domain minor_units as bigint check (value between -1000000000000000 and 1000000000000000);
create domain external_id as text check (value ~ '^[a-zA-Z0-9_-]+$' and length(value) <= 100);

-- One row: what this database was made for. Guards against a wrong master key and a wrong environment.
create table installation (
  is_only_row boolean primary key default true check (is_only_row),
  environment text not null check (environment in ('sandbox', 'production')),
  master_key_check bytea not null,
  created_at unix_seconds not null
);

create table platforms (
  platform_id integer generated always as identity primary key,
  code text not null unique check (code ~ '^[a-z0-9-]{1,50}$'),
  name text not null,
  version integer not null default 1,
  created_at unix_seconds not null,
  country text not null,
  currency text not null,
  financing_currencies text[] not null default '{}',
  collection_currencies text[] not null default '{}',
  support_emails text[] not null default '{}',
  payout_term integer not null default 0 check (payout_term >= 0),
  max_payment_term integer not null default 120 check (max_payment_term >= 0),
  is_single_merchant boolean not null default false,
  language text not null default 'EN',
  formality text not null default 'NEUTRAL',
  has_erp_configuration boolean not null default false,
  logo_url text,
  redirect_url text,
  min_payout_business_day integer not null default 2 check (min_payout_business_day >= 1),
  communication_email text,
  communication_bcc_email text,
  data_key_wrapped bytea not null
);

create table api_keys (
  platform_id integer not null references platforms,
  key_id text not null unique,
  name text not null,
  secret_sha256 bytea not null,
  scopes text[] not null,
  merchant_external_id external_id,
  created_at unix_seconds not null,
  expires_at unix_seconds,
  revoked_at unix_seconds,
  last_used_at unix_seconds,
  primary key (platform_id, key_id)
);

create table merchants (
  platform_id integer not null references platforms,
  external_id external_id not null,
  status text not null check (status in ('ENROLLED', 'PENDING', 'INACTIVE')),
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  legal_name text not null,
  legal_form text not null,
  trading_name text,
  business_identifiers jsonb not null,
  business_address jsonb not null,
  contact_emails_sealed bytea not null,
  primary key (platform_id, external_id)
);
create index merchants_by_created_at on merchants (platform_id, created_at desc, external_id);

-- What a buyer is found by, one to a line: no field and no query has a line break, so that nothing matches across two.
create function buyer_search_text(external_id text, legal_name text, trading_name text, business_identifiers jsonb)
  returns text language sql immutable parallel safe
  return lower(external_id || E'\n' || legal_name || E'\n' || coalesce(trading_name, '') || E'\n' || coalesce(
    (select string_agg(identifier ->> 'value', E'\n') from jsonb_array_elements(business_identifiers) identifier), ''));

create table buyers (
  platform_id integer not null references platforms,
  external_id external_id not null,
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  legal_name text not null,
  legal_form text not null,
  trading_name text,
  registered_at unix_seconds,
  incorporated_at unix_seconds,
  business_identifiers jsonb not null,
  business_address jsonb not null,
  delivery_address jsonb,
  custom_data json,
  language text,
  formality text,
  search_text text not null generated always as (
    buyer_search_text(external_id, legal_name, trading_name, business_identifiers)
  ) stored,
  primary key (platform_id, external_id)
);
create index buyers_by_created_at on buyers (platform_id, created_at desc, external_id);
create index buyers_by_search_text on buyers using gin (platform_id, search_text gin_trgm_ops);

-- Persons: everything about them is sealed, only ids, the flag and timestamps are in clear.
create table contacts (
  platform_id integer not null,
  external_id external_id not null,
  buyer_external_id external_id not null,
  version integer not null default 1,
  assign_to_all_invoices boolean not null,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  person_sealed bytea not null,
  primary key (platform_id, external_id),
  foreign key (platform_id, buyer_external_id) references buyers (platform_id, external_id)
);
create index contacts_by_buyer on contacts (platform_id, buyer_external_id, created_at desc, external_id);
create index contacts_by_created_at on contacts (platform_id, created_at desc, external_id);

create table orders (
  platform_id integer not null,
  external_id external_id not null,
  status text not null check (status in (
    'DRAFT', 'CANCELLED', 'CLOSED', 'PENDING_CONFIRMATION', 'CONFIRMED', 'EXPIRED', 'DISBURSED')),
  version integer not null default 1,
  buyer_external_id external_id not null,
  merchant_external_id external_id not null,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  ordered_at unix_seconds not null,
  payment_method text check (payment_method in ('CASH', 'CARD', 'TRANSFER', 'DEBIT')),
  payment_term text,
  currency text not null,
  amount_net minor_units not null,
  amount_gross minor_units not null,
  amount_tax minor_units not null,
  comment text,
  delivery_address jsonb,
  custom_data json,
  line_items json not null,
  contact_email_sealed bytea,
  primary key (platform_id, external_id),
  foreign key (platform_id, buyer_external_id) references buyers (platform_id, external_id),
  foreign key (platform_id, merchant_external_id) references merchants (platform_id, external_id),
  check (amount_gross = amount_net + amount_tax)
);
create index orders_by_created_at on orders (platform_id, created_at desc, external_id);
create index orders_by_buyer on orders (platform_id, buyer_external_id, created_at desc, external_id);
create index orders_by_merchant on orders (platform_id, merchant_external_id, created_at desc, external_id);
create index orders_by_status on orders (platform_id, status, created_at desc, external_id);

-- Append-only: every move of an order, who made it, and why.
create table order_moves (
  platform_id integer not null,
  order_external_id external_id not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  moved_at unix_seconds not null,
  actor text not null,
  primary key (platform_id, order_external_id, version),
  foreign key (platform_id, order_external_id) references orders (platform_id, external_id)
);

-- The event log. `ordinal` is taken when the event is written; `position` is given after its transaction committed, so
-- that a reader who follows positions never misses an event that committed late.
create table events (
  platform_id integer not null references platforms,
  event_id uuid not null,
  ordinal bigint generated always as identity,
  position bigint,
  type text not null,
  resource_external_id text not null,
  occurred_at unix_seconds not null,
  recorded_at timestamptz not null default now(),
  -- The exact bytes every attempt sends: a signature covers bytes, not values.
  body text not null,
  primary key (platform_id, event_id)
);
create unique index events_by_position on events (platform_id, position) where position is not null;
create index events_without_position on events (ordinal) where position is null;
create index events_by_recorded_at on events (recorded_at);

create table event_positions (
  platform_id integer primary key references platforms,
  position_last bigint not null
);

create table webhook_subscriptions (
  platform_id integer not null references platforms,
  subscription_id uuid not null,
  type text not null,
  url text not null,
  status text not null check (status in ('ACTIVE', 'DISABLED', 'UNSUBSCRIBED')),
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  secret_sealed bytea not null,
  previous_secret_sealed bytea,
  previous_secret_until timestamptz,
  -- Deliveries given up one after the other; a delivered one sets it back.
  windows_lost integer not null default 0,
  primary key (platform_id, subscription_id)
);
create unique index webhook_subscriptions_by_type on webhook_subscriptions (platform_id, type)
  where status <> 'UNSUBSCRIBED';
create index webhook_subscriptions_active on webhook_subscriptions (platform_id, subscription_id)
  where status = 'ACTIVE';

create table webhook_deliveries (
  platform_id integer not null,
  delivery_id bigint generated always as identity,
  subscription_id uuid not null,
  event_id uuid not null,
  status text not null check (status in ('PENDING', 'DELIVERED', 'FAILED', 'DISCARDED')),
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  -- When the next attempt is due; while an attempt is under way, when its lease ends.
  next_attempt_at timestamptz not null default now(),
  leased_until timestamptz,
  finished_at timestamptz,
  primary key (platform_id, delivery_id),
  foreign key (platform_id, subscription_id) references webhook_subscriptions (platform_id, subscription_id),
  foreign key (platform_id, event_id) references events (platform_id, event_id)
);
create index webhook_deliveries_due on webhook_deliveries (platform_id, subscription_id, next_attempt_at)
  where status = 'PENDING';
create index webhook_deliveries_leased on webhook_deliveries (platform_id, subscription_id, leased_until)
  where leased_until is not null;
create index webhook_deliveries_by_event on webhook_deliveries (platform_id, event_id);

create table webhook_attempts (
  platform_id integer not null,
  delivery_id bigint not null,
  attempt integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  status_code integer,
  -- Why there was no answer: TIMEOUT, CONNECTION, TLS, …
  failure text,
  primary key (platform_id, delivery_id, attempt),
  foreign key (platform_id, delivery_id) references webhook_deliveries (platform_id, delivery_id)
);

create table idempotency_keys (
  platform_id integer not null references platforms,
  idempotency_key text not null,
  fingerprint bytea not null,
  created_at timestamptz not null default now(),
  status_code smallint not null,
  location text,
  etag text,
  body_sealed bytea not null,
  primary key (platform_id, idempotency_key)
);
create index idempotency_keys_by_created_at on idempotency_keys (created_at);

-- The service owns nothing and may do only this. What is append-only for the service can be changed by nobody below the owner.
grant select, insert on installation to tradeline_service;
grant select, insert, update on platforms, api_keys, merchants, buyers, orders, event_positions, webhook_subscriptions to tradeline_service;
grant select, insert, update, delete on contacts, events, webhook_deliveries, webhook_attempts, idempotency_keys to tradeline_service;
grant select, insert on order_moves to tradeline_service;
