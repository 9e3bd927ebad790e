-- Deliveries are claimed by walking what is due, and share the worker's slots fairly.

alter table webhook_subscriptions
  -- How the last attempt ended; null before the first one to this url.
  add last_outcome text check (last_outcome in ('DELIVERED', 'FAILED', 'TIMEOUT')),
  -- Scheme, host and port of the url: receivers behind one origin share its slots.
  add origin text not null generated always as (lower(substring(url from '^[^/]+//[^/?#]+'))) stored;
update webhook_subscriptions s set last_outcome = 'DELIVERED'
where exists (
  select from webhook_deliveries d
  where d.platform_id = s.platform_id and d.subscription_id = s.subscription_id and d.status = 'DELIVERED'
);

alter table webhook_deliveries
  -- Due, and waiting for a slot of its receiver: the walk over what is due leaves it out.
  add is_held boolean not null default false;
create index webhook_deliveries_to_claim on webhook_deliveries (next_attempt_at) where status = 'PENDING' and not is_held;
create index webhook_deliveries_held on webhook_deliveries (platform_id, subscription_id, next_attempt_at)
  where status = 'PENDING' and is_held;
