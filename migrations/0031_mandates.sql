-- Direct debit mandates of buyers.
create table mandates (
  platform_id integer not null,
  -- The unique mandate reference (EPC AT-01), as signed. Case does not matter.
  reference text not null check (reference ~ '^[A-Za-z0-9+?/:().,''-]{1,35}$'),
  buyer_external_id external_id not null,
  status text not null check (status in ('ACTIVE', 'REVOKED')),
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  signed_at unix_seconds not null,
  revoked_at unix_seconds,
  -- IBAN and account holder.
  account_sealed bytea not null,
  -- A keyed hash of the IBAN, to find the same account.
  iban_mac bytea not null,
  primary key (platform_id, reference),
  foreign key (platform_id, buyer_external_id) references buyers (platform_id, external_id),
  check ((status = 'REVOKED') = (revoked_at is not null))
);
create unique index mandates_by_reference on mandates (platform_id, upper(reference));
create unique index mandates_active_by_buyer on mandates (platform_id, buyer_external_id) where status = 'ACTIVE';
create index mandates_by_buyer on mandates (platform_id, buyer_external_id, created_at desc, reference);

create table mandate_transitions (
  platform_id integer not null,
  reference text not null,
  -- The version of the mandate after the transition.
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  transitioned_at unix_seconds not null,
  actor text not null,
  primary key (platform_id, reference, version),
  foreign key (platform_id, reference) references mandates (platform_id, reference)
);

-- Whether the buyer has an active mandate: written with the mandate, in one transaction.
alter table buyers add column has_active_mandate boolean not null default false;

grant select, insert, update on mandates to tradeline_service;
grant select, insert on mandate_transitions to tradeline_service;
