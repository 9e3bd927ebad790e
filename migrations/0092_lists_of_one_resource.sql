-- The lists of one resource's rows are walked by cursors too, each in the order of an index.
-- What happened to subscriptions is listed by their type, also of deleted ones, as it was recorded.
alter table webhook_subscription_transitions
  add column type text,
  add column ordinal bigint not null generated always as identity;
update webhook_subscription_transitions t set type = s.type from webhook_subscriptions s
where s.platform_id = t.platform_id and s.subscription_id = t.subscription_id;
alter table webhook_subscription_transitions alter column type set not null;
create index webhook_subscription_transitions_by_type on webhook_subscription_transitions (platform_id, type, ordinal);

create index webhook_subscriptions_by_status on webhook_subscriptions (platform_id, status, type, subscription_id);

drop index invoice_services_by_invoice;
create index invoice_services_by_invoice on invoice_services (platform_id, invoice_external_id, ordinal);

create index dunning_stops_promised on dunning_stops (platform_id, scope_external_id, ordinal)
  where scope = 'INVOICE' and cause = 'PROMISE';

-- A search for one letter or two has no trigram. Buyers change seldom.
create function short_grams(text text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct substr(text, start, length)), '{}')
  from generate_series(1, length(text)) start, generate_series(1, 2) length
$$;
create index buyers_by_short_grams on buyers using gin (platform_id, short_grams(search_text));

-- Filters and sorts of facilities by what orders do not change: an index of what each order changes would be written by each.
create index facilities_by_status on facilities (platform_id, status, created_at desc, buyer_external_id);
create index facilities_by_currency on facilities (platform_id, currency, created_at desc, buyer_external_id);
create index facilities_by_risk_band on facilities (platform_id, risk_band, created_at desc, buyer_external_id);
create index facilities_by_expires_at on facilities (platform_id, expires_at, buyer_external_id);
create index facilities_by_total_amount on facilities (platform_id, total_amount desc, buyer_external_id);
create index facility_pending_actions_by_type on facility_pending_actions (platform_id, type, buyer_external_id);
create index merchants_by_status on merchants (platform_id, status, created_at desc, external_id);
