-- Bank accounts of merchants that payouts go to.
create table payout_instructions (
  platform_id integer not null,
  external_id external_id not null,
  merchant_external_id external_id not null,
  type text not null check (type in ('SEPA', 'FPS', 'SWIFT')),
  -- A deleted one keeps its row: payouts were made to it.
  status text not null check (status in ('UNVERIFIED', 'VERIFIED', 'REJECTED', 'DELETED')),
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  -- Payouts wait until then, however early the account is verified.
  payable_from unix_seconds not null,
  -- The beneficiary and the account.
  details_sealed bytea not null,
  -- A keyed hash of the account, to find the same one at other merchants.
  account_mac bytea not null,
  primary key (platform_id, external_id),
  foreign key (platform_id, merchant_external_id) references merchants (platform_id, external_id)
);
create index payout_instructions_by_merchant on payout_instructions
  (platform_id, merchant_external_id, created_at desc, external_id) where status <> 'DELETED';
create index payout_instructions_by_type on payout_instructions
  (platform_id, type, created_at desc, external_id) where status <> 'DELETED';
create index payout_instructions_by_status on payout_instructions (platform_id, status, created_at desc, external_id);
create index payout_instructions_by_account on payout_instructions (platform_id, account_mac);

create table payout_instruction_transitions (
  platform_id integer not null,
  external_id external_id not null,
  -- The version of the instruction after the transition.
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  transitioned_at unix_seconds not null,
  actor text not null,
  approved_by text,
  reason text,
  -- What the check of the holder's name said.
  name_check text check (name_check in ('MATCH', 'CLOSE_MATCH', 'NOT_AVAILABLE')),
  -- The account of this version as it is shown to operators: its beginning and its end.
  account_masked text not null,
  primary key (platform_id, external_id, version),
  foreign key (platform_id, external_id) references payout_instructions (platform_id, external_id)
);

grant select, insert, update on payout_instructions to tradeline_service;
grant select, insert on payout_instruction_transitions to tradeline_service;
