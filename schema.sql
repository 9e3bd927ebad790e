-- Printed by `npm run generate` from the migrated database. Do not edit: write a migration.

create extension btree_gin;
create extension pg_trgm;

create domain external_id as text CHECK (((VALUE ~ '^[a-zA-Z0-9_-]+$'::text) AND (length(VALUE) <= 100)));
create domain minor_units as bigint CHECK (((VALUE >= '-1000000000000000'::bigint) AND (VALUE <= '1000000000000000'::bigint)));
create domain unix_seconds as bigint CHECK (((VALUE >= 0) AND (VALUE <= '253402300799'::bigint)));

CREATE OR REPLACE FUNCTION public.buyer_search_text(external_id text, legal_name text, trading_name text, business_identifiers jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN lower(((((((external_id || '
'::text) || legal_name) || '
'::text) || COALESCE(trading_name, ''::text)) || '
'::text) || COALESCE((SELECT string_agg((identifier.value ->> 'value'::text), '
'::text) AS string_agg FROM jsonb_array_elements(buyer_search_text.business_identifiers) identifier(value)), ''::text)));

create table api_keys (
  platform_id integer not null,
  key_id text not null,
  name text not null,
  secret_sha256 bytea not null,
  scopes text[] not null,
  merchant_external_id external_id,
  created_at unix_seconds not null,
  expires_at unix_seconds,
  revoked_at unix_seconds,
  last_used_at unix_seconds,
  constraint api_keys_pkey PRIMARY KEY (platform_id, key_id),
  constraint api_keys_key_id_key UNIQUE (key_id),
  constraint api_keys_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id)
);
grant insert, select, update on api_keys to tradeline_service;

create table buyers (
  platform_id integer not null,
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
  search_text text not null generated always as (buyer_search_text((external_id)::text, legal_name, trading_name, business_identifiers)) stored,
  registry jsonb,
  register_company_id bigint,
  constraint buyers_pkey PRIMARY KEY (platform_id, external_id),
  constraint buyers_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id),
  constraint buyers_registry_names_its_company CHECK (((registry IS NULL) = (register_company_id IS NULL)))
);
CREATE INDEX buyers_by_created_at ON public.buyers USING btree (platform_id, created_at DESC, external_id);
CREATE INDEX buyers_by_register_company ON public.buyers USING btree (register_company_id, platform_id, external_id) WHERE (register_company_id IS NOT NULL);
CREATE INDEX buyers_by_search_text ON public.buyers USING gin (platform_id, search_text gin_trgm_ops);
grant insert, select, update on buyers to tradeline_service;

create table contacts (
  platform_id integer not null,
  external_id external_id not null,
  buyer_external_id external_id not null,
  version integer not null default 1,
  assign_to_all_invoices boolean not null,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  person_sealed bytea not null,
  constraint contacts_pkey PRIMARY KEY (platform_id, external_id),
  constraint contacts_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES buyers(platform_id, external_id)
);
CREATE INDEX contacts_by_buyer ON public.contacts USING btree (platform_id, buyer_external_id, created_at DESC, external_id);
CREATE INDEX contacts_by_created_at ON public.contacts USING btree (platform_id, created_at DESC, external_id);
grant delete, insert, select, update on contacts to tradeline_service;

create table event_positions (
  platform_id integer not null,
  position_last bigint not null,
  constraint event_positions_pkey PRIMARY KEY (platform_id),
  constraint event_positions_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id)
);
grant insert, select, update on event_positions to tradeline_service;

create table events (
  platform_id integer not null,
  event_id uuid not null,
  ordinal bigint not null generated always as identity,
  "position" bigint,
  type text not null,
  resource_external_id text not null,
  occurred_at unix_seconds not null,
  recorded_at timestamp with time zone not null default now(),
  body text not null,
  constraint events_pkey PRIMARY KEY (platform_id, event_id),
  constraint events_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id)
);
CREATE UNIQUE INDEX events_by_position ON public.events USING btree (platform_id, "position") WHERE ("position" IS NOT NULL);
CREATE INDEX events_by_recorded_at ON public.events USING btree (recorded_at);
CREATE INDEX events_without_position ON public.events USING btree (ordinal) WHERE ("position" IS NULL);
grant delete, insert, select, update on events to tradeline_service;

create table idempotency_keys (
  platform_id integer not null,
  idempotency_key text not null,
  fingerprint bytea not null,
  created_at timestamp with time zone not null default now(),
  status_code smallint not null,
  location text,
  etag text,
  body_sealed bytea not null,
  constraint idempotency_keys_pkey PRIMARY KEY (platform_id, idempotency_key),
  constraint idempotency_keys_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id)
);
CREATE INDEX idempotency_keys_by_created_at ON public.idempotency_keys USING btree (created_at);
grant delete, insert, select, update on idempotency_keys to tradeline_service;

create table installation (
  is_only_row boolean not null default true,
  environment text not null,
  master_key_check bytea not null,
  created_at unix_seconds not null,
  constraint installation_pkey PRIMARY KEY (is_only_row),
  constraint installation_environment_check CHECK ((environment = ANY (ARRAY['sandbox'::text, 'production'::text]))),
  constraint installation_is_only_row_check CHECK (is_only_row)
);
grant insert, select on installation to tradeline_service;

create table merchants (
  platform_id integer not null,
  external_id external_id not null,
  status text not null,
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  legal_name text not null,
  legal_form text not null,
  trading_name text,
  business_identifiers jsonb not null,
  business_address jsonb not null,
  contact_emails_sealed bytea not null,
  constraint merchants_pkey PRIMARY KEY (platform_id, external_id),
  constraint merchants_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id),
  constraint merchants_status_check CHECK ((status = ANY (ARRAY['ENROLLED'::text, 'PENDING'::text, 'INACTIVE'::text])))
);
CREATE INDEX merchants_by_created_at ON public.merchants USING btree (platform_id, created_at DESC, external_id);
grant insert, select, update on merchants to tradeline_service;

create table order_moves (
  platform_id integer not null,
  order_external_id external_id not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  moved_at unix_seconds not null,
  actor text not null,
  constraint order_moves_pkey PRIMARY KEY (platform_id, order_external_id, version),
  constraint order_moves_platform_id_order_external_id_fkey FOREIGN KEY (platform_id, order_external_id) REFERENCES orders(platform_id, external_id)
);
grant insert, select on order_moves to tradeline_service;

create table orders (
  platform_id integer not null,
  external_id external_id not null,
  status text not null,
  version integer not null default 1,
  buyer_external_id external_id not null,
  merchant_external_id external_id not null,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  ordered_at unix_seconds not null,
  payment_method text,
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
  constraint orders_pkey PRIMARY KEY (platform_id, external_id),
  constraint orders_check CHECK (((amount_gross)::bigint = ((amount_net)::bigint + (amount_tax)::bigint))),
  constraint orders_payment_method_check CHECK ((payment_method = ANY (ARRAY['CASH'::text, 'CARD'::text, 'TRANSFER'::text, 'DEBIT'::text]))),
  constraint orders_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES buyers(platform_id, external_id),
  constraint orders_platform_id_merchant_external_id_fkey FOREIGN KEY (platform_id, merchant_external_id) REFERENCES merchants(platform_id, external_id),
  constraint orders_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'CANCELLED'::text, 'CLOSED'::text, 'PENDING_CONFIRMATION'::text, 'CONFIRMED'::text, 'EXPIRED'::text, 'DISBURSED'::text])))
);
CREATE INDEX orders_by_buyer ON public.orders USING btree (platform_id, buyer_external_id, created_at DESC, external_id);
CREATE INDEX orders_by_created_at ON public.orders USING btree (platform_id, created_at DESC, external_id);
CREATE INDEX orders_by_merchant ON public.orders USING btree (platform_id, merchant_external_id, created_at DESC, external_id);
CREATE INDEX orders_by_status ON public.orders USING btree (platform_id, status, created_at DESC, external_id);
grant insert, select, update on orders to tradeline_service;

