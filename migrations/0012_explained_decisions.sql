-- Which decision a facility's state, an order's state and each transition of an order come from, and how long it took.

-- How long the assessment took, the answer of the risk source included. Null if no policy decided, and for older decisions.
alter table credit_decisions add column assessed_ms integer check (assessed_ms >= 0);
-- The decisions that replace one.
create index credit_decisions_replacing on credit_decisions (platform_id, overrides) where overrides is not null;

-- The last decision that settled whether, and how much, the buyer may owe.
alter table facilities add column decision_id uuid;
update facilities f set decision_id = t.decision_id
from (
  select distinct on (platform_id, buyer_external_id) platform_id, buyer_external_id, decision_id
  from facility_transitions
  where decision_id is not null and trigger in ('grant', 'refer', 'reject', 'renew', 'reject_renewal', 'increase', 'override')
  order by platform_id, buyer_external_id, version desc
) t
where t.platform_id = f.platform_id and t.buyer_external_id = f.buyer_external_id;

-- The last decision about the order, or about the facility that it waited for. Null if it needed none.
alter table orders add column decision_id uuid;
-- The decision that caused the transition.
alter table order_transitions add column decision_id uuid;
update order_transitions t set decision_id = r.final_decision_id
from credit_reviews r
where r.platform_id = t.platform_id and r.order_external_id = t.order_external_id
  and r.final_decision_id is not null and t.trigger in ('confirm', 'decline');
update orders o set decision_id = t.decision_id
from order_transitions t
where t.platform_id = o.platform_id and t.order_external_id = o.external_id and t.decision_id is not null;

-- A key with every scope has the new one too.
update api_keys set scopes = array_append(scopes, 'credit:read')
where scopes @> '{read,orders:write,invoices:write,payouts:write,webhooks:write,admin}' and not scopes @> '{credit:read}';
