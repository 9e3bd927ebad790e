-- Whose invoices there is a plan of reminders for: no other invoice is looked at.
create table reminded_parties (
  platform_id integer not null references platforms,
  -- Empty for all merchants, and for all buyers.
  merchant_external_id text not null,
  buyer_external_id text not null,
  primary key (platform_id, merchant_external_id, buyer_external_id),
  check (merchant_external_id = '' or buyer_external_id = '')
);
grant select, insert, delete on reminded_parties to tradeline_service;

insert into reminded_parties (platform_id, merchant_external_id, buyer_external_id)
select platform_id, merchant_external_id, buyer_external_id from (
  select distinct on (platform_id, merchant_external_id, buyer_external_id) platform_id, merchant_external_id,
    buyer_external_id, plan
  from dunning_plan_versions
  order by platform_id, merchant_external_id, buyer_external_id, version desc
) v where v.plan is not null;

-- Reminders that are under way are looked at once more, so that they end.
update invoices i set dunning_at = null
where i.dunning_at is not null
  and not exists (
    select from reminded_parties r
    where r.platform_id = i.platform_id and (
      r.merchant_external_id in ('', i.merchant_external_id) and r.buyer_external_id = ''
      or r.merchant_external_id = '' and r.buyer_external_id = i.buyer_external_id
    )
  )
  and not exists (
    select from invoice_dunnings d
    where d.platform_id = i.platform_id and d.invoice_external_id = i.external_id and d.status <> 'ENDED'
  );
