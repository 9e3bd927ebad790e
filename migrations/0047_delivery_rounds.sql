-- Deliveries that are made again: each round is a window of attempts of its own.
alter table webhook_deliveries
  add round integer not null default 1 check (round >= 1),
  -- When the window of the round began.
  add waiting_since timestamptz not null default now();
update webhook_deliveries set waiting_since = created_at;

-- An event is delivered once to a subscription, whatever recovers it at the same time.
create unique index webhook_deliveries_by_event_and_subscription on webhook_deliveries (platform_id, event_id, subscription_id);
drop index webhook_deliveries_by_event;

alter table webhook_attempts
  add round integer not null default 1,
  -- The url and the address that were tried; the address is null if there was no connection.
  add url text,
  add address text,
  -- The first 4 KB of the answer.
  add answer_sealed bytea,
  drop constraint webhook_attempts_pkey,
  add primary key (platform_id, delivery_id, round, attempt);

-- Subscriptions whose missed deliveries are being made.
create table webhook_recoveries (
  platform_id integer not null,
  subscription_id uuid not null,
  requested_at timestamptz not null default now(),
  -- The first event that is still to be looked at.
  position_next bigint not null check (position_next >= 1),
  -- The last one; null until every transaction that was open at the request has ended.
  position_until bigint,
  primary key (platform_id, subscription_id),
  foreign key (platform_id, subscription_id) references webhook_subscriptions (platform_id, subscription_id)
);
grant select, insert, update, delete on webhook_recoveries to tradeline_service;
