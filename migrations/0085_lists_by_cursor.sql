-- Reviews are listed by their status, OPEN first, and the oldest first among those of one status.
alter table credit_reviews add column list_order bigint not null generated always as (
  (case status when 'OPEN' then 0 when 'AWAITING_APPROVAL' then 1 when 'DECIDED' then 2 else 3 end)::bigint * 1000000000000
  + opened_at
) stored;
drop index credit_reviews_by_status;
create index credit_reviews_by_status on credit_reviews (platform_id, status, list_order, review_id);

-- Decisions are listed the latest first.
drop index credit_decisions_by_buyer;
create index credit_decisions_by_buyer on credit_decisions (platform_id, buyer_external_id, decided_at desc, decision_id);
