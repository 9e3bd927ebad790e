-- Answers of banks to our payments (pain.002): rejections, and those of which a person must say what they mean.
create table bank_answers (
  platform_id integer not null references platforms,
  answer_id uuid not null,
  -- A keyed hash of all that the answer says, by which it counts once.
  identity_mac bytea not null,
  -- The names of file, batch and payment, status and reason.
  details_sealed bytea not null,
  -- Why a person must look at it; null for one that was applied.
  queue_reason text check (queue_reason in ('NOT_OURS', 'OTHER_FILE', 'PAID_BEFORE')),
  created_at unix_seconds not null,
  actor text not null,
  resolved_at unix_seconds,
  resolved_by text,
  resolution text,
  primary key (platform_id, answer_id),
  check ((resolved_at is null) = (resolved_by is null) and (resolved_at is null) = (resolution is null)),
  check (resolved_at is null or queue_reason is not null)
);
create unique index bank_answers_by_identity on bank_answers (platform_id, identity_mac);
create index bank_answers_queued on bank_answers (platform_id, created_at, answer_id)
  where queue_reason is not null and resolved_at is null;

grant select, insert, update on bank_answers to tradeline_service;
