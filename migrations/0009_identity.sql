-- Who a company is, and who applies for it: what a decision reads beside the buyer.

-- Being wound up, as its registry says. Such a company is still active.
alter table registry_companies add column is_in_liquidation boolean not null default false;

-- When the name or the numbers of the buyer last changed other than with its registry. A person's confirmation of the
-- buyer does not outlive it; null: never.
alter table buyers add column identity_changed_at unix_seconds;

-- The registry company that the last decision by the policy found; null: none. Its end freezes the facility.
alter table facilities add column registry_company_id bigint;
create index facilities_by_registry_company on facilities (registry_company_id, platform_id, buyer_external_id)
  where registry_company_id is not null;

-- Every application for credit, for as long as applications are counted. Keys are keyed hashes: of the company's number,
-- of the domain of the applicant's e-mail address, and of the address of the delivery.
create table credit_applications (
  platform_id integer not null references platforms,
  application_id uuid not null,
  applied_at unix_seconds not null,
  company_key bytea,
  email_domain_key bytea,
  address_key bytea,
  primary key (platform_id, application_id)
);
create index credit_applications_by_company on credit_applications (platform_id, company_key, applied_at)
  where company_key is not null;
create index credit_applications_by_email_domain on credit_applications (platform_id, email_domain_key, applied_at)
  where email_domain_key is not null;
create index credit_applications_by_address on credit_applications (platform_id, address_key, applied_at)
  where address_key is not null;
-- Those that are no longer counted are forgotten.
create index credit_applications_by_time on credit_applications (platform_id, applied_at);

grant select, insert, delete on credit_applications to tradeline_service;
