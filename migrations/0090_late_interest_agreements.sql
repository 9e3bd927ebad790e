-- Rates of late interest above the law's to which buyers have agreed. A later one replaces an earlier one; rows are never changed.
create table late_interest_agreements (
  platform_id integer not null,
  agreement_id uuid not null,
  buyer_external_id text not null,
  basis_points integer not null check (basis_points between 0 and 9999),
  -- It holds for invoices of this day and later ones.
  agreed_on calendar_day not null,
  -- The document and its clause, as it is cited to the buyer.
  source text not null check (source <> ''),
  recorded_at unix_seconds not null,
  recorded_by text not null,
  ordinal bigint generated always as identity,
  primary key (platform_id, agreement_id),
  foreign key (platform_id) references platforms
);
create index late_interest_agreements_of_buyer on late_interest_agreements
  (platform_id, buyer_external_id, agreed_on desc, ordinal desc);
grant select, insert on late_interest_agreements to tradeline_service;