create table platforms (
  platform_id integer not null generated always as identity,
  code text not null,
  name text not null,
  version integer not null default 1,
  created_at unix_seconds not null,
  country text not null,
  currency text not null,
  financing_currencies text[] not null default '{}'::text[],
  collection_currencies text[] not null default '{}'::text[],
  support_emails text[] not null default '{}'::text[],
  payout_term integer not null default 0,
  max_payment_term integer not null default 120,
  is_single_merchant boolean not null default false,
  language text not null default 'EN'::text,
  formality text not null default 'NEUTRAL'::text,
  has_erp_configuration boolean not null default false,
  logo_url text,
  redirect_url text,
  min_payout_business_day integer not null default 2,
  communication_email text,
  communication_bcc_email text,
  data_key_wrapped bytea not null,
  constraint platforms_pkey PRIMARY KEY (platform_id),
  constraint platforms_code_check CHECK ((code ~ '^[a-z0-9-]{1,50}$'::text)),
  constraint platforms_code_key UNIQUE (code),
  constraint platforms_max_payment_term_check CHECK ((max_payment_term >= 0)),
  constraint platforms_min_payout_business_day_check CHECK ((min_payout_business_day >= 1)),
  constraint platforms_payout_term_check CHECK ((payout_term >= 0))
);
grant insert, select, update on platforms to tradeline_service;

