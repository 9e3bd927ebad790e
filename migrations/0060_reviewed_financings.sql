-- Financing that a person decides.

alter table platforms add column financing_review text not null default 'NEVER'
  check (financing_review in ('NEVER', 'UNREADABLE_FILES', 'ALWAYS'));

alter table invoice_services
  -- The file that the undecided review of a financing is about; null if none is undecided.
  add column review_file_id uuid,
  -- The file with which a person accepted the financing. Another one is reviewed again.
  add column approved_file_id uuid;

alter table credit_decisions drop constraint credit_decisions_subject_check;
alter table credit_decisions
  add column service_external_id external_id,
  add constraint credit_decisions_subject_check check (subject in ('FACILITY_CREATION', 'FACILITY_RENEWAL',
    'FACILITY_INCREASE', 'ORDER', 'FINANCING')),
  add check ((subject = 'FINANCING') = (service_external_id is not null)),
  add foreign key (platform_id, service_external_id) references invoice_services (platform_id, external_id);

alter table credit_reviews drop constraint credit_reviews_subject_check;
alter table credit_reviews
  add column service_external_id external_id,
  add constraint credit_reviews_subject_check check (subject in ('FACILITY_CREATION', 'FACILITY_RENEWAL',
    'FACILITY_INCREASE', 'ORDER', 'FINANCING')),
  add check ((subject = 'FINANCING') = (service_external_id is not null)),
  add foreign key (platform_id, service_external_id) references invoice_services (platform_id, external_id);
create index credit_reviews_by_service on credit_reviews (platform_id, service_external_id)
  where service_external_id is not null;
