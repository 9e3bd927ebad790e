-- A company may have any number of buyers whose application was rejected: a decision about one of its buyers reads only those that
-- hold credit or apply for it.
alter table buyer_entity_keys add column is_counted boolean not null default true;
update buyer_entity_keys k set is_counted = false
from facilities f
where f.platform_id = k.platform_id and f.buyer_external_id = k.buyer_external_id and f.status = 'REJECTED';
create index buyer_entity_keys_counted on buyer_entity_keys (platform_id, entity_key, buyer_external_id) where is_counted;

-- A key that is added to a rejected buyer counts until the next transition, as before.
create function count_in_entity() returns trigger language plpgsql as $$
begin
  update buyer_entity_keys k set is_counted = (new.status <> 'REJECTED')
  where k.platform_id = new.platform_id and k.buyer_external_id = new.buyer_external_id;
  return null;
end $$;
create trigger count_in_entity after update on facilities for each row
  when ((new.status = 'REJECTED') <> (old.status = 'REJECTED'))
  execute function count_in_entity();
create trigger count_in_entity_when_rejected after insert on facilities for each row
  when (new.status = 'REJECTED')
  execute function count_in_entity();
grant update (is_counted) on buyer_entity_keys to tradeline_service;
