-- What happened to webhook subscriptions, and who did it. Rows are only inserted.
create table webhook_subscription_transitions (
  platform_id integer not null,
  subscription_id uuid not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  transitioned_at unix_seconds not null,
  actor text not null,
  -- The url after it.
  url text not null,
  -- Of a disabling: why the last attempt failed.
  failure text,
  primary key (platform_id, subscription_id, version),
  foreign key (platform_id, subscription_id) references webhook_subscriptions (platform_id, subscription_id)
);

-- How well a receiver does. The last success is noted every 10 seconds at most, so that deliveries do not wait for this row.
alter table webhook_subscriptions
  add last_success_at timestamptz,
  add failures_in_row integer not null default 0;
update webhook_subscriptions s set failures_in_row = windows_lost, last_success_at = (
  select max(d.finished_at) from webhook_deliveries d
  where d.platform_id = s.platform_id and d.subscription_id = s.subscription_id and d.status = 'DELIVERED');

grant select, insert on webhook_subscription_transitions to tradeline_service;
