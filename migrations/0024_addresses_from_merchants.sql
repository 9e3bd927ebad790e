-- Whether an address was set by a key that is restricted to a merchant: it proves nobody to the platform.
alter table buyers add column is_email_from_merchant boolean not null default false;
alter table contacts add column is_email_from_merchant boolean not null default false;
alter table orders add column is_email_from_merchant boolean not null default false;

-- Which key set an address of before is not known, where the platform has had such keys.
update buyers set is_email_from_merchant = true where contact_email_sealed is not null
  and platform_id in (select platform_id from api_keys where merchant_external_id is not null);
update contacts set is_email_from_merchant = true where not is_from_checkout
  and platform_id in (select platform_id from api_keys where merchant_external_id is not null);
update orders set is_email_from_merchant = true where status = 'DRAFT' and contact_email_sealed is not null
  and platform_id in (select platform_id from api_keys where merchant_external_id is not null);
