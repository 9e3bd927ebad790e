-- The language in which a buyer last placed an order in the checkout.
alter table buyers add column checkout_language text;
update buyers b set checkout_language = chosen.language
from (
  select distinct on (o.platform_id, o.buyer_external_id) o.platform_id, o.buyer_external_id, c.language
  from checkout_consents c
  join orders o on o.platform_id = c.platform_id and o.external_id = c.order_external_id
  order by o.platform_id, o.buyer_external_id, c.consented_at desc
) chosen
where b.platform_id = chosen.platform_id and b.external_id = chosen.buyer_external_id;

-- Addresses that a mail server refused for good, as keyed hashes: buyers are written to at another one.
create table refused_addresses (
  platform_id integer not null references platforms,
  address_mac bytea not null,
  refused_at timestamptz not null default now(),
  primary key (platform_id, address_mac)
);
grant insert, select, delete on refused_addresses to tradeline_service;

-- What happened before is not told.
insert into event_followers (platform_id, follower, position_last)
select platform_id, 'invoice_mails', position_last from event_positions
on conflict do nothing;
