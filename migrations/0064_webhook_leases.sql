-- A claimed delivery is a row of a small table of its own. In the large one, each claim wrote an entry of five indexes.

-- Attempts under way. A lease that has ended belonged to a worker that was killed: it is deleted, and the delivery is due again.
-- There is no foreign key, whose check would lock, and so write, each delivery that is claimed.
create table webhook_leases (
  platform_id integer not null,
  delivery_id bigint not null,
  subscription_id uuid not null,
  leased_until timestamptz not null,
  primary key (platform_id, delivery_id)
) with (fillfactor = 50);

-- A delivery that was claimed is due when its lease would have ended: until now, that was its next attempt.
alter table webhook_deliveries drop column leased_until;
grant select, insert, update, delete on webhook_leases to tradeline_service;
