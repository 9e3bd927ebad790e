-- works from 0094
-- Workers look every second for what is due on any platform. Each look reads what is due, and nothing of idle platforms.
create index orders_due on orders (expires_at, platform_id) where expires_at is not null;
create index invoices_due on invoices (falls_due_at, platform_id) where falls_due_at is not null;
create index invoices_default_due on invoices (defaults_at, platform_id) where defaults_at is not null;
create index invoices_dunning_due on invoices (dunning_at, platform_id) where dunning_at is not null;
create index invoices_late_payment_due on invoices (greatest(due_at::bigint + 864000, created_at::bigint), platform_id)
  where payment_script = 'pays-late' and outstanding_amount::bigint > 0;
alter index invoices_late_payment_due alter column 1 set statistics 30;
create index facilities_renewal_due on facilities (renewal_due_at, platform_id) where status = 'ACTIVE' and renewal_due_at is not null;
create index facilities_expiry_due on facilities (expires_at, platform_id) where status in ('ACTIVE', 'FROZEN');
create index credit_reviews_due on credit_reviews (scripted_at, platform_id) where scripted_at is not null;
create index dunning_rescans_due on dunning_rescans (due_at, platform_id);
create index dunning_mailings_due on dunning_mailings (check_at, platform_id) where check_at is not null;
create index invoice_services_due on invoice_services (examine_at, platform_id) where examine_at is not null;
create index payouts_due on payouts (nets_at, platform_id) where nets_at is not null;
create index merchant_accounts_due on merchant_accounts (pays_at, platform_id) where pays_at is not null;

-- Platforms of a sandbox with a clock of their own.
create index platforms_ahead on platforms (platform_id) where clock_ahead_seconds > 0;

-- A platform has a run from its first verified account on, so that a look for runs finds the first one as well.
create index payout_runs_due on payout_runs (next_at, platform_id);
insert into payout_runs (platform_id, next_at)
  select distinct platform_id, 0 from payout_instructions where status = 'VERIFIED' on conflict do nothing;
create function begin_payout_run() returns trigger language plpgsql as $$
begin
  insert into payout_runs (platform_id, next_at) values (new.platform_id, 0) on conflict do nothing;
  return null;
end $$;
create trigger payout_run_begins after insert or update of status on payout_instructions
  for each row when (new.status = 'VERIFIED') execute function begin_payout_run();

-- Whether all followers of the stream have read its events. Numbering events unsets it.
alter table event_positions add column is_followed boolean not null default false;
create index event_positions_to_follow on event_positions (platform_id) where not is_followed;
