-- Null: each buyer is written to in the language of its country. Platforms keep what they have.
alter table platforms alter column language drop not null, alter column language drop default;

-- Off: an operator enrols each new merchant.
alter table platforms add column enrolls_merchants boolean not null default true;

-- From this migration on; what merchants went through before was not recorded.
create table merchant_transitions (
  platform_id integer not null,
  merchant_external_id external_id not null,
  -- The version of the merchant after the transition.
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  transitioned_at unix_seconds not null,
  actor text not null,
  reason text,
  primary key (platform_id, merchant_external_id, version),
  foreign key (platform_id, merchant_external_id) references merchants (platform_id, external_id)
);

-- Whether the support of the platform has heard of it. Nothing that happened before this migration is reported.
alter table webhook_subscriptions add column is_support_notified boolean not null default true;
alter table mails add column is_support_notified boolean not null default true;
alter table credit_reviews add column is_support_notified boolean not null default true;
alter table webhook_subscriptions alter column is_support_notified set default false;
alter table mails alter column is_support_notified set default false;
alter table credit_reviews alter column is_support_notified set default false;
create index webhook_subscriptions_to_report on webhook_subscriptions (platform_id, subscription_id)
  where status = 'DISABLED' and not is_support_notified;
create index mails_to_report on mails (platform_id, mail_id) where status = 'FAILED' and not is_support_notified;
create index credit_reviews_to_report on credit_reviews (opened_at, platform_id, review_id)
  where status in ('OPEN', 'AWAITING_APPROVAL') and not is_support_notified;

grant select, insert on merchant_transitions to tradeline_service;
