-- Credit policies, the decisions made with them, and the cases that a person decides.

-- Append-only: a version never changes, so that a decision can be explained by the one it names.
create table credit_policies (
  platform_id integer not null references platforms,
  version integer not null check (version >= 1),
  name text not null,
  -- A decision graph in the JSON Decision Model of GoRules, as its editor reads it.
  graph json not null,
  sha256 bytea not null,
  created_at unix_seconds not null,
  created_by text not null,
  primary key (platform_id, version)
);

-- Append-only: the last one names the version in force.
create table credit_policy_activations (
  platform_id integer not null,
  activation integer not null check (activation >= 1),
  version integer not null,
  activated_at unix_seconds not null,
  activated_by text not null,
  approved_by text,
  primary key (platform_id, activation),
  foreign key (platform_id, version) references credit_policies (platform_id, version),
  check (approved_by <> activated_by)
);

-- Append-only: who decided what, from which facts, by which rules. No personal data is in any of its columns.
create table credit_decisions (
  platform_id integer not null,
  decision_id uuid not null,
  subject text not null check (subject in ('FACILITY_CREATION', 'FACILITY_RENEWAL', 'FACILITY_INCREASE', 'ORDER')),
  buyer_external_id external_id not null,
  order_external_id external_id,
  outcome text not null check (outcome in ('ACCEPT', 'REJECT', 'REFER')),
  currency text not null,
  limit_minor minor_units,
  requested_minor minor_units,
  risk_band text,
  price_class text,
  reasons text[] not null,
  buyer_reasons text[] not null,
  -- Null where no policy was asked: a person decided.
  policy_version integer,
  inputs jsonb,
  sources jsonb not null default '[]',
  rules_fired jsonb not null default '[]',
  -- The sandbox script that decided instead of the policy.
  script text,
  -- The decision that a person's one takes the place of.
  overrides uuid,
  -- Why a person decided so.
  comment text,
  actor text not null,
  approved_by text,
  decided_at unix_seconds not null,
  primary key (platform_id, decision_id),
  foreign key (platform_id, buyer_external_id) references buyers (platform_id, external_id),
  foreign key (platform_id, policy_version) references credit_policies (platform_id, version),
  foreign key (platform_id, overrides) references credit_decisions (platform_id, decision_id),
  check ((outcome = 'ACCEPT') <= (limit_minor is not null and limit_minor > 0))
);
create index credit_decisions_by_buyer on credit_decisions (platform_id, buyer_external_id, decided_at, decision_id);
create index credit_decisions_by_time on credit_decisions (platform_id, decided_at, decision_id);

create table credit_reviews (
  platform_id integer not null,
  review_id uuid not null,
  status text not null check (status in ('OPEN', 'AWAITING_APPROVAL', 'DECIDED', 'WITHDRAWN')),
  version integer not null default 1,
  subject text not null check (subject in ('FACILITY_CREATION', 'FACILITY_RENEWAL', 'FACILITY_INCREASE', 'ORDER')),
  buyer_external_id external_id not null,
  order_external_id external_id,
  -- The decision that this case came from, and what it said. Null for an order that is reviewed without one.
  decision_id uuid,
  automatic_outcome text check (automatic_outcome in ('REFER', 'REJECT')),
  currency text not null,
  requested_minor minor_units,
  -- What the policy proposed, where it did.
  limit_minor minor_units,
  reasons text[] not null,
  opened_at unix_seconds not null,
  updated_at unix_seconds not null,
  -- An override that waits for a second person.
  proposed_limit_minor minor_units,
  proposed_by text,
  -- How it ended.
  outcome text check (outcome in ('ACCEPT', 'REJECT')),
  decided_limit_minor minor_units,
  decided_by text,
  final_decision_id uuid,
  scripted_outcome text check (scripted_outcome in ('ACCEPT', 'REJECT')),
  scripted_at unix_seconds,
  primary key (platform_id, review_id),
  foreign key (platform_id, buyer_external_id) references buyers (platform_id, external_id),
  foreign key (platform_id, decision_id) references credit_decisions (platform_id, decision_id),
  foreign key (platform_id, final_decision_id) references credit_decisions (platform_id, decision_id),
  check ((status = 'DECIDED') = (outcome is not null)),
  check ((status = 'AWAITING_APPROVAL') <= (proposed_by is not null))
);
create index credit_reviews_by_status on credit_reviews (platform_id, status, opened_at, review_id);
create index credit_reviews_by_buyer on credit_reviews (platform_id, buyer_external_id, opened_at, review_id);
create index credit_reviews_scripted on credit_reviews (platform_id, scripted_at) where scripted_at is not null;

-- Append-only: every move of a case, who made it, and why.
create table credit_review_moves (
  platform_id integer not null,
  review_id uuid not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  limit_minor minor_units,
  moved_at unix_seconds not null,
  actor text not null,
  reason text not null,
  primary key (platform_id, review_id, version),
  foreign key (platform_id, review_id) references credit_reviews (platform_id, review_id)
);

grant select, insert on credit_policies, credit_policy_activations, credit_decisions, credit_review_moves to tradeline_service;
grant select, insert, update on credit_reviews to tradeline_service;
