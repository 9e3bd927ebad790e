-- Changes that wait for a second operator, and a bound for the tolerance.

create table approvals (
  platform_id integer not null references platforms,
  approval_id uuid not null,
  status text not null check (status in ('PROPOSED', 'APPROVED', 'REJECTED', 'WITHDRAWN')),
  kind text not null,
  subject text not null,
  -- What the change is made from when it is approved.
  payload jsonb not null,
  -- What it changes, as the proposer saw it.
  before jsonb,
  after jsonb,
  proposed_at unix_seconds not null,
  proposed_by text not null,
  reason text not null,
  decided_at unix_seconds,
  decided_by text,
  decision_reason text,
  primary key (platform_id, approval_id),
  check ((status = 'PROPOSED') = (decided_by is null)),
  check (status <> 'APPROVED' or decided_by <> proposed_by)
);
create index approvals_by_status on approvals (platform_id, status, proposed_at, approval_id);

-- More than a quarter beyond the limit is another limit, not a tolerance.
update credit_settings set tolerance_percent = 25 where tolerance_percent > 25;
alter table credit_settings drop constraint credit_settings_tolerance_percent_check;
alter table credit_settings add constraint credit_settings_tolerance_percent_check
  check (tolerance_percent between 0 and 25);

-- The second operator, where the settings raised what can be owed.
alter table credit_settings add column approved_by text;

grant select, insert, update on approvals to tradeline_service;
