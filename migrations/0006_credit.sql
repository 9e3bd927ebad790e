-- Credit: facilities and the ledger that explains them, limit policy settings, what is overdue, and what orders need for it.

-- A sandbox platform's own time: how far it is ahead of the real one. It never goes back.
alter table platforms
  add column clock_ahead_seconds bigint not null default 0 check (clock_ahead_seconds >= 0),
  -- Whoever set the clock makes what became due, and until then no worker does: a lease, in the database's time.
  add column clock_moving_until timestamptz;

-- A lease, in the database's time: the answer is complete only when what follows the transaction is done. Null: it is.
alter table idempotency_keys add column finishing_until timestamptz;

-- A facility is a buyer's: there is one. Its amounts are what the ledger's last entry says.
create table facilities (
  platform_id integer not null,
  buyer_external_id external_id not null,
  status text not null check (status in ('PENDING', 'ACTIVE', 'REJECTED', 'FROZEN', 'EXPIRED')),
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  currency text not null,
  total_amount minor_units not null default 0 check (total_amount >= 0),
  used_amount minor_units not null default 0 check (used_amount >= 0),
  pending_orders_amount minor_units not null default 0 check (pending_orders_amount >= 0),
  -- What orders may still take: nothing once the facility is EXPIRED. Set with each entry of the ledger.
  available_amount minor_units not null default 0,
  -- The number of the ledger's last entry.
  entry_last integer not null default 0,
  risk_band text,
  price_class text,
  reviewed_at unix_seconds,
  expires_at unix_seconds,
  -- When the service asks for a renewal by itself; null while one is under way, and when none is due any more.
  renewal_due_at unix_seconds,
  primary key (platform_id, buyer_external_id),
  foreign key (platform_id, buyer_external_id) references buyers (platform_id, external_id)
);
create index facilities_by_created_at on facilities (platform_id, created_at desc, buyer_external_id);
create index facilities_expiring on facilities (platform_id, expires_at, buyer_external_id)
  where status in ('ACTIVE', 'FROZEN');
create index facilities_renewing on facilities (platform_id, renewal_due_at, buyer_external_id)
  where status = 'ACTIVE' and renewal_due_at is not null;

-- What waits for a person, of each kind at most one.
create table facility_pending_actions (
  platform_id integer not null,
  buyer_external_id external_id not null,
  type text not null check (type in ('CREATION', 'RENEWAL', 'INCREASE')),
  created_at unix_seconds not null,
  requested_amount minor_units,
  review_id uuid not null,
  primary key (platform_id, buyer_external_id, type),
  foreign key (platform_id, buyer_external_id) references facilities (platform_id, buyer_external_id)
);

-- Append-only: every move of a facility, who made it, when and why.
create table facility_moves (
  platform_id integer not null,
  buyer_external_id external_id not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  moved_at unix_seconds not null,
  actor text not null,
  reason text,
  decision_id uuid,
  primary key (platform_id, buyer_external_id, version),
  foreign key (platform_id, buyer_external_id) references facilities (platform_id, buyer_external_id)
);

-- Append-only: every change of what a facility has, with its running balance.
create table facility_ledger (
  platform_id integer not null,
  buyer_external_id external_id not null,
  entry integer not null check (entry >= 1),
  recorded_at unix_seconds not null,
  cause text not null check (cause in ('LIMIT_GRANTED', 'LIMIT_CHANGED', 'EXPIRED', 'RENEWED',
    'ORDER_RESERVED', 'ORDER_FREED', 'ORDER_INVOICED', 'INVOICE_FINANCED', 'INVOICE_FREED')),
  order_external_id external_id,
  invoice_external_id external_id,
  decision_id uuid,
  total_change minor_units not null default 0,
  used_change minor_units not null default 0,
  pending_orders_change minor_units not null default 0,
  total_amount minor_units not null,
  used_amount minor_units not null,
  pending_orders_amount minor_units not null,
  available_amount minor_units not null,
  available_change minor_units not null,
  -- What used and pending together may reach, with the tolerance of the limit policy, where the entry authorizes more.
  ceiling_amount minor_units,
  actor text not null,
  primary key (platform_id, buyer_external_id, entry),
  foreign key (platform_id, buyer_external_id) references facilities (platform_id, buyer_external_id),
  -- Nothing is authorized beyond the limit, whoever writes the entry and however many at once.
  check (used_change + pending_orders_change <= 0 or ceiling_amount is not null),
  check (ceiling_amount is null or used_amount + pending_orders_amount <= ceiling_amount)
);
create index facility_ledger_by_time on facility_ledger (platform_id, buyer_external_id, recorded_at, entry);

-- An entry goes on from the one before it.
create function facility_entry_continues() returns trigger language plpgsql as $function$
declare
  previous record;
begin
  select total_amount, used_amount, pending_orders_amount, available_amount into previous from facility_ledger
  where platform_id = new.platform_id and buyer_external_id = new.buyer_external_id and entry = new.entry - 1;
  if not found and new.entry > 1 then
    raise exception 'ledger of facility %/%: entry % has none before it', new.platform_id, new.buyer_external_id, new.entry;
  end if;
  if new.total_amount <> coalesce(previous.total_amount, 0) + new.total_change
    or new.used_amount <> coalesce(previous.used_amount, 0) + new.used_change
    or new.pending_orders_amount <> coalesce(previous.pending_orders_amount, 0) + new.pending_orders_change
    or new.available_amount <> coalesce(previous.available_amount, 0) + new.available_change then
    raise exception 'ledger of facility %/%: entry % does not continue the one before it',
      new.platform_id, new.buyer_external_id, new.entry;
  end if;
  return null;
