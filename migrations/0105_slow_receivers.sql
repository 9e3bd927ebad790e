-- works from 0104
-- A success that took seconds. The version before counts such a receiver among those that fail until its next attempt.
alter table webhook_subscriptions drop constraint webhook_subscriptions_last_outcome_check;
alter table webhook_subscriptions
  add constraint webhook_subscriptions_last_outcome_check check (last_outcome in ('DELIVERED', 'SLOW', 'FAILED', 'TIMEOUT'));

-- What is held of a subscription is taken in this order: live events before what is recovered.
drop index webhook_deliveries_held;
create index webhook_deliveries_held on webhook_deliveries (platform_id, subscription_id, is_recovered, next_attempt_at)
  where status = 'PENDING' and is_held;
