-- Who speaks for a company in the checkout, and what a refused buyer can do.

-- The platform states that it knows the buyer of a draft, on its own account: under which name, when, and with which key.
alter table orders
  add column vouched_by external_id,
  add column vouched_at unix_seconds,
  add column vouched_actor text,
  add check ((vouched_by is null) = (vouched_at is null) and (vouched_by is null) = (vouched_actor is null));

-- The buyer itself named its company, in a checkout. The platform's addresses of such a buyer say nothing of that company.
-- Of earlier buyers only those are known whose facility began in a checkout.
alter table buyers add column is_company_entered boolean not null default false;
update buyers b set is_company_entered = true
from facility_transitions t
where t.platform_id = b.platform_id and t.buyer_external_id = b.external_id and t.version = 1 and t.actor = 'buyer';

-- The buyer entered the contact in a checkout. The platform never said that its address belongs to the company.
alter table contacts add column is_from_checkout boolean not null default false;
update contacts set is_from_checkout = true where external_id ~ '^checkout-[0-9a-f]{16}$';

-- A code confirms the address that it was sent to, and no other: a keyed hash of the address.
alter table checkout_codes add column email_mac bytea;
alter table checkout_sessions add column confirmed_email_mac bytea;

-- Reviews that buyers asked for after a refusal, one for each decision.
create table checkout_review_requests (
  platform_id integer not null,
  decision_id uuid not null,
  review_id uuid not null,
  order_external_id external_id not null,
  requested_at unix_seconds not null,
  -- The address, language and formality of the answer.
  email_sealed bytea not null,
  language text not null,
  formality text not null,
  -- When the answer was mailed.
  answered_at unix_seconds,
  primary key (platform_id, decision_id),
  foreign key (platform_id, decision_id) references credit_decisions (platform_id, decision_id),
  foreign key (platform_id, review_id) references credit_reviews (platform_id, review_id),
  foreign key (platform_id, order_external_id) references orders (platform_id, external_id)
);
create index checkout_review_requests_unanswered on checkout_review_requests (platform_id, review_id)
  where answered_at is null;

grant select, insert, update on checkout_review_requests to tradeline_service;
