-- Settings of limits, prices and platforms are append-only versions: what held at any instant, who set it, and why.

-- The limit policy and the price table of a platform, and what overrides them for one buyer until an instant.
create table credit_settings_versions (
  platform_id integer not null references platforms,
  -- Empty: the platform's own.
  buyer_external_id text not null default '',
  version integer not null check (version >= 1),
  -- The platform's time. Until the next version.
  valid_from unix_seconds not null,
  -- The database's time, also where the platform's clock is ahead.
  recorded_at timestamptz not null default now(),
  set_by text not null,
  approved_by text,
  reason text,
  -- Null: the default, or the platform's. A cleared version has null in all of them.
  counts text check (counts in ('ORDERS', 'INVOICES')),
  tolerance_percent integer check (tolerance_percent between 0 and 25),
  overdue_stop_amount minor_units check (overdue_stop_amount >= 0),
  overdue_stop_days integer check (overdue_stop_days >= 0),
  overdue_residue_amount minor_units check (overdue_residue_amount >= 0),
  overdue_grace_days integer check (overdue_grace_days >= 0),
  default_materiality_amount minor_units check (default_materiality_amount >= 0),
  confirmation_limit_days integer check (confirmation_limit_days between 1 and 365),
  authorization_limit_days integer check (authorization_limit_days between 1 and 365),
  price_table jsonb,
  expires_at unix_seconds,
  primary key (platform_id, buyer_external_id, version),
  check (approved_by <> set_by)
);

-- What stood is the first version, from its last change on. What it replaced was not recorded.
insert into credit_settings_versions (platform_id, buyer_external_id, version, valid_from, set_by, approved_by, reason,
  counts, tolerance_percent, overdue_stop_amount, overdue_stop_days, overdue_residue_amount, overdue_grace_days,
  default_materiality_amount, confirmation_limit_days, authorization_limit_days, price_table, expires_at)
select platform_id, buyer_external_id, 1, set_at, set_by, nullif(approved_by, set_by), reason,
  counts, tolerance_percent, overdue_stop_amount, overdue_stop_days, overdue_residue_amount, overdue_grace_days,
  default_materiality_amount, confirmation_limit_days, authorization_limit_days, price_table, expires_at
from credit_settings;
drop table credit_settings;

-- The settings of a platform. Its row has those of the last version.
create table platform_settings_versions (
  platform_id integer not null references platforms,
  -- The version of the platform that has these settings.
  version integer not null check (version >= 1),
  -- The platform's time. Until the next version.
  valid_from unix_seconds not null,
  -- The database's time, also where the platform's clock is ahead.
  recorded_at timestamptz not null default now(),
  set_by text not null,
  approved_by text,
  reason text,
  -- Every setting by its column, but the addresses of persons.
  settings jsonb not null,
  -- The addresses likewise, encrypted. Null: not recorded.
  addresses_sealed bytea,
  primary key (platform_id, version),
  check (approved_by <> set_by)
);

-- What stands. A platform that was never changed has had it from its beginning; of another it is known from now on.
insert into platform_settings_versions (platform_id, version, valid_from, set_by, settings)
select platform_id, version,
  case when version = 1 then created_at else extract(epoch from now())::bigint + clock_ahead_seconds end, 'migration',
  jsonb_build_object(
    'name', name, 'language', language, 'formality', formality, 'redirect_url', redirect_url,
    'checkout_origins', checkout_origins, 'logo_url', logo_url,
    'sends_checkout_invitations', sends_checkout_invitations, 'max_payment_term', max_payment_term,
    'financing_currencies', financing_currencies, 'collection_currencies', collection_currencies,
    'payout_term', payout_term, 'min_payout_business_day', min_payout_business_day,
    'has_erp_configuration', has_erp_configuration, 'enrolls_merchants', enrolls_merchants)
from platforms;

-- Why a policy was put in force. The reasons of before are in the audit log.
alter table credit_policy_activations add column reason text;

grant select, insert on credit_settings_versions, platform_settings_versions to tradeline_service;
