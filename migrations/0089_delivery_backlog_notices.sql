-- When support was last notified that the deliveries of a subscription wait. It is again after the next success.
alter table webhook_subscriptions add column backlog_notified_at timestamptz;
create index webhook_subscriptions_failing on webhook_subscriptions (platform_id, subscription_id)
  where status = 'ACTIVE' and last_outcome in ('FAILED', 'TIMEOUT');
