-- The credit decision that a checkout requested: a checkout requests one increase, and shows why it was refused. Null before
-- it, and where no decision could be made. The decision is recorded later in the same transaction.
alter table checkouts
  add column credit_decision_id uuid,
  add foreign key (platform_id, credit_decision_id) references credit_decisions (platform_id, decision_id)
    deferrable initially deferred;
