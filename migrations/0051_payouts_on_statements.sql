-- Statements confirm payouts, and say which came back.
update bank_transactions set takes_back = true where is_return;
alter table bank_transactions drop column is_return;
alter table bank_matches drop constraint bank_matches_kind_check,
  add check (kind in ('PAYMENT', 'CHARGE', 'REVERSAL', 'PAYOUT')),
  add column payout_external_id external_id;
create index bank_matches_by_payout on bank_matches (platform_id, payout_external_id) where payout_external_id is not null;
