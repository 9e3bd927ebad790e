-- When the freeze of a facility began that stands. It outlasts the period: only operators end it, and an EXPIRED facility is
-- not renewed before.
alter table facilities add column frozen_at unix_seconds;

-- Of facilities that expired, those that were frozen at that instant. One that was renewed since is as it is.
update facilities f set frozen_at = coalesce((
  select max(t.transitioned_at) from facility_transitions t
  where t.platform_id = f.platform_id and t.buyer_external_id = f.buyer_external_id
    and t.trigger in ('freeze', 'freeze_dissolved')
), f.updated_at)
where f.status = 'FROZEN' or f.status = 'EXPIRED' and 'FROZEN' = (
  select t.from_status from facility_transitions t
  where t.platform_id = f.platform_id and t.buyer_external_id = f.buyer_external_id and t.trigger = 'expire'
  order by t.version desc limit 1
);

alter table facilities add constraint facilities_frozen_at_check
  check (case status when 'FROZEN' then frozen_at is not null when 'EXPIRED' then true else frozen_at is null end);
