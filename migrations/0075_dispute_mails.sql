-- What happened before is not told.
insert into event_followers (platform_id, follower, position_last)
select platform_id, 'dispute_mails', position_last from event_positions
on conflict do nothing;
