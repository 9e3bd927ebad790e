-- The reference rates of late payment that operators have updated, beside those that come with the program.
create table reference_rate_versions (
  platform_id integer not null references platforms,
  version integer not null check (version >= 1),
  -- The platform's time. Until the next version.
  valid_from unix_seconds not null,
  -- The database's time, also where the platform's clock is ahead.
  recorded_at timestamptz not null default now(),
  set_by text not null,
  approved_by text,
  reason text,
  -- All updates so far, together.
  rates jsonb not null,
  primary key (platform_id, version),
  check (approved_by <> set_by)
);
grant select, insert on reference_rate_versions to tradeline_service;