create table register_companies (
  company_id bigint not null generated always as identity,
  register text not null,
  register_key text not null,
  country text not null,
  legal_name text not null,
  trading_name text,
  other_names text[] not null,
  legal_form text,
  elf_code text,
  address jsonb not null,
  identifiers jsonb not null,
  incorporated_on date,
  website text,
  is_active boolean not null,
  name_words text not null,
  search_keys text[] not null,
  refreshed_at unix_seconds not null,
  constraint register_companies_pkey PRIMARY KEY (company_id),
  constraint register_companies_register_register_key_key UNIQUE (register, register_key)
);
CREATE INDEX register_companies_by_search_key ON public.register_companies USING gin (search_keys);
grant delete, insert, select, update on register_companies to tradeline_service;

create table register_followed (
  company_id bigint not null,
  is_changed boolean not null default false,
  constraint register_followed_pkey PRIMARY KEY (company_id)
);
CREATE INDEX register_followed_changed ON public.register_followed USING btree (company_id) WHERE is_changed;
grant delete, insert, select, update on register_followed to tradeline_service;

create table register_imports (
  import_id bigint not null generated always as identity,
  file_key text not null,
  file_name text not null,
  format text not null,
  records_read bigint not null default 0,
  companies_written bigint not null default 0,
  records_refused bigint not null default 0,
  started_at unix_seconds not null,
  finished_at unix_seconds,
  constraint register_imports_pkey PRIMARY KEY (import_id),
  constraint register_imports_file_key_key UNIQUE (file_key)
);
grant delete, insert, select, update on register_imports to tradeline_service;

create table register_words (
  country text not null,
  word text not null,
  companies integer not null,
  variants integer[] not null,
  constraint register_words_pkey PRIMARY KEY (country, word)
);
CREATE INDEX register_words_by_trigram ON public.register_words USING gin (word gin_trgm_ops);
CREATE INDEX register_words_by_variant ON public.register_words USING gin (variants);
grant delete, insert, select, update on register_words to tradeline_service;

create table webhook_attempts (
  platform_id integer not null,
  delivery_id bigint not null,
  attempt integer not null,
  started_at timestamp with time zone not null,
  duration_ms integer not null,
  status_code integer,
  failure text,
  constraint webhook_attempts_pkey PRIMARY KEY (platform_id, delivery_id, attempt),
  constraint webhook_attempts_platform_id_delivery_id_fkey FOREIGN KEY (platform_id, delivery_id) REFERENCES webhook_deliveries(platform_id, delivery_id)
);
grant delete, insert, select, update on webhook_attempts to tradeline_service;

create table webhook_deliveries (
  platform_id integer not null,
  delivery_id bigint not null generated always as identity,
  subscription_id uuid not null,
  event_id uuid not null,
  status text not null,
  attempts integer not null default 0,
  created_at timestamp with time zone not null default now(),
  next_attempt_at timestamp with time zone not null default now(),
  leased_until timestamp with time zone,
  finished_at timestamp with time zone,
  constraint webhook_deliveries_pkey PRIMARY KEY (platform_id, delivery_id),
  constraint webhook_deliveries_platform_id_event_id_fkey FOREIGN KEY (platform_id, event_id) REFERENCES events(platform_id, event_id),
  constraint webhook_deliveries_platform_id_subscription_id_fkey FOREIGN KEY (platform_id, subscription_id) REFERENCES webhook_subscriptions(platform_id, subscription_id),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'DELIVERED'::text, 'FAILED'::text, 'DISCARDED'::text])))
);
CREATE INDEX webhook_deliveries_by_event ON public.webhook_deliveries USING btree (platform_id, event_id);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (platform_id, subscription_id, next_attempt_at) WHERE (status = 'PENDING'::text);
CREATE INDEX webhook_deliveries_leased ON public.webhook_deliveries USING btree (platform_id, subscription_id, leased_until) WHERE (leased_until IS NOT NULL);
grant delete, insert, select, update on webhook_deliveries to tradeline_service;

create table webhook_subscriptions (
  platform_id integer not null,
  subscription_id uuid not null,
  type text not null,
  url text not null,
  status text not null,
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  secret_sealed bytea not null,
  previous_secret_sealed bytea,
  previous_secret_until timestamp with time zone,
  windows_lost integer not null default 0,
  constraint webhook_subscriptions_pkey PRIMARY KEY (platform_id, subscription_id),
  constraint webhook_subscriptions_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id),
  constraint webhook_subscriptions_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'DISABLED'::text, 'UNSUBSCRIBED'::text])))
);
CREATE INDEX webhook_subscriptions_active ON public.webhook_subscriptions USING btree (platform_id, subscription_id) WHERE (status = 'ACTIVE'::text);
CREATE UNIQUE INDEX webhook_subscriptions_by_type ON public.webhook_subscriptions USING btree (platform_id, type) WHERE (status <> 'UNSUBSCRIBED'::text);
grant insert, select, update on webhook_subscriptions to tradeline_service;