end $function$;
create trigger facility_entry_continues after insert on facility_ledger
  for each row execute function facility_entry_continues();

-- At every commit a facility has exactly what its ledger says.
create function facility_matches_ledger() returns trigger language plpgsql as $function$
declare
  facility record;
  last_entry record;
begin
  -- The row as it is at commit: another statement of the transaction may have changed it again.
  select status, total_amount, used_amount, pending_orders_amount, available_amount, entry_last into facility from facilities
  where platform_id = new.platform_id and buyer_external_id = new.buyer_external_id;
  select total_amount, used_amount, pending_orders_amount, available_amount, entry into last_entry from facility_ledger
  where platform_id = new.platform_id and buyer_external_id = new.buyer_external_id
  order by entry desc limit 1;
  if facility.entry_last <> coalesce(last_entry.entry, 0)
    or facility.total_amount <> coalesce(last_entry.total_amount, 0)
    or facility.used_amount <> coalesce(last_entry.used_amount, 0)
    or facility.pending_orders_amount <> coalesce(last_entry.pending_orders_amount, 0)
    or facility.available_amount <> coalesce(last_entry.available_amount, 0)
    or facility.available_amount <> (case facility.status when 'EXPIRED' then 0
      else greatest(0, facility.total_amount - facility.used_amount - facility.pending_orders_amount) end) then
    raise exception 'facility %/% is not what its ledger says', new.platform_id, new.buyer_external_id;
  end if;
  return null;
end $function$;
create constraint trigger facility_matches_ledger after insert or update on facilities
  deferrable initially deferred for each row execute function facility_matches_ledger();
create constraint trigger entry_matches_facility after insert on facility_ledger
  deferrable initially deferred for each row execute function facility_matches_ledger();

-- The limit policy of a platform, and (with a buyer) what overrides it for one buyer for a time. Null: the default, or the platform's.
create table credit_settings (
  platform_id integer not null references platforms,
  -- Empty: the platform's own.
  buyer_external_id text not null default '',
  counts text check (counts in ('ORDERS', 'INVOICES')),
  tolerance_percent integer check (tolerance_percent between 0 and 100),
  overdue_stop_amount minor_units check (overdue_stop_amount >= 0),
  overdue_stop_days integer check (overdue_stop_days >= 0),
  overdue_residue_amount minor_units check (overdue_residue_amount >= 0),
  overdue_grace_days integer check (overdue_grace_days >= 0),
  confirmation_limit_days integer check (confirmation_limit_days between 1 and 365),
  authorization_limit_days integer check (authorization_limit_days between 1 and 365),
  price_table jsonb,
  expires_at unix_seconds,
  reason text,
  set_at unix_seconds not null,
  set_by text not null,
  primary key (platform_id, buyer_external_id)
);

-- What a buyer owes past its due day, told by invoices: one row while an invoice is due. The buyer's own row knows the
-- oldest of them, so that reading a buyer stays one look-up.
alter table buyers add column overdue_since unix_seconds;
create table overdue_invoices (
  platform_id integer not null,
  buyer_external_id external_id not null,
  invoice_external_id external_id not null,
  due_at unix_seconds not null,
  currency text not null,
  outstanding_amount minor_units not null check (outstanding_amount > 0),
  primary key (platform_id, buyer_external_id, invoice_external_id),
  foreign key (platform_id, buyer_external_id) references buyers (platform_id, external_id)
);

-- How a buyer has paid so far, told by orders and invoices: what decisions read.
create table credit_histories (
  platform_id integer not null,
  buyer_external_id external_id not null,
  orders_closed integer not null default 0,
  invoices_paid integer not null default 0,
  invoices_paid_late integer not null default 0,
  primary key (platform_id, buyer_external_id),
  foreign key (platform_id, buyer_external_id) references buyers (platform_id, external_id)
);

alter table orders
  add column cancellation_reason text check (cancellation_reason in ('MERCHANT', 'BUYER', 'RISK', 'PLATFORM')),
  -- When the time limit of this status is over.
  add column expires_at unix_seconds,
  -- What of the order is reserved in the buyer's facility now, and what live invoices have taken of it.
  add column reserved_amount minor_units not null default 0 check (reserved_amount between 0 and amount_gross),
  add column invoiced_amount minor_units not null default 0 check (invoiced_amount between 0 and amount_gross),
  -- The fee and the instalments of the term, as they were offered.
  add column term_offer json,
  -- No further invoice will come: what was not invoiced is given back.
  add column is_closed_short boolean not null default false;
-- A list may be narrowed, and sorted, by each of these.
create index orders_by_updated_at on orders (platform_id, updated_at desc, external_id);
create index orders_by_ordered_at on orders (platform_id, ordered_at desc, external_id);
create index orders_by_amount on orders (platform_id, amount_gross desc, external_id);
create index orders_by_currency on orders (platform_id, currency, created_at desc, external_id);
create index orders_expiring on orders (platform_id, expires_at, external_id) where expires_at is not null;
alter table order_moves add column reason text;

grant select, insert, update on facilities, credit_histories to tradeline_service;
grant select, insert, update, delete on facility_pending_actions, credit_settings, overdue_invoices to tradeline_service;
grant select, insert on facility_moves, facility_ledger to tradeline_service;
