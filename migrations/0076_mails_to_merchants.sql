-- What happened before is not mailed.
insert into event_followers (platform_id, follower, position_last)
select p.platform_id, f.follower, p.position_last
from event_positions p cross join (values ('facility_mails'), ('merchant_mails')) f (follower)
on conflict do nothing;

-- Addresses that were removed lately hear of changed bank details.
alter table merchants add column former_emails_sealed bytea;
alter table merchants add column emails_changed_at unix_seconds;

-- Support hears of each queued transaction once.
alter table bank_transactions add column is_support_notified boolean not null default false;
