-- A change of a plan or a stop, for which invoices are still to be read: the next batch of them.
create table dunning_rescans (
  platform_id integer not null references platforms,
  -- Of the next batch: each has its own.
  rescan_id text not null,
  due_at unix_seconds not null,
  scope text not null check (scope in ('PLATFORM', 'MERCHANT', 'BUYER')),
  -- Empty for the platform.
  scope_external_id text not null check ((scope_external_id = '') = (scope = 'PLATFORM')),
  -- Invoices of this status are read, the latest first, then those of the next.
  status text not null check (status in ('OPEN', 'DUE')),
  -- The last invoice read. Null before the first.
  last_created_at unix_seconds,
  last_external_id text,
  primary key (platform_id, rescan_id),
  check ((last_created_at is null) = (last_external_id is null))
);
create index dunning_rescans_by_due_at on dunning_rescans (platform_id, due_at, rescan_id);

grant select, insert, update, delete on dunning_rescans to tradeline_service;
