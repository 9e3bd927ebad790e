-- What the financing of invoices needs: the fees of services, when a default counts, and what is looked at again.

-- The prices of services and the taxes of their fees, in versions that nothing changes or deletes.
create table service_fee_versions (
  platform_id integer not null references platforms,
  version integer not null check (version >= 1),
  -- The platform's time. Until the next version.
  valid_from unix_seconds not null,
  -- The database's time, also where the platform's clock is ahead.
  recorded_at timestamptz not null default now(),
  set_by text not null,
  approved_by text,
  reason text,
  fees jsonb not null,
  primary key (platform_id, version),
  check (approved_by <> set_by)
);
grant select, insert on service_fee_versions to tradeline_service;

-- A financing defaults when its invoice is more days past due.
alter table platforms add column financing_default_days integer not null default 90
  check (financing_default_days between 1 and 3650);

-- What was written off of the goods that a financed invoice claims. What is paid beyond the rest is a recovery.
alter table invoices add column written_off_amount minor_units not null default 0
  check (written_off_amount between 0 and amount_gross);

alter table invoice_services
  -- Services of one second are listed in the order in which they were requested.
  add column ordinal bigint not null generated always as identity,
  -- What the invoice used of the facility only because of this service: an order had not reserved it.
  add column credit_amount minor_units not null default 0 check (credit_amount >= 0),
  add column written_off_at unix_seconds;

alter table facility_ledger drop constraint facility_ledger_cause_check;
alter table facility_ledger add constraint facility_ledger_cause_check check (cause in ('LIMIT_GRANTED', 'LIMIT_CHANGED',
  'EXPIRED', 'RENEWED', 'ORDER_RESERVED', 'ORDER_FREED', 'ORDER_INVOICED', 'INVOICE_FINANCED', 'INVOICE_FREED',
  'INVOICE_PAID', 'INVOICE_CREDITED', 'INVOICE_CANCELLED', 'INVOICE_REOPENED', 'FINANCING_CANCELLED'));

-- A service that waits is examined again when what it waits for changes. The statement that changes it says so, whichever
-- it is, and the schedule examines. The conditions keep all other changes free of cost.
create index invoice_services_waiting_of_buyer on invoice_services (platform_id, buyer_external_id)
  where status = 'IN_REVIEW';
create index invoice_services_waiting_of_merchant on invoice_services (platform_id, merchant_external_id)
  where status = 'IN_REVIEW';

create function examine_services_of_invoice() returns trigger language plpgsql as $$
begin
  update invoice_services s set examine_at = least(s.examine_at, greatest(s.updated_at, new.updated_at))
  where s.platform_id = new.platform_id and s.invoice_external_id = new.external_id and s.examine_at is not null;
  return null;
end $$;
create trigger examine_services after update on invoices for each row
  when (new.active_services > 0 and (old.status, old.due_on, old.paid_amount, old.credited_amount)
    is distinct from (new.status, new.due_on, new.paid_amount, new.credited_amount))
  execute function examine_services_of_invoice();

create function examine_services_of_file() returns trigger language plpgsql as $$
begin
  update invoice_services s set examine_at = least(s.examine_at, greatest(s.updated_at, new.created_at))
  where s.platform_id = new.platform_id and s.invoice_external_id = new.invoice_external_id and s.examine_at is not null;
  return null;
end $$;
create trigger examine_services after insert on invoice_files for each row execute function examine_services_of_file();

create function examine_services_of_facility() returns trigger language plpgsql as $$
begin
  update invoice_services s set examine_at = least(s.examine_at, greatest(s.updated_at, new.updated_at))
  where s.platform_id = new.platform_id and s.buyer_external_id = new.buyer_external_id and s.status = 'IN_REVIEW'
    and s.examine_at is not null;
  return null;
end $$;
create trigger examine_services_when_granted after insert on facilities for each row
  when (new.status = 'ACTIVE') execute function examine_services_of_facility();
create trigger examine_services after update on facilities for each row
  when (new.available_amount > old.available_amount or new.status <> old.status)
  execute function examine_services_of_facility();

create function examine_services_of_buyer() returns trigger language plpgsql as $$
begin
  update invoice_services s set examine_at = least(s.examine_at, greatest(s.updated_at, new.updated_at))
  where s.platform_id = new.platform_id and s.buyer_external_id = new.external_id and s.status = 'IN_REVIEW'
    and s.examine_at is not null;
  return null;
end $$;
create trigger examine_services after update on buyers for each row
  when (new.has_active_mandate and not old.has_active_mandate) execute function examine_services_of_buyer();

create function examine_services_of_merchant() returns trigger language plpgsql as $$
begin
  update invoice_services s set examine_at = least(s.examine_at, greatest(s.updated_at, new.updated_at))
  where s.platform_id = new.platform_id and s.merchant_external_id = new.merchant_external_id
    and s.status = 'IN_REVIEW' and s.examine_at is not null;
  return null;
end $$;
create trigger examine_services after update on payout_instructions for each row
  when (new.status = 'VERIFIED' and old.status <> 'VERIFIED') execute function examine_services_of_merchant();
