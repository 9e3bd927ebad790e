-- Reminders: when an invoice is looked at next, how far its reminders have come, and what was sent.
alter table invoices
  -- When its reminders are looked at next; null where nothing is to come.
  add column dunning_at unix_seconds,
  add constraint invoices_dunning_check check (dunning_at is null or status in ('OPEN', 'DUE'));
-- The first look is 15 days before an invoice is due.
update invoices set dunning_at = greatest(due_at - 1296000, created_at) where status in ('OPEN', 'DUE');
create index invoices_dunning on invoices (platform_id, dunning_at, external_id) where dunning_at is not null;

-- How far the reminders of an invoice have come.
create table invoice_dunnings (
  platform_id integer not null,
  external_id external_id not null,
  invoice_external_id external_id not null,
  status text not null check (status in ('RUNNING', 'PAUSED', 'ENDED')),
  version integer not null,
  updated_at unix_seconds not null,
  -- The instalment that it is about: the next unpaid one.
  installment integer not null,
  -- The last step taken of this instalment; null before the first one.
  step integer,
  kind text,
  stepped_at unix_seconds,
  next_at unix_seconds,
  paused_by text check (paused_by in ('DISPUTE', 'PROMISE', 'STOP_LIST', 'FROZEN', 'INSOLVENCY', 'COLLECTION', 'OPERATOR',
    'NO_ADDRESS')),
  primary key (platform_id, external_id),
  unique (platform_id, invoice_external_id),
  foreign key (platform_id, invoice_external_id) references invoices (platform_id, external_id),
  check ((paused_by is not null) = (status = 'PAUSED'))
);
create index invoice_dunnings_by_pause on invoice_dunnings (platform_id, paused_by, updated_at, external_id)
  where status = 'PAUSED';
create index invoice_dunnings_by_kind on invoice_dunnings (platform_id, kind, updated_at, external_id)
  where status = 'RUNNING';

-- Append-only: every transition of the reminders of an invoice. Those of the trigger `step` are the reminders.
create table invoice_dunning_transitions (
  platform_id integer not null,
  dunning_external_id external_id not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  transitioned_at unix_seconds not null,
  actor text not null,
  invoice_external_id external_id not null,
  installment integer not null,
  step integer,
  kind text,
  -- The day of a step where the buyer is.
  step_on calendar_day,
  paused_by text,
  primary key (platform_id, dunning_external_id, version),
  foreign key (platform_id, dunning_external_id) references invoice_dunnings (platform_id, external_id)
);
-- No step is taken twice.
create unique index invoice_dunning_steps on invoice_dunning_transitions (platform_id, invoice_external_id, installment, step)
  where trigger = 'step';

-- Plans of reminders in versions. Without a merchant and a buyer it is the platform's. Rows are never changed or deleted.
create table dunning_plan_versions (
  platform_id integer not null references platforms,
  -- Empty for all.
  merchant_external_id text not null,
  buyer_external_id text not null,
  version integer not null check (version >= 1),
  -- The platform's time. Until the next version.
  valid_from unix_seconds not null,
  -- The database's time, also where the platform's clock is ahead.
  recorded_at timestamptz not null default now(),
  set_by text not null,
  approved_by text,
  reason text,
  -- Null where the plan ends and the more general one holds again.
  plan jsonb,
  primary key (platform_id, merchant_external_id, buyer_external_id, version),
  check (approved_by <> set_by),
  check (merchant_external_id = '' or buyer_external_id = '')
);

-- One mailing for each buyer, creditor and day.
create table dunning_mailings (
  platform_id integer not null,
  mailing_id external_id not null,
  buyer_external_id external_id not null,
  -- The merchant; empty where the claims are the platform's.
  creditor text not null,
  mailed_on calendar_day not null,
  kind text not null,
  tone text not null,
  -- The day until which its last reminder asks for payment; null for others.
  pay_by calendar_day,
  -- Each composition is a mail of its own. A mailing is composed again where its mail was withdrawn.
  compositions integer not null,
  -- When it is checked whether its mail was withdrawn; null after it.
  check_at unix_seconds,
  created_at unix_seconds not null,
  primary key (platform_id, mailing_id),
  unique (platform_id, buyer_external_id, creditor, mailed_on),
  foreign key (platform_id, buyer_external_id) references buyers (platform_id, external_id)
);
create index dunning_mailings_to_check on dunning_mailings (platform_id, check_at, mailing_id) where check_at is not null;

-- What keeps invoices from being reminded of, until a day or until it is ended.
create table dunning_stops (
  platform_id integer not null,
  stop_id uuid not null,
  cause text not null check (cause in ('PROMISE', 'STOP_LIST', 'FROZEN', 'INSOLVENCY', 'OPERATOR')),
  -- All invoices of the platform, of a merchant or of a buyer, or one invoice.
  scope text not null check (scope in ('PLATFORM', 'MERCHANT', 'BUYER', 'INVOICE')),
  -- Empty for the platform.
  scope_external_id text not null,
  created_at unix_seconds not null,
  actor text not null,
  reason text,
  -- The last day of the stop; null until it is ended.
  until_on calendar_day,
  -- What the buyer promised to pay.
  promised_amount minor_units check (promised_amount > 0),
  -- The step for which a person was asked, where that is the cause.
  installment integer,
  step integer,
  ended_at unix_seconds,
  ended_by text,
  primary key (platform_id, stop_id),
  foreign key (platform_id) references platforms,
  check ((scope = 'PLATFORM') = (scope_external_id = '')),
  check ((cause = 'PROMISE') = (promised_amount is not null)),
  check ((cause = 'OPERATOR') = (step is not null))
);
create index dunning_stops_by_scope on dunning_stops (platform_id, scope, scope_external_id, created_at);
create unique index dunning_stops_of_step on dunning_stops (platform_id, scope_external_id, installment, step)
  where cause = 'OPERATOR';

grant select, insert, update on invoice_dunnings, dunning_mailings, dunning_stops to tradeline_service;
grant select, insert on invoice_dunning_transitions, dunning_plan_versions to tradeline_service;
