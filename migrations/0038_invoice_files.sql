-- Files of invoices. The content is in files.
create table invoice_files (
  platform_id integer not null,
  invoice_external_id external_id not null,
  external_id external_id not null,
  file_id uuid not null,
  kind text not null check (kind in ('INVOICE', 'CREDIT_NOTE', 'PERFORMANCE_PROOF', 'CONTRACT', 'OTHER')),
  media_type text not null,
  -- Names have names of persons in them.
  name_sealed bytea not null,
  created_at unix_seconds not null,
  actor text not null,
  primary key (platform_id, invoice_external_id, external_id),
  foreign key (platform_id, invoice_external_id) references invoices (platform_id, external_id),
  foreign key (platform_id, file_id) references files (platform_id, file_id)
);

grant select, insert, delete on invoice_files to tradeline_service;
