-- A file that a buyer sent with a dispute.
alter table invoice_files drop constraint invoice_files_kind_check;
alter table invoice_files add constraint invoice_files_kind_check
  check (kind in ('INVOICE', 'CREDIT_NOTE', 'PERFORMANCE_PROOF', 'CONTRACT', 'DISPUTE', 'OTHER'));

-- A file that came with a form of the buyer's page, until the form is without errors.
create table buyer_page_files (
  platform_id integer not null,
  buyer_external_id external_id not null,
  -- The form: made when the page with it was opened.
  form_id uuid not null,
  file_id uuid not null,
  media_type text not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  name_sealed bytea not null,
  created_at unix_seconds not null,
  ordinal bigint not null generated always as identity,
  primary key (platform_id, buyer_external_id, file_id),
  -- A form that is sent again brings its files again.
  unique (platform_id, buyer_external_id, form_id, sha256),
  foreign key (platform_id, buyer_external_id) references buyers (platform_id, external_id),
  foreign key (platform_id, file_id) references files (platform_id, file_id)
);
create index buyer_page_files_by_created_at on buyer_page_files (platform_id, created_at);

grant select, insert, delete on buyer_page_files to tradeline_service;
