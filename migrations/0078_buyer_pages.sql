-- The buyer's own page: the sessions of browsers, and the codes that open them.
create table buyer_page_sessions (
  platform_id integer not null,
  buyer_external_id external_id not null,
  session_sha256 bytea not null check (octet_length(session_sha256) = 32),
  created_at unix_seconds not null,
  -- When a code was entered in it, and a keyed hash of the address to which that code was mailed.
  verified_at unix_seconds,
  email_mac bytea check ((email_mac is not null) = (verified_at is not null)),
  primary key (platform_id, buyer_external_id, session_sha256),
  foreign key (platform_id, buyer_external_id) references buyers (platform_id, external_id)
);
create index buyer_page_sessions_by_created_at on buyer_page_sessions (platform_id, created_at);

create table buyer_page_codes (
  platform_id integer not null,
  buyer_external_id external_id not null,
  code_number integer not null check (code_number >= 1),
  code_mac bytea not null,
  -- A keyed hash of the address to which it was mailed.
  email_mac bytea not null,
  sent_at unix_seconds not null,
  expires_at unix_seconds not null,
  attempts integer not null default 0,
  used_at unix_seconds,
  primary key (platform_id, buyer_external_id, code_number),
  foreign key (platform_id, buyer_external_id) references buyers (platform_id, external_id)
);
create index buyer_page_codes_by_sent_at on buyer_page_codes (platform_id, sent_at);

grant select, insert, update, delete on buyer_page_sessions, buyer_page_codes to tradeline_service;

-- A review that was asked for on the buyer's page is about no order.
alter table checkout_review_requests alter column order_external_id drop not null;

create index late_charges_open_by_buyer on late_charges (platform_id, buyer_external_id, invoice_external_id)
  where status = 'OPEN';
