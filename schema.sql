-- Printed by `npm run generate` from the migrated database. Do not edit: write a migration.

create extension btree_gin;
create extension pg_trgm;

create domain calendar_day as text CHECK ((VALUE ~ '^\d{4}-\d{2}-\d{2}$'::text));
create domain external_id as text CHECK (((VALUE ~ '^[a-zA-Z0-9_-]+$'::text) AND (length(VALUE) <= 100)));
create domain minor_units as bigint CHECK (((VALUE >= '-1000000000000000'::bigint) AND (VALUE <= '1000000000000000'::bigint)));
create domain unix_seconds as bigint CHECK (((VALUE >= 0) AND (VALUE <= '253402300799'::bigint)));

CREATE OR REPLACE FUNCTION public.begin_payout_run()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if is_import() then
    return null;
  end if;
  insert into payout_runs (platform_id, next_at) values (new.platform_id, 0) on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.buyer_search_text(external_id text, legal_name text, trading_name text, business_identifiers jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN lower(((((((external_id || '
'::text) || COALESCE(legal_name, ''::text)) || '
'::text) || COALESCE(trading_name, ''::text)) || '
'::text) || COALESCE((SELECT string_agg((identifier.value ->> 'value'::text), '
'::text) AS string_agg FROM jsonb_array_elements(buyer_search_text.business_identifiers) identifier(value)), ''::text)));

CREATE OR REPLACE FUNCTION public.count_by_status()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed record;
begin
  if is_import() then
    return null;
  end if;
  for changed in
    select c.platform_id, array_agg(c.filter) as filters, array_agg(c.value) as values, array_agg(c.change) as changes
    from (
      select w.platform_id, f.filter, f.value, count(*) as change
      from written w
      cross join lateral (values ('status', w.status), ('currency', w.currency),
        ('status,buyer_external_id', w.status || ' ' || w.buyer_external_id),
        ('status,merchant_external_id', w.status || ' ' || w.merchant_external_id)) f(filter, value)
      group by w.platform_id, f.filter, f.value
    ) c
    group by c.platform_id
  loop
    insert into list_count_changes (platform_id, list, filters, filter_values, rows_changes)
    values (changed.platform_id, tg_argv[0], changed.filters, changed.values, changed.changes);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_changed_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed record;
begin
  if is_import() then
    return null;
  end if;
  select array_agg(c.filter) as filters, array_agg(c.value) as values, array_agg(c.change) as changes into changed
  from (
    select f.filter, concat_ws(' ', s.columns ->> split_part(f.filter, ',', 1), s.columns ->> split_part(f.filter, ',', 2)) as value,
      sum(s.change)::bigint as change
    from (values (to_jsonb(old), -1), (to_jsonb(new), 1)) s(columns, change)
    cross join unnest(tg_argv[1:]) f(filter)
    where s.columns is not null
    group by f.filter, value having sum(s.change) <> 0
  ) c;
  insert into list_count_changes (platform_id, list, filters, filter_values, rows_changes)
  values (old.platform_id, tg_argv[0], changed.filters, changed.values, changed.changes);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_changed_status()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed record;
begin
  if is_import() then
    return null;
  end if;
  for changed in
    select c.platform_id, array_agg(c.filter) as filters, array_agg(c.value) as values, array_agg(c.change) as changes
    from (
      select c.platform_id, f.filter, f.value, sum(c.change)::bigint as change
      from (
        select w.platform_id, w.status, w.currency, w.buyer_external_id, w.merchant_external_id, 1 as change from written w
        union all
        select r.platform_id, r.status, r.currency, r.buyer_external_id, r.merchant_external_id, -1 from replaced r
      ) c
      cross join lateral (values ('status', c.status), ('currency', c.currency),
        ('status,buyer_external_id', c.status || ' ' || c.buyer_external_id),
        ('status,merchant_external_id', c.status || ' ' || c.merchant_external_id)) f(filter, value)
      group by c.platform_id, f.filter, f.value having sum(c.change) <> 0
    ) c
    group by c.platform_id
  loop
    insert into list_count_changes (platform_id, list, filters, filter_values, rows_changes)
    values (changed.platform_id, tg_argv[0], changed.filters, changed.values, changed.changes);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_in_entity()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if is_import() then
    return null;
  end if;
  update buyer_entity_keys k set is_counted = (new.status <> 'REJECTED')
  where k.platform_id = new.platform_id and k.buyer_external_id = new.buyer_external_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_new_rows()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed record;
begin
  if is_import() then
    return null;
  end if;
  for changed in
    select c.platform_id, array_agg(c.filter) as filters, array_agg(c.value) as values, array_agg(c.change) as changes
    from (
      select w.platform_id, f.filter, concat_ws(' ', w.columns ->> split_part(f.filter, ',', 1), w.columns ->> split_part(f.filter, ',', 2)) as value,
        count(*) as change
      from (select written.platform_id, to_jsonb(written) as columns from written offset 0) w
      cross join unnest(tg_argv[1:]) f(filter)
      group by w.platform_id, f.filter, value
    ) c
    group by c.platform_id
  loop
    insert into list_count_changes (platform_id, list, filters, filter_values, rows_changes)
    values (changed.platform_id, tg_argv[0], changed.filters, changed.values, changed.changes);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.examine_services_of_buyer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if is_import() then
    return null;
  end if;
  update invoice_services s set examine_at = least(s.examine_at, greatest(s.updated_at, new.updated_at))
  where s.platform_id = new.platform_id and s.buyer_external_id = new.external_id and s.status = 'IN_REVIEW'
    and s.examine_at is not null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.examine_services_of_facility()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if is_import() then
    return null;
  end if;
  update invoice_services s set examine_at = least(s.examine_at, greatest(s.updated_at, new.updated_at))
  where s.platform_id = new.platform_id and s.buyer_external_id = new.buyer_external_id and s.status = 'IN_REVIEW'
    and s.examine_at is not null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.examine_services_of_file()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if is_import() then
    return null;
  end if;
  update invoice_services s set examine_at = least(s.examine_at, greatest(s.updated_at, new.created_at))
  where s.platform_id = new.platform_id and s.invoice_external_id = new.invoice_external_id and s.examine_at is not null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.examine_services_of_invoice()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if is_import() then
    return null;
  end if;
  update invoice_services s set examine_at = least(s.examine_at, greatest(s.updated_at, new.updated_at))
  where s.platform_id = new.platform_id and s.invoice_external_id = new.external_id and s.examine_at is not null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.examine_services_of_merchant()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if is_import() then
    return null;
  end if;
  update invoice_services s set examine_at = least(s.examine_at, greatest(s.updated_at, new.updated_at))
  where s.platform_id = new.platform_id and s.merchant_external_id = new.merchant_external_id
    and s.status = 'IN_REVIEW' and s.examine_at is not null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.facility_entry_continues()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  previous record;
begin
  if is_import() then
    return null;
  end if;
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

CREATE OR REPLACE FUNCTION public.facility_matches_ledger()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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

CREATE OR REPLACE FUNCTION public.is_import()
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select current_user <> 'tradeline_service' and coalesce(current_setting('tradeline.import', true), '') = 'on'
$function$;

CREATE OR REPLACE FUNCTION public.ledger_entry_has_lines()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if is_import() then
    return null;
  end if;
  if new.line_count <> (
    select count(*) from ledger_lines l where l.platform_id = new.platform_id and l.entry_id = new.entry_id
  ) then
    raise exception 'ledger entry %/% has other lines than it says', new.platform_id, new.entry_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_lines_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  lines record;
  wrong record;
begin
  if is_import() then
    return null;
  end if;
  for lines in
    select w.platform_id, array_agg(w.entry_id) as entry_ids, array_agg(w.line) as numbers, array_agg(w.currency) as currencies,
      array_agg(w.amount::bigint) as amounts, array_agg(w.ordinal) as ordinals, array_agg(w.effective_at::bigint) as effective,
      array_agg(w.recorded_at) as recorded
    from written w group by w.platform_id
  loop
    select f.entry_id, f.fault into wrong
    from (
      select w.entry_id, case
        when e.entry_id is null then 'does not exist'
        when count(*) <> e.line_count or not bool_and(w.line <= e.line_count and w.currency = e.currency
          and w.ordinal = e.ordinal and w.effective_at = e.effective_at and w.recorded_at = e.recorded_at)
          then 'has other lines than it says'
        when sum(w.amount) <> 0 then 'has lines that do not sum to zero'
        when e.reverses_entry is not null and exists (
          select from ledger_lines l where l.platform_id = lines.platform_id and l.entry_id in (w.entry_id, e.reverses_entry)
          group by l.account, l.party, l.currency having sum(l.amount) <> 0
        ) then 'is not the opposite of the entry that it reverses'
        when e.effective_at < e.open_from then 'is in a closed period'
      end as fault
      from unnest(lines.entry_ids, lines.numbers, lines.currencies, lines.amounts, lines.ordinals, lines.effective, lines.recorded)
        w(entry_id, line, currency, amount, ordinal, effective_at, recorded_at)
      left join lateral (
        select e.entry_id, e.line_count, e.currency, e.ordinal, e.effective_at, e.recorded_at, e.reverses_entry, b.open_from
        from ledger_entries e join ledger_books b on b.platform_id = lines.platform_id
        where e.platform_id = lines.platform_id and e.entry_id = w.entry_id offset 0
      ) e on true
      group by w.entry_id, e.entry_id, e.line_count, e.reverses_entry, e.effective_at, e.open_from
    ) f
    where f.fault is not null limit 1;
    if found then
      raise exception 'ledger entry %/% %', lines.platform_id, wrong.entry_id, wrong.fault;
    end if;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.merge_registry_entries()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select gin_clean_pending_list('public.registry_companies_by_search_key'),
    gin_clean_pending_list('public.registry_words_by_variant'), gin_clean_pending_list('public.registry_words_by_trigram');
$function$;

CREATE OR REPLACE FUNCTION public.platform_grams(platform_id integer, text text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(array_agg(distinct platform_id || ' ' || substr(text, start, length)), '{}')
  from generate_series(1, length(text)) start, generate_series(1, 2) length
$function$;

create table api_keys (
  platform_id integer not null,
  key_id text not null,
  name text not null,
  secret_sha256 bytea not null,
  scopes text[] not null,
  merchant_external_id external_id,
  created_at unix_seconds not null,
  expires_at unix_seconds,
  revoked_at unix_seconds,
  last_used_at unix_seconds,
  constraint api_keys_pkey PRIMARY KEY (platform_id, key_id),
  constraint api_keys_key_id_key UNIQUE (key_id),
  constraint api_keys_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id)
);
grant insert, select, update on api_keys to tradeline_service;

create table approvals (
  platform_id integer not null,
  approval_id uuid not null,
  status text not null,
  kind text not null,
  subject text not null,
  payload jsonb not null,
  before jsonb,
  after jsonb,
  proposed_at unix_seconds not null,
  proposed_by text not null,
  reason text not null,
  decided_at unix_seconds,
  decided_by text,
  decision_reason text,
  used_at unix_seconds,
  constraint approvals_pkey PRIMARY KEY (platform_id, approval_id),
  constraint approvals_check CHECK (((status = 'PROPOSED'::text) = (decided_by IS NULL))),
  constraint approvals_check1 CHECK (((status <> 'APPROVED'::text) OR (decided_by <> proposed_by))),
  constraint approvals_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id),
  constraint approvals_status_check CHECK ((status = ANY (ARRAY['PROPOSED'::text, 'APPROVED'::text, 'REJECTED'::text, 'WITHDRAWN'::text]))),
  constraint approvals_used_at_check CHECK (((used_at IS NULL) OR (status = 'APPROVED'::text)))
);
CREATE INDEX approvals_by_status ON public.approvals USING btree (platform_id, status, proposed_at, approval_id);
grant insert, select, update on approvals to tradeline_service;

create table audit_entries (
  platform_id integer not null,
  "position" integer not null,
  recorded_at unix_seconds not null,
  actor text not null,
  action text not null,
  subject text not null,
  reason text,
  details text not null,
  previous_hash bytea not null,
  hash bytea not null,
  constraint audit_entries_pkey PRIMARY KEY (platform_id, "position"),
  constraint audit_entries_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id),
  constraint audit_entries_position_check CHECK (("position" >= 1))
);
grant insert, select on audit_entries to tradeline_service;

create table audit_heads (
  platform_id integer not null,
  "position" integer not null,
  hash bytea not null,
  seal bytea not null,
  constraint audit_heads_pkey PRIMARY KEY (platform_id),
  constraint audit_heads_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id)
);
grant insert, select, update on audit_heads to tradeline_service;

create table bank_accounts (
  platform_id integer not null,
  external_id external_id not null,
  currency text not null,
  created_at unix_seconds not null,
  actor text not null,
  number_sealed bytea not null,
  number_mac bytea not null,
  number_masked text not null,
  constraint bank_accounts_pkey PRIMARY KEY (platform_id, external_id),
  constraint bank_accounts_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id)
);
CREATE UNIQUE INDEX bank_accounts_by_number ON public.bank_accounts USING btree (platform_id, number_mac, currency);
grant insert, select, update on bank_accounts to tradeline_service;

create table bank_alike_entries (
  platform_id integer not null,
  entry_id uuid not null,
  reported_by text not null,
  payment_mac bytea not null,
  constraint bank_alike_entries_pkey PRIMARY KEY (platform_id, entry_id, reported_by),
  constraint bank_alike_entries_platform_id_entry_id_fkey FOREIGN KEY (platform_id, entry_id) REFERENCES bank_entries(platform_id, entry_id),
  constraint bank_alike_entries_reported_by_check CHECK ((reported_by = ANY (ARRAY['STATEMENT'::text, 'NOTIFICATION'::text])))
);
grant insert, select on bank_alike_entries to tradeline_service;

create table bank_answers (
  platform_id integer not null,
  answer_id uuid not null,
  identity_mac bytea not null,
  details_sealed bytea not null,
  queue_reason text,
  created_at unix_seconds not null,
  actor text not null,
  resolved_at unix_seconds,
  resolved_by text,
  resolution text,
  constraint bank_answers_pkey PRIMARY KEY (platform_id, answer_id),
  constraint bank_answers_check CHECK ((((resolved_at IS NULL) = (resolved_by IS NULL)) AND ((resolved_at IS NULL) = (resolution IS NULL)))),
  constraint bank_answers_check1 CHECK (((resolved_at IS NULL) OR (queue_reason IS NOT NULL))),
  constraint bank_answers_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id),
  constraint bank_answers_queue_reason_check CHECK ((queue_reason = ANY (ARRAY['NOT_OURS'::text, 'OTHER_FILE'::text, 'PAID_BEFORE'::text])))
);
CREATE UNIQUE INDEX bank_answers_by_identity ON public.bank_answers USING btree (platform_id, identity_mac);
CREATE INDEX bank_answers_queued ON public.bank_answers USING btree (platform_id, created_at, answer_id) WHERE ((queue_reason IS NOT NULL) AND (resolved_at IS NULL));
grant insert, select, update on bank_answers to tradeline_service;

create table bank_entries (
  platform_id integer not null,
  entry_id uuid not null,
  bank_account external_id not null,
  identity_mac bytea not null,
  currency text not null,
  amount minor_units not null,
  booked_on calendar_day not null,
  value_on calendar_day,
  is_reversal boolean not null,
  is_charge boolean not null,
  created_at unix_seconds not null,
  details_sealed bytea not null,
  constraint bank_entries_pkey PRIMARY KEY (platform_id, entry_id),
  constraint bank_entries_amount_check CHECK (((amount)::bigint <> 0)),
  constraint bank_entries_platform_id_bank_account_fkey FOREIGN KEY (platform_id, bank_account) REFERENCES bank_accounts(platform_id, external_id)
);
CREATE UNIQUE INDEX bank_entries_by_identity ON public.bank_entries USING btree (platform_id, bank_account, identity_mac);
grant insert, select on bank_entries to tradeline_service;

create table bank_holidays (
  platform_id integer not null,
  currency text not null,
  day calendar_day not null,
  reason text not null,
  added_at unix_seconds not null,
  added_by text not null,
  constraint bank_holidays_pkey PRIMARY KEY (platform_id, currency, day),
  constraint bank_holidays_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id)
);
grant insert, select on bank_holidays to tradeline_service;

create table bank_matches (
  platform_id integer not null,
  transaction_id uuid not null,
  version integer not null,
  "position" integer not null,
  kind text not null,
  amount minor_units not null,
  invoice_external_id external_id,
  payment_external_id external_id,
  reversed_transaction_id uuid,
  payout_external_id external_id,
  constraint bank_matches_pkey PRIMARY KEY (platform_id, transaction_id, version, "position"),
  constraint bank_matches_kind_check CHECK ((kind = ANY (ARRAY['PAYMENT'::text, 'CHARGE'::text, 'REVERSAL'::text, 'PAYOUT'::text]))),
  constraint bank_matches_platform_id_transaction_id_fkey FOREIGN KEY (platform_id, transaction_id) REFERENCES bank_transactions(platform_id, transaction_id)
);
CREATE INDEX bank_matches_by_payout ON public.bank_matches USING btree (platform_id, payout_external_id) WHERE (payout_external_id IS NOT NULL);
grant insert, select on bank_matches to tradeline_service;

create table bank_references (
  platform_id integer not null,
  reference_mac bytea not null,
  transaction_id uuid not null,
  constraint bank_references_pkey PRIMARY KEY (platform_id, reference_mac, transaction_id),
  constraint bank_references_platform_id_transaction_id_fkey FOREIGN KEY (platform_id, transaction_id) REFERENCES bank_transactions(platform_id, transaction_id)
);
grant insert, select on bank_references to tradeline_service;

create table bank_statements (
  platform_id integer not null,
  statement_id uuid not null,
  bank_account external_id not null,
  type text not null,
  file_hash bytea not null,
  "position" integer not null,
  reference_sealed bytea not null,
  from_on calendar_day,
  to_on calendar_day,
  opening_amount bigint,
  opening_on calendar_day,
  closing_amount bigint,
  closing_on calendar_day,
  entry_count integer not null,
  new_entry_count integer not null,
  imported_at unix_seconds not null,
  actor text not null,
  constraint bank_statements_pkey PRIMARY KEY (platform_id, statement_id),
  constraint bank_statements_platform_id_bank_account_fkey FOREIGN KEY (platform_id, bank_account) REFERENCES bank_accounts(platform_id, external_id),
  constraint bank_statements_type_check CHECK ((type = ANY (ARRAY['STATEMENT'::text, 'NOTIFICATION'::text])))
);
CREATE INDEX bank_statements_by_account ON public.bank_statements USING btree (platform_id, bank_account, imported_at DESC, statement_id);
CREATE INDEX bank_statements_by_day ON public.bank_statements USING btree (platform_id, bank_account, COALESCE(closing_on, to_on)) WHERE (type = 'STATEMENT'::text);
CREATE UNIQUE INDEX bank_statements_by_file ON public.bank_statements USING btree (platform_id, file_hash, "position");
grant insert, select on bank_statements to tradeline_service;

create table bank_transaction_transitions (
  platform_id integer not null,
  transaction_id uuid not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  transitioned_at unix_seconds not null,
  actor text not null,
  reason text,
  constraint bank_transaction_transitions_pkey PRIMARY KEY (platform_id, transaction_id, version),
  constraint bank_transaction_transitions_platform_id_transaction_id_fkey FOREIGN KEY (platform_id, transaction_id) REFERENCES bank_transactions(platform_id, transaction_id)
);
grant insert, select on bank_transaction_transitions to tradeline_service;

create table bank_transactions (
  platform_id integer not null,
  transaction_id uuid not null,
  entry_id uuid not null,
  number integer not null,
  booked_on calendar_day not null,
  amount minor_units not null,
  status text not null,
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  is_batch boolean not null,
  takes_back boolean not null,
  queue_reason text,
  details_sealed bytea not null,
  counterparty_mac bytea,
  ledger_entry uuid,
  is_support_notified boolean not null default false,
  constraint bank_transactions_pkey PRIMARY KEY (platform_id, transaction_id),
  constraint bank_transactions_amount_check CHECK (((amount)::bigint <> 0)),
  constraint bank_transactions_check CHECK (((status = 'QUEUED'::text) = (queue_reason IS NOT NULL))),
  constraint bank_transactions_number_check CHECK ((number >= 0)),
  constraint bank_transactions_platform_id_entry_id_fkey FOREIGN KEY (platform_id, entry_id) REFERENCES bank_entries(platform_id, entry_id),
  constraint bank_transactions_status_check CHECK ((status = ANY (ARRAY['RECEIVED'::text, 'QUEUED'::text, 'MATCHED'::text, 'REVERSED'::text, 'DETAILED'::text])))
);
CREATE INDEX bank_transactions_by_counterparty ON public.bank_transactions USING btree (platform_id, counterparty_mac, created_at DESC) WHERE (counterparty_mac IS NOT NULL);
CREATE UNIQUE INDEX bank_transactions_by_entry ON public.bank_transactions USING btree (platform_id, entry_id, number);
CREATE INDEX bank_transactions_queued ON public.bank_transactions USING btree (platform_id, booked_on, transaction_id) WHERE (status = 'QUEUED'::text);
CREATE INDEX bank_transactions_queued_back ON public.bank_transactions USING btree (platform_id, transaction_id) WHERE ((status = 'QUEUED'::text) AND takes_back);
CREATE INDEX bank_transactions_received ON public.bank_transactions USING btree (platform_id, takes_back, booked_on, transaction_id) WHERE (status = 'RECEIVED'::text);
grant insert, select, update on bank_transactions to tradeline_service;

create table buyer_entity_keys (
  platform_id integer not null,
  entity_key bytea not null,
  buyer_external_id external_id not null,
  is_counted boolean not null default true,
  constraint buyer_entity_keys_pkey PRIMARY KEY (platform_id, entity_key, buyer_external_id),
  constraint buyer_entity_keys_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES buyers(platform_id, external_id)
);
CREATE INDEX buyer_entity_keys_by_buyer ON public.buyer_entity_keys USING btree (platform_id, buyer_external_id);
CREATE INDEX buyer_entity_keys_counted ON public.buyer_entity_keys USING btree (platform_id, entity_key, buyer_external_id) WHERE is_counted;
grant delete, insert, select on buyer_entity_keys to tradeline_service;

create table buyer_page_codes (
  platform_id integer not null,
  buyer_external_id external_id not null,
  code_number integer not null,
  code_mac bytea not null,
  email_mac bytea not null,
  sent_at unix_seconds not null,
  expires_at unix_seconds not null,
  attempts integer not null default 0,
  used_at unix_seconds,
  constraint buyer_page_codes_pkey PRIMARY KEY (platform_id, buyer_external_id, code_number),
  constraint buyer_page_codes_code_number_check CHECK ((code_number >= 1)),
  constraint buyer_page_codes_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES buyers(platform_id, external_id)
);
CREATE INDEX buyer_page_codes_by_sent_at ON public.buyer_page_codes USING btree (sent_at);
grant delete, insert, select, update on buyer_page_codes to tradeline_service;

create table buyer_page_files (
  platform_id integer not null,
  buyer_external_id external_id not null,
  form_id uuid not null,
  file_id uuid not null,
  media_type text not null,
  sha256 bytea not null,
  name_sealed bytea not null,
  created_at unix_seconds not null,
  ordinal bigint not null generated always as identity,
  constraint buyer_page_files_pkey PRIMARY KEY (platform_id, buyer_external_id, file_id),
  constraint buyer_page_files_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES buyers(platform_id, external_id),
  constraint buyer_page_files_platform_id_buyer_external_id_form_id_sha2_key UNIQUE (platform_id, buyer_external_id, form_id, sha256),
  constraint buyer_page_files_platform_id_file_id_fkey FOREIGN KEY (platform_id, file_id) REFERENCES files(platform_id, file_id),
  constraint buyer_page_files_sha256_check CHECK ((octet_length(sha256) = 32))
);
CREATE INDEX buyer_page_files_by_created_at ON public.buyer_page_files USING btree (created_at);
grant delete, insert, select on buyer_page_files to tradeline_service;

create table buyer_page_sessions (
  platform_id integer not null,
  buyer_external_id external_id not null,
  session_sha256 bytea not null,
  created_at unix_seconds not null,
  verified_at unix_seconds,
  email_mac bytea,
  constraint buyer_page_sessions_pkey PRIMARY KEY (platform_id, buyer_external_id, session_sha256),
  constraint buyer_page_sessions_check CHECK (((email_mac IS NOT NULL) = (verified_at IS NOT NULL))),
  constraint buyer_page_sessions_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES buyers(platform_id, external_id),
  constraint buyer_page_sessions_session_sha256_check CHECK ((octet_length(session_sha256) = 32))
);
CREATE INDEX buyer_page_sessions_by_created_at ON public.buyer_page_sessions USING btree (created_at);
grant delete, insert, select, update on buyer_page_sessions to tradeline_service;

create table buyers (
  platform_id integer not null,
  external_id external_id not null,
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  legal_name text,
  legal_form text,
  trading_name text,
  registered_at unix_seconds,
  incorporated_at unix_seconds,
  business_identifiers jsonb not null,
  business_address jsonb,
  delivery_address jsonb,
  custom_data json,
  language text,
  formality text,
  search_text text not null generated always as (buyer_search_text((external_id)::text, legal_name, trading_name, business_identifiers)) stored,
  registry jsonb,
  registry_company_id bigint,
  overdue_since unix_seconds,
  contact_email_sealed bytea,
  identity_changed_at unix_seconds,
  is_company_entered boolean not null default false,
  contact_email_changed_at unix_seconds,
  is_email_from_merchant boolean not null default false,
  has_active_mandate boolean not null default false,
  checkout_language text,
  constraint buyers_pkey PRIMARY KEY (platform_id, external_id),
  constraint buyers_known_or_invited CHECK ((((legal_name IS NOT NULL) AND (legal_form IS NOT NULL) AND (business_address IS NOT NULL)) OR ((legal_name IS NULL) AND (legal_form IS NULL) AND (business_address IS NULL) AND (contact_email_sealed IS NOT NULL)))),
  constraint buyers_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id),
  constraint buyers_registry_names_its_company CHECK (((registry IS NULL) = (registry_company_id IS NULL)))
);
CREATE INDEX buyers_by_country ON public.buyers USING btree (platform_id, ((business_address ->> 'country'::text)), created_at DESC, external_id);
CREATE INDEX buyers_by_created_at ON public.buyers USING btree (platform_id, created_at DESC, external_id);
CREATE INDEX buyers_by_legal_form ON public.buyers USING btree (platform_id, legal_form, created_at DESC, external_id);
CREATE INDEX buyers_by_legal_name ON public.buyers USING btree (platform_id, legal_name, external_id);
CREATE INDEX buyers_by_registry_company ON public.buyers USING btree (registry_company_id, platform_id, external_id) WHERE (registry_company_id IS NOT NULL);
CREATE INDEX buyers_by_search_text ON public.buyers USING gin (platform_id, search_text gin_trgm_ops);
CREATE INDEX buyers_by_short_grams ON public.buyers USING gin (platform_grams(platform_id, search_text));
CREATE INDEX buyers_by_updated_at ON public.buyers USING btree (platform_id, updated_at DESC, external_id);
CREATE TRIGGER count_changed_buyers AFTER UPDATE ON public.buyers FOR EACH ROW WHEN ((old.legal_form IS DISTINCT FROM new.legal_form)) EXECUTE FUNCTION count_changed_row('buyers', 'legal_form');
CREATE TRIGGER count_new_buyers AFTER INSERT ON public.buyers REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION count_new_rows('buyers', '', 'legal_form');
CREATE TRIGGER examine_services AFTER UPDATE ON public.buyers FOR EACH ROW WHEN ((new.has_active_mandate AND (NOT old.has_active_mandate))) EXECUTE FUNCTION examine_services_of_buyer();
grant insert, select, update on buyers to tradeline_service;

create table checkout_codes (
  platform_id integer not null,
  order_external_id external_id not null,
  code_number integer not null,
  code_mac bytea not null,
  sent_at unix_seconds not null,
  expires_at unix_seconds not null,
  attempts integer not null default 0,
  used_at unix_seconds,
  email_mac bytea,
  constraint checkout_codes_pkey PRIMARY KEY (platform_id, order_external_id, code_number),
  constraint checkout_codes_code_number_check CHECK ((code_number >= 1)),
  constraint checkout_codes_platform_id_order_external_id_fkey FOREIGN KEY (platform_id, order_external_id) REFERENCES checkouts(platform_id, order_external_id)
);
grant delete, insert, select, update on checkout_codes to tradeline_service;

create table checkout_consents (
  platform_id integer not null,
  order_external_id external_id not null,
  consented_at unix_seconds not null,
  terms_version text not null,
  language text not null,
  formality text not null,
  terms_sha256 bytea not null,
  payment_term text not null,
  constraint checkout_consents_pkey PRIMARY KEY (platform_id, order_external_id, consented_at),
  constraint checkout_consents_platform_id_order_external_id_fkey FOREIGN KEY (platform_id, order_external_id) REFERENCES orders(platform_id, external_id)
);
grant insert, select on checkout_consents to tradeline_service;

create table checkout_links (
  platform_id integer not null,
  order_external_id external_id not null,
  token_sha256 bytea not null,
  created_at unix_seconds not null,
  expires_at unix_seconds not null,
  revoked_at unix_seconds,
  success_url text,
  error_url text,
  token_sealed bytea,
  constraint checkout_links_pkey PRIMARY KEY (platform_id, order_external_id, token_sha256),
  constraint checkout_links_platform_id_order_external_id_fkey FOREIGN KEY (platform_id, order_external_id) REFERENCES orders(platform_id, external_id),
  constraint checkout_links_token_sha256_check CHECK ((octet_length(token_sha256) = 32))
);
CREATE INDEX checkout_links_by_end ON public.checkout_links USING btree (LEAST(revoked_at, expires_at));
CREATE INDEX checkout_links_by_token ON public.checkout_links USING btree (token_sha256);
grant delete, insert, select, update on checkout_links to tradeline_service;

create table checkout_review_requests (
  platform_id integer not null,
  decision_id uuid not null,
  review_id uuid not null,
  order_external_id external_id,
  requested_at unix_seconds not null,
  email_sealed bytea not null,
  language text not null,
  formality text not null,
  answered_at unix_seconds,
  constraint checkout_review_requests_pkey PRIMARY KEY (platform_id, decision_id),
  constraint checkout_review_requests_platform_id_decision_id_fkey FOREIGN KEY (platform_id, decision_id) REFERENCES credit_decisions(platform_id, decision_id),
  constraint checkout_review_requests_platform_id_order_external_id_fkey FOREIGN KEY (platform_id, order_external_id) REFERENCES orders(platform_id, external_id),
  constraint checkout_review_requests_platform_id_review_id_fkey FOREIGN KEY (platform_id, review_id) REFERENCES credit_reviews(platform_id, review_id)
);
CREATE INDEX checkout_review_requests_unanswered ON public.checkout_review_requests USING btree (platform_id, review_id) WHERE (answered_at IS NULL);
grant insert, select, update on checkout_review_requests to tradeline_service;

create table checkout_sessions (
  platform_id integer not null,
  order_external_id external_id not null,
  session_sha256 bytea not null,
  created_at unix_seconds not null,
  verified_at unix_seconds,
  confirmed_email_mac bytea,
  constraint checkout_sessions_pkey PRIMARY KEY (platform_id, order_external_id, session_sha256),
  constraint checkout_sessions_platform_id_order_external_id_fkey FOREIGN KEY (platform_id, order_external_id) REFERENCES checkouts(platform_id, order_external_id),
  constraint checkout_sessions_session_sha256_check CHECK ((octet_length(session_sha256) = 32))
);
CREATE INDEX checkout_sessions_by_created_at ON public.checkout_sessions USING btree (created_at);
grant delete, insert, select, update on checkout_sessions to tradeline_service;

create table checkouts (
  platform_id integer not null,
  order_external_id external_id not null,
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  language text,
  progress_sealed bytea,
  credit_requested_at unix_seconds,
  credit_decision_id uuid,
  constraint checkouts_pkey PRIMARY KEY (platform_id, order_external_id),
  constraint checkouts_platform_id_credit_decision_id_fkey FOREIGN KEY (platform_id, credit_decision_id) REFERENCES credit_decisions(platform_id, decision_id) DEFERRABLE INITIALLY DEFERRED,
  constraint checkouts_platform_id_order_external_id_fkey FOREIGN KEY (platform_id, order_external_id) REFERENCES orders(platform_id, external_id)
);
CREATE INDEX checkouts_with_progress ON public.checkouts USING btree (updated_at) WHERE (progress_sealed IS NOT NULL);
grant delete, insert, select, update on checkouts to tradeline_service;

create table closed_orders (
  platform_id integer not null,
  buyer_external_id external_id not null,
  order_external_id external_id not null,
  closed_at unix_seconds not null,
  constraint closed_orders_pkey PRIMARY KEY (platform_id, buyer_external_id, order_external_id),
  constraint closed_orders_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES buyers(platform_id, external_id)
);
grant insert, select on closed_orders to tradeline_service;

create table contacts (
  platform_id integer not null,
  external_id external_id not null,
  buyer_external_id external_id not null,
  version integer not null default 1,
  assign_to_all_invoices boolean not null,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  person_sealed bytea not null,
  is_from_checkout boolean not null default false,
  email_changed_at unix_seconds,
  is_email_from_merchant boolean not null default false,
  constraint contacts_pkey PRIMARY KEY (platform_id, external_id),
  constraint contacts_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES buyers(platform_id, external_id)
);
CREATE INDEX contacts_by_buyer ON public.contacts USING btree (platform_id, buyer_external_id, created_at DESC, external_id);
CREATE INDEX contacts_by_created_at ON public.contacts USING btree (platform_id, created_at DESC, external_id);
CREATE TRIGGER count_deleted_contacts AFTER DELETE ON public.contacts FOR EACH ROW EXECUTE FUNCTION count_changed_row('contacts', '');
CREATE TRIGGER count_new_contacts AFTER INSERT ON public.contacts REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION count_new_rows('contacts', '');
grant delete, insert, select, update on contacts to tradeline_service;

create table credit_applications (
  platform_id integer not null,
  application_id uuid not null,
  applied_at unix_seconds not null,
  company_key bytea,
  email_domain_key bytea,
  address_key bytea,
  constraint credit_applications_pkey PRIMARY KEY (platform_id, application_id),
  constraint credit_applications_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id)
);
CREATE INDEX credit_applications_by_address ON public.credit_applications USING btree (platform_id, address_key, applied_at) WHERE (address_key IS NOT NULL);
CREATE INDEX credit_applications_by_age ON public.credit_applications USING btree (applied_at);
CREATE INDEX credit_applications_by_company ON public.credit_applications USING btree (platform_id, company_key, applied_at) WHERE (company_key IS NOT NULL);
CREATE INDEX credit_applications_by_email_domain ON public.credit_applications USING btree (platform_id, email_domain_key, applied_at) WHERE (email_domain_key IS NOT NULL);
CREATE INDEX credit_applications_by_time ON public.credit_applications USING btree (platform_id, applied_at);
grant delete, insert, select on credit_applications to tradeline_service;

create table credit_decisions (
  platform_id integer not null,
  decision_id uuid not null,
  subject text not null,
  buyer_external_id external_id not null,
  order_external_id external_id,
  outcome text not null,
  currency text not null,
  limit_minor minor_units,
  requested_minor minor_units,
  risk_band text,
  price_class text,
  reasons text[] not null,
  buyer_reasons text[] not null,
  policy_version integer,
  inputs jsonb,
  sources jsonb not null default '[]'::jsonb,
  rules_fired jsonb not null default '[]'::jsonb,
  script text,
  overrides uuid,
  comment text,
  actor text not null,
  approved_by text,
  decided_at unix_seconds not null,
  assessed_ms integer,
  service_external_id external_id,
  constraint credit_decisions_pkey PRIMARY KEY (platform_id, decision_id),
  constraint credit_decisions_assessed_ms_check CHECK ((assessed_ms >= 0)),
  constraint credit_decisions_check CHECK (((outcome = 'ACCEPT'::text) <= ((limit_minor IS NOT NULL) AND ((limit_minor)::bigint > 0)))),
  constraint credit_decisions_check1 CHECK (((subject = 'FINANCING'::text) = (service_external_id IS NOT NULL))),
  constraint credit_decisions_outcome_check CHECK ((outcome = ANY (ARRAY['ACCEPT'::text, 'REJECT'::text, 'REFER'::text]))),
  constraint credit_decisions_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES buyers(platform_id, external_id),
  constraint credit_decisions_platform_id_overrides_fkey FOREIGN KEY (platform_id, overrides) REFERENCES credit_decisions(platform_id, decision_id),
  constraint credit_decisions_platform_id_policy_version_fkey FOREIGN KEY (platform_id, policy_version) REFERENCES credit_policies(platform_id, version),
  constraint credit_decisions_platform_id_service_external_id_fkey FOREIGN KEY (platform_id, service_external_id) REFERENCES invoice_services(platform_id, external_id),
  constraint credit_decisions_subject_check CHECK ((subject = ANY (ARRAY['FACILITY_CREATION'::text, 'FACILITY_RENEWAL'::text, 'FACILITY_INCREASE'::text, 'ORDER'::text, 'FINANCING'::text])))
);
CREATE INDEX credit_decisions_by_buyer ON public.credit_decisions USING btree (platform_id, buyer_external_id, decided_at DESC, decision_id);
CREATE INDEX credit_decisions_by_time ON public.credit_decisions USING btree (platform_id, decided_at, decision_id);
CREATE INDEX credit_decisions_replacing ON public.credit_decisions USING btree (platform_id, overrides) WHERE (overrides IS NOT NULL);
grant insert, select on credit_decisions to tradeline_service;

create table credit_notes (
  platform_id integer not null,
  external_id external_id not null,
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  invoice_external_id external_id not null,
  buyer_external_id external_id not null,
  merchant_external_id external_id not null,
  reason_code text not null,
  invoiced_at unix_seconds not null,
  currency text not null,
  amount_net minor_units not null,
  amount_tax minor_units not null,
  amount_gross minor_units not null,
  line_items json not null,
  actor text not null,
  constraint credit_notes_pkey PRIMARY KEY (platform_id, external_id),
  constraint credit_notes_amount_gross_check CHECK (((amount_gross)::bigint > 0)),
  constraint credit_notes_amount_net_check CHECK (((amount_net)::bigint >= 0)),
  constraint credit_notes_amount_tax_check CHECK (((amount_tax)::bigint >= 0)),
  constraint credit_notes_check CHECK (((amount_gross)::bigint = ((amount_net)::bigint + (amount_tax)::bigint))),
  constraint credit_notes_platform_id_invoice_external_id_fkey FOREIGN KEY (platform_id, invoice_external_id) REFERENCES invoices(platform_id, external_id),
  constraint credit_notes_reason_code_check CHECK ((reason_code = ANY (ARRAY['RETURN'::text, 'DAMAGED'::text, 'PRICE'::text, 'DUPLICATE'::text, 'GOODWILL'::text, 'CORRECTION'::text, 'OTHER'::text])))
);
CREATE INDEX credit_notes_by_amount ON public.credit_notes USING btree (platform_id, amount_gross DESC, external_id);
CREATE INDEX credit_notes_by_buyer ON public.credit_notes USING btree (platform_id, buyer_external_id, created_at DESC, external_id);
CREATE INDEX credit_notes_by_created_at ON public.credit_notes USING btree (platform_id, created_at DESC, external_id);
CREATE INDEX credit_notes_by_currency ON public.credit_notes USING btree (platform_id, currency, created_at DESC, external_id);
CREATE INDEX credit_notes_by_invoice ON public.credit_notes USING btree (platform_id, invoice_external_id, created_at DESC, external_id);
CREATE INDEX credit_notes_by_invoiced_at ON public.credit_notes USING btree (platform_id, invoiced_at DESC, external_id);
CREATE INDEX credit_notes_by_merchant ON public.credit_notes USING btree (platform_id, merchant_external_id, created_at DESC, external_id);
CREATE INDEX credit_notes_by_reason ON public.credit_notes USING btree (platform_id, reason_code, created_at DESC, external_id);
CREATE TRIGGER count_new_credit_notes AFTER INSERT ON public.credit_notes REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION count_new_rows('credit_notes', '', 'buyer_external_id', 'merchant_external_id', 'reason_code', 'currency');
grant insert, select on credit_notes to tradeline_service;

create table credit_policies (
  platform_id integer not null,
  version integer not null,
  name text not null,
  graph json not null,
  sha256 bytea not null,
  created_at unix_seconds not null,
  created_by text not null,
  constraint credit_policies_pkey PRIMARY KEY (platform_id, version),
  constraint credit_policies_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id),
  constraint credit_policies_version_check CHECK ((version >= 1))
);
grant insert, select on credit_policies to tradeline_service;

create table credit_policy_activations (
  platform_id integer not null,
  activation integer not null,
  version integer not null,
  activated_at unix_seconds not null,
  activated_by text not null,
  approved_by text,
  reason text,
  constraint credit_policy_activations_pkey PRIMARY KEY (platform_id, activation),
  constraint credit_policy_activations_activation_check CHECK ((activation >= 1)),
  constraint credit_policy_activations_check CHECK ((approved_by <> activated_by)),
  constraint credit_policy_activations_platform_id_version_fkey FOREIGN KEY (platform_id, version) REFERENCES credit_policies(platform_id, version)
);
grant insert, select on credit_policy_activations to tradeline_service;

create table credit_review_transitions (
  platform_id integer not null,
  review_id uuid not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  limit_minor minor_units,
  transitioned_at unix_seconds not null,
  actor text not null,
  reason text not null,
  constraint credit_review_transitions_pkey PRIMARY KEY (platform_id, review_id, version),
  constraint credit_review_transitions_platform_id_review_id_fkey FOREIGN KEY (platform_id, review_id) REFERENCES credit_reviews(platform_id, review_id)
);
grant insert, select on credit_review_transitions to tradeline_service;

create table credit_reviews (
  platform_id integer not null,
  review_id uuid not null,
  status text not null,
  version integer not null default 1,
  subject text not null,
  buyer_external_id external_id not null,
  order_external_id external_id,
  decision_id uuid,
  automatic_outcome text,
  currency text not null,
  requested_minor minor_units,
  limit_minor minor_units,
  reasons text[] not null,
  opened_at unix_seconds not null,
  updated_at unix_seconds not null,
  proposed_limit_minor minor_units,
  proposed_by text,
  outcome text,
  decided_limit_minor minor_units,
  decided_by text,
  final_decision_id uuid,
  scripted_outcome text,
  scripted_at unix_seconds,
  is_support_notified boolean not null default false,
  service_external_id external_id,
  list_order bigint not null generated always as ((((
CASE status
    WHEN 'OPEN'::text THEN 0
    WHEN 'AWAITING_APPROVAL'::text THEN 1
    WHEN 'DECIDED'::text THEN 2
    ELSE 3
END)::bigint * '1000000000000'::bigint) + (opened_at)::bigint)) stored,
  constraint credit_reviews_pkey PRIMARY KEY (platform_id, review_id),
  constraint credit_reviews_automatic_outcome_check CHECK ((automatic_outcome = ANY (ARRAY['REFER'::text, 'REJECT'::text]))),
  constraint credit_reviews_check CHECK (((status = 'DECIDED'::text) = (outcome IS NOT NULL))),
  constraint credit_reviews_check1 CHECK (((status = 'AWAITING_APPROVAL'::text) <= (proposed_by IS NOT NULL))),
  constraint credit_reviews_check2 CHECK (((subject = 'FINANCING'::text) = (service_external_id IS NOT NULL))),
  constraint credit_reviews_outcome_check CHECK ((outcome = ANY (ARRAY['ACCEPT'::text, 'REJECT'::text]))),
  constraint credit_reviews_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES buyers(platform_id, external_id),
  constraint credit_reviews_platform_id_decision_id_fkey FOREIGN KEY (platform_id, decision_id) REFERENCES credit_decisions(platform_id, decision_id),
  constraint credit_reviews_platform_id_final_decision_id_fkey FOREIGN KEY (platform_id, final_decision_id) REFERENCES credit_decisions(platform_id, decision_id),
  constraint credit_reviews_platform_id_service_external_id_fkey FOREIGN KEY (platform_id, service_external_id) REFERENCES invoice_services(platform_id, external_id),
  constraint credit_reviews_scripted_outcome_check CHECK ((scripted_outcome = ANY (ARRAY['ACCEPT'::text, 'REJECT'::text]))),
  constraint credit_reviews_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'AWAITING_APPROVAL'::text, 'DECIDED'::text, 'WITHDRAWN'::text]))),
  constraint credit_reviews_subject_check CHECK ((subject = ANY (ARRAY['FACILITY_CREATION'::text, 'FACILITY_RENEWAL'::text, 'FACILITY_INCREASE'::text, 'ORDER'::text, 'FINANCING'::text, 'INSOLVENCY'::text])))
);
CREATE INDEX credit_reviews_by_buyer ON public.credit_reviews USING btree (platform_id, buyer_external_id, opened_at, review_id);
CREATE INDEX credit_reviews_by_service ON public.credit_reviews USING btree (platform_id, service_external_id) WHERE (service_external_id IS NOT NULL);
CREATE INDEX credit_reviews_by_status ON public.credit_reviews USING btree (platform_id, status, list_order, review_id);
CREATE INDEX credit_reviews_due ON public.credit_reviews USING btree (scripted_at, platform_id) WHERE (scripted_at IS NOT NULL);
CREATE INDEX credit_reviews_scripted ON public.credit_reviews USING btree (platform_id, scripted_at) WHERE (scripted_at IS NOT NULL);
CREATE INDEX credit_reviews_to_report ON public.credit_reviews USING btree (opened_at, platform_id, review_id) WHERE ((status = ANY (ARRAY['OPEN'::text, 'AWAITING_APPROVAL'::text])) AND (NOT is_support_notified));
CREATE TRIGGER count_changed_credit_reviews AFTER UPDATE ON public.credit_reviews FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION count_changed_row('credit_reviews', 'status', 'status,subject');
CREATE TRIGGER count_new_credit_reviews AFTER INSERT ON public.credit_reviews REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION count_new_rows('credit_reviews', 'status', 'subject', 'status,subject');
grant insert, select, update on credit_reviews to tradeline_service;

create table credit_settings_versions (
  platform_id integer not null,
  buyer_external_id text not null default ''::text,
  version integer not null,
  valid_from unix_seconds not null,
  recorded_at timestamp with time zone not null default now(),
  set_by text not null,
  approved_by text,
  reason text,
  counts text,
  tolerance_percent integer,
  overdue_stop_amount minor_units,
  overdue_stop_days integer,
  overdue_residue_amount minor_units,
  overdue_grace_days integer,
  default_materiality_amount minor_units,
  confirmation_limit_days integer,
  authorization_limit_days integer,
  price_table jsonb,
  expires_at unix_seconds,
  constraint credit_settings_versions_pkey PRIMARY KEY (platform_id, buyer_external_id, version),
  constraint credit_settings_versions_authorization_limit_days_check CHECK (((authorization_limit_days >= 1) AND (authorization_limit_days <= 365))),
  constraint credit_settings_versions_check CHECK ((approved_by <> set_by)),
  constraint credit_settings_versions_confirmation_limit_days_check CHECK (((confirmation_limit_days >= 1) AND (confirmation_limit_days <= 365))),
  constraint credit_settings_versions_counts_check CHECK ((counts = ANY (ARRAY['ORDERS'::text, 'INVOICES'::text]))),
  constraint credit_settings_versions_default_materiality_amount_check CHECK (((default_materiality_amount)::bigint >= 0)),
  constraint credit_settings_versions_overdue_grace_days_check CHECK ((overdue_grace_days >= 0)),
  constraint credit_settings_versions_overdue_residue_amount_check CHECK (((overdue_residue_amount)::bigint >= 0)),
  constraint credit_settings_versions_overdue_stop_amount_check CHECK (((overdue_stop_amount)::bigint >= 0)),
  constraint credit_settings_versions_overdue_stop_days_check CHECK ((overdue_stop_days >= 0)),
  constraint credit_settings_versions_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id),
  constraint credit_settings_versions_tolerance_percent_check CHECK (((tolerance_percent >= 0) AND (tolerance_percent <= 25))),
  constraint credit_settings_versions_version_check CHECK ((version >= 1))
);
grant insert, select on credit_settings_versions to tradeline_service;

create table dispute_transitions (
  platform_id integer not null,
  dispute_external_id external_id not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  transitioned_at unix_seconds not null,
  actor text not null,
  comment_sealed bytea,
  constraint dispute_transitions_pkey PRIMARY KEY (platform_id, dispute_external_id, version),
  constraint dispute_transitions_platform_id_dispute_external_id_fkey FOREIGN KEY (platform_id, dispute_external_id) REFERENCES disputes(platform_id, external_id)
);
grant insert, select on dispute_transitions to tradeline_service;

create table disputes (
  platform_id integer not null,
  external_id external_id not null,
  status text not null,
  version integer not null default 1,
  ordinal bigint not null generated always as identity,
  invoice_external_id external_id not null,
  buyer_external_id external_id not null,
  merchant_external_id external_id not null,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  opened_on calendar_day not null,
  decided_on calendar_day,
  reason text not null,
  line_number integer,
  currency text not null,
  amount minor_units not null,
  accepted_amount minor_units not null default 0,
  is_pausing boolean not null,
  invoice_paid_amount minor_units not null,
  comment_sealed bytea,
  decision_sealed bytea,
  file_external_ids text[] not null default '{}'::text[],
  credit_note_external_id external_id,
  opened_by text not null,
  decided_by text,
  constraint disputes_pkey PRIMARY KEY (platform_id, external_id),
  constraint disputes_amount_check CHECK (((amount)::bigint > 0)),
  constraint disputes_check CHECK (((decided_on IS NULL) = (status = 'OPEN'::text))),
  constraint disputes_check1 CHECK ((((accepted_amount)::bigint >= 0) AND ((accepted_amount)::bigint <= (amount)::bigint))),
  constraint disputes_check2 CHECK (((status = 'ACCEPTED'::text) OR ((accepted_amount)::bigint = 0))),
  constraint disputes_check3 CHECK (((credit_note_external_id IS NULL) = (((accepted_amount)::bigint = 0) OR (reason = 'PAID_ALREADY'::text)))),
  constraint disputes_line_number_check CHECK ((line_number > 0)),
  constraint disputes_platform_id_credit_note_external_id_fkey FOREIGN KEY (platform_id, credit_note_external_id) REFERENCES credit_notes(platform_id, external_id),
  constraint disputes_platform_id_invoice_external_id_fkey FOREIGN KEY (platform_id, invoice_external_id) REFERENCES invoices(platform_id, external_id),
  constraint disputes_reason_check CHECK ((reason = ANY (ARRAY['NOT_DELIVERED'::text, 'DAMAGED'::text, 'WRONG_PRICE'::text, 'NOT_ORDERED'::text, 'PAID_ALREADY'::text, 'OTHER'::text]))),
  constraint disputes_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'ACCEPTED'::text, 'REJECTED'::text, 'WITHDRAWN'::text])))
);
CREATE INDEX disputes_by_invoice ON public.disputes USING btree (platform_id, invoice_external_id, ordinal);
CREATE INDEX disputes_by_status ON public.disputes USING btree (platform_id, status, ordinal);
CREATE UNIQUE INDEX disputes_one_open_by_line ON public.disputes USING btree (platform_id, invoice_external_id, line_number) WHERE (status = 'OPEN'::text);
grant insert, select, update on disputes to tradeline_service;

create table dunning_mailings (
  platform_id integer not null,
  mailing_id external_id not null,
  buyer_external_id external_id not null,
  creditor text not null,
  mailed_on calendar_day not null,
  kind text not null,
  tone text not null,
  pay_by calendar_day,
  compositions integer not null,
  check_at unix_seconds,
  created_at unix_seconds not null,
  channel text not null default 'MAIL'::text,
  printed_by text,
  constraint dunning_mailings_pkey PRIMARY KEY (platform_id, mailing_id),
  constraint dunning_mailings_channel_check CHECK ((channel = ANY (ARRAY['MAIL'::text, 'LETTER'::text]))),
  constraint dunning_mailings_platform_id_buyer_external_id_creditor_mai_key UNIQUE (platform_id, buyer_external_id, creditor, mailed_on),
  constraint dunning_mailings_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES buyers(platform_id, external_id),
  constraint dunning_mailings_printed_check CHECK (((printed_by IS NOT NULL) = (channel = 'LETTER'::text)))
);
CREATE INDEX dunning_mailings_due ON public.dunning_mailings USING btree (check_at, platform_id) WHERE (check_at IS NOT NULL);
CREATE INDEX dunning_mailings_printed ON public.dunning_mailings USING btree (platform_id, created_at DESC, mailing_id) WHERE (channel = 'LETTER'::text);
CREATE INDEX dunning_mailings_to_check ON public.dunning_mailings USING btree (platform_id, check_at, mailing_id) WHERE (check_at IS NOT NULL);
grant insert, select, update on dunning_mailings to tradeline_service;

create table dunning_plan_versions (
  platform_id integer not null,
  merchant_external_id text not null,
  buyer_external_id text not null,
  version integer not null,
  valid_from unix_seconds not null,
  recorded_at timestamp with time zone not null default now(),
  set_by text not null,
  approved_by text,
  reason text,
  plan jsonb,
  constraint dunning_plan_versions_pkey PRIMARY KEY (platform_id, merchant_external_id, buyer_external_id, version),
  constraint dunning_plan_versions_check CHECK ((approved_by <> set_by)),
  constraint dunning_plan_versions_check1 CHECK (((merchant_external_id = ''::text) OR (buyer_external_id = ''::text))),
  constraint dunning_plan_versions_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id),
  constraint dunning_plan_versions_version_check CHECK ((version >= 1))
);
grant insert, select on dunning_plan_versions to tradeline_service;

create table dunning_rescans (
  platform_id integer not null,
  rescan_id text not null,
  due_at unix_seconds not null,
  scope text not null,
  scope_external_id text not null,
  status text not null,
  last_created_at unix_seconds,
  last_external_id text,
  constraint dunning_rescans_pkey PRIMARY KEY (platform_id, rescan_id),
  constraint dunning_rescans_check CHECK (((scope_external_id = ''::text) = (scope = 'PLATFORM'::text))),
  constraint dunning_rescans_check1 CHECK (((last_created_at IS NULL) = (last_external_id IS NULL))),
  constraint dunning_rescans_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id),
  constraint dunning_rescans_scope_check CHECK ((scope = ANY (ARRAY['PLATFORM'::text, 'MERCHANT'::text, 'BUYER'::text]))),
  constraint dunning_rescans_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'DUE'::text])))
);
CREATE INDEX dunning_rescans_by_due_at ON public.dunning_rescans USING btree (platform_id, due_at, rescan_id);
CREATE INDEX dunning_rescans_due ON public.dunning_rescans USING btree (due_at, platform_id);
grant delete, insert, select, update on dunning_rescans to tradeline_service;

create table dunning_stops (
  platform_id integer not null,
  stop_id uuid not null,
  cause text not null,
  scope text not null,
  scope_external_id text not null,
  created_at unix_seconds not null,
  actor text not null,
  reason text,
  until_on calendar_day,
  promised_amount minor_units,
  installment integer,
  step integer,
  ended_at unix_seconds,
  ended_by text,
  external_id external_id,
  ordinal bigint not null generated always as identity,
  constraint dunning_stops_pkey PRIMARY KEY (platform_id, stop_id),
  constraint dunning_stops_cause_check CHECK ((cause = ANY (ARRAY['PROMISE'::text, 'STOP_LIST'::text, 'FROZEN'::text, 'INSOLVENCY'::text, 'OPERATOR'::text]))),
  constraint dunning_stops_check CHECK (((scope = 'PLATFORM'::text) = (scope_external_id = ''::text))),
  constraint dunning_stops_check1 CHECK (((cause = 'PROMISE'::text) = (promised_amount IS NOT NULL))),
  constraint dunning_stops_check2 CHECK (((cause = 'OPERATOR'::text) = (step IS NOT NULL))),
  constraint dunning_stops_check3 CHECK (((cause = 'PROMISE'::text) = (external_id IS NOT NULL))),
  constraint dunning_stops_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id),
  constraint dunning_stops_promised_amount_check CHECK (((promised_amount)::bigint > 0)),
  constraint dunning_stops_scope_check CHECK ((scope = ANY (ARRAY['PLATFORM'::text, 'MERCHANT'::text, 'BUYER'::text, 'INVOICE'::text])))
);
CREATE UNIQUE INDEX dunning_stops_by_external_id ON public.dunning_stops USING btree (platform_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX dunning_stops_by_scope ON public.dunning_stops USING btree (platform_id, scope, scope_external_id, created_at);
CREATE UNIQUE INDEX dunning_stops_of_step ON public.dunning_stops USING btree (platform_id, scope_external_id, installment, step) WHERE (cause = 'OPERATOR'::text);
CREATE INDEX dunning_stops_promised ON public.dunning_stops USING btree (platform_id, scope_external_id, ordinal) WHERE ((scope = 'INVOICE'::text) AND (cause = 'PROMISE'::text));
grant insert, select, update on dunning_stops to tradeline_service;

create table event_followers (
  platform_id integer not null,
  follower text not null,
  position_last bigint not null,
  constraint event_followers_pkey PRIMARY KEY (platform_id, follower),
  constraint event_followers_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id)
);
grant insert, select, update on event_followers to tradeline_service;

create table event_positions (
  platform_id integer not null,
  position_last bigint not null,
  is_followed boolean not null default false,
  constraint event_positions_pkey PRIMARY KEY (platform_id),
  constraint event_positions_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id)
);
CREATE INDEX event_positions_to_follow ON public.event_positions USING btree (platform_id) WHERE (NOT is_followed);
grant insert, select, update on event_positions to tradeline_service;

create table events (
  platform_id integer not null,
  event_id uuid not null,
  ordinal bigint not null generated always as identity,
  "position" bigint,
  type text not null,
  resource_external_id text not null,
  occurred_at unix_seconds not null,
  recorded_at timestamp with time zone not null default now(),
  body text not null,
  constraint events_pkey PRIMARY KEY (platform_id, event_id),
  constraint events_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id)
);
CREATE UNIQUE INDEX events_by_position ON public.events USING btree (platform_id, "position") WHERE ("position" IS NOT NULL);
CREATE INDEX events_by_recorded_at ON public.events USING btree (recorded_at);
CREATE INDEX events_without_position ON public.events USING btree (ordinal) WHERE ("position" IS NULL);
grant delete, insert, select, update on events to tradeline_service;

create table facilities (
  platform_id integer not null,
  buyer_external_id external_id not null,
  status text not null,
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  currency text not null,
  total_amount minor_units not null default 0,
  used_amount minor_units not null default 0,
  pending_orders_amount minor_units not null default 0,
  available_amount minor_units not null default 0,
  entry_last integer not null default 0,
  risk_band text,
  price_class text,
  reviewed_at unix_seconds,
  expires_at unix_seconds,
  renewal_due_at unix_seconds,
  registry_company_id bigint,
  decision_id uuid,
  frozen_at unix_seconds,
  has_entity_keys boolean not null default false,
  constraint facilities_pkey PRIMARY KEY (platform_id, buyer_external_id),
  constraint facilities_frozen_at_check CHECK (
CASE status
    WHEN 'FROZEN'::text THEN (frozen_at IS NOT NULL)
    WHEN 'EXPIRED'::text THEN true
    ELSE (frozen_at IS NULL)
END),
  constraint facilities_pending_orders_amount_check CHECK (((pending_orders_amount)::bigint >= 0)),
  constraint facilities_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES buyers(platform_id, external_id),
  constraint facilities_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'ACTIVE'::text, 'REJECTED'::text, 'FROZEN'::text, 'EXPIRED'::text]))),
  constraint facilities_total_amount_check CHECK (((total_amount)::bigint >= 0)),
  constraint facilities_used_amount_check CHECK (((used_amount)::bigint >= 0))
);
CREATE INDEX facilities_by_available_amount ON public.facilities USING btree (platform_id, status, available_amount DESC, buyer_external_id);
CREATE INDEX facilities_by_created_at ON public.facilities USING btree (platform_id, status, created_at DESC, buyer_external_id);
CREATE INDEX facilities_by_currency ON public.facilities USING btree (platform_id, currency, status, created_at DESC, buyer_external_id);
CREATE INDEX facilities_by_expires_at ON public.facilities USING btree (platform_id, status, expires_at, buyer_external_id);
CREATE INDEX facilities_by_registry_company ON public.facilities USING btree (registry_company_id, platform_id, buyer_external_id) WHERE (registry_company_id IS NOT NULL);
CREATE INDEX facilities_by_risk_band ON public.facilities USING btree (platform_id, risk_band, status, created_at DESC, buyer_external_id);
CREATE INDEX facilities_by_total_amount ON public.facilities USING btree (platform_id, status, total_amount DESC, buyer_external_id);
CREATE INDEX facilities_by_updated_at ON public.facilities USING btree (platform_id, status, updated_at DESC, buyer_external_id);
CREATE INDEX facilities_by_used_amount ON public.facilities USING btree (platform_id, status, used_amount DESC, buyer_external_id);
CREATE INDEX facilities_expiring ON public.facilities USING btree (platform_id, expires_at, buyer_external_id) WHERE (status = ANY (ARRAY['ACTIVE'::text, 'FROZEN'::text]));
CREATE INDEX facilities_expiry_due ON public.facilities USING btree (expires_at, platform_id) WHERE (status = ANY (ARRAY['ACTIVE'::text, 'FROZEN'::text]));
CREATE INDEX facilities_renewal_due ON public.facilities USING btree (renewal_due_at, platform_id) WHERE ((status = 'ACTIVE'::text) AND (renewal_due_at IS NOT NULL));
CREATE INDEX facilities_renewing ON public.facilities USING btree (platform_id, renewal_due_at, buyer_external_id) WHERE ((status = 'ACTIVE'::text) AND (renewal_due_at IS NOT NULL));
CREATE INDEX facilities_without_entity_keys ON public.facilities USING btree (platform_id, buyer_external_id) WHERE (NOT has_entity_keys);
CREATE TRIGGER count_changed_facilities AFTER UPDATE ON public.facilities FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) OR (old.currency IS DISTINCT FROM new.currency) OR (old.risk_band IS DISTINCT FROM new.risk_band))) EXECUTE FUNCTION count_changed_row('facilities', 'status', 'currency', 'risk_band');
CREATE TRIGGER count_in_entity AFTER UPDATE ON public.facilities FOR EACH ROW WHEN (((new.status = 'REJECTED'::text) <> (old.status = 'REJECTED'::text))) EXECUTE FUNCTION count_in_entity();
CREATE TRIGGER count_in_entity_when_rejected AFTER INSERT ON public.facilities FOR EACH ROW WHEN ((new.status = 'REJECTED'::text)) EXECUTE FUNCTION count_in_entity();
CREATE TRIGGER count_new_facilities AFTER INSERT ON public.facilities REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION count_new_rows('facilities', '', 'status', 'currency', 'risk_band');
CREATE TRIGGER examine_services AFTER UPDATE ON public.facilities FOR EACH ROW WHEN ((((new.available_amount)::bigint > (old.available_amount)::bigint) OR (new.status <> old.status))) EXECUTE FUNCTION examine_services_of_facility();
CREATE TRIGGER examine_services_when_granted AFTER INSERT ON public.facilities FOR EACH ROW WHEN ((new.status = 'ACTIVE'::text)) EXECUTE FUNCTION examine_services_of_facility();
CREATE CONSTRAINT TRIGGER facility_matches_ledger AFTER INSERT OR UPDATE ON public.facilities DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION facility_matches_ledger();
grant insert, select, update on facilities to tradeline_service;

create table facility_ledger (
  platform_id integer not null,
  buyer_external_id external_id not null,
  entry integer not null,
  effective_at unix_seconds not null,
  cause text not null,
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
  ceiling_amount minor_units,
  actor text not null,
  payment_id text,
  credit_note_external_id external_id,
  recorded_at timestamp with time zone not null default clock_timestamp(),
  constraint facility_ledger_pkey PRIMARY KEY (platform_id, buyer_external_id, entry),
  constraint facility_ledger_cause_check CHECK ((cause = ANY (ARRAY['LIMIT_GRANTED'::text, 'LIMIT_CHANGED'::text, 'EXPIRED'::text, 'RENEWED'::text, 'ORDER_RESERVED'::text, 'ORDER_FREED'::text, 'ORDER_INVOICED'::text, 'INVOICE_FINANCED'::text, 'INVOICE_FREED'::text, 'INVOICE_PAID'::text, 'INVOICE_CREDITED'::text, 'INVOICE_CANCELLED'::text, 'INVOICE_REOPENED'::text, 'FINANCING_CANCELLED'::text]))),
  constraint facility_ledger_ceiling_check CHECK (((((used_change)::bigint + (pending_orders_change)::bigint) <= 0) OR (ceiling_amount IS NOT NULL) OR ((cause = 'INVOICE_REOPENED'::text) AND ((used_change)::bigint > 0) AND ((pending_orders_change)::bigint = 0) AND ((total_change)::bigint = 0)))),
  constraint facility_ledger_check1 CHECK (((ceiling_amount IS NULL) OR (((used_amount)::bigint + (pending_orders_amount)::bigint) <= (ceiling_amount)::bigint))),
  constraint facility_ledger_credit_note_check CHECK (((credit_note_external_id IS NOT NULL) = (cause = 'INVOICE_CREDITED'::text))),
  constraint facility_ledger_entry_check CHECK ((entry >= 1)),
  constraint facility_ledger_payment_check CHECK (((payment_id IS NOT NULL) = (cause = ANY (ARRAY['INVOICE_PAID'::text, 'INVOICE_REOPENED'::text])))),
  constraint facility_ledger_payment_id_check CHECK (((length(payment_id) >= 1) AND (length(payment_id) <= 200))),
  constraint facility_ledger_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES facilities(platform_id, buyer_external_id)
);
CREATE INDEX facility_ledger_by_time ON public.facility_ledger USING btree (platform_id, buyer_external_id, effective_at, entry);
CREATE CONSTRAINT TRIGGER entry_matches_facility AFTER INSERT ON public.facility_ledger DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION facility_matches_ledger();
CREATE TRIGGER facility_entry_continues AFTER INSERT ON public.facility_ledger FOR EACH ROW EXECUTE FUNCTION facility_entry_continues();
grant insert, select on facility_ledger to tradeline_service;

create table facility_pending_actions (
  platform_id integer not null,
  buyer_external_id external_id not null,
  type text not null,
  created_at unix_seconds not null,
  requested_amount minor_units,
  review_id uuid not null,
  constraint facility_pending_actions_pkey PRIMARY KEY (platform_id, buyer_external_id, type),
  constraint facility_pending_actions_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES facilities(platform_id, buyer_external_id),
  constraint facility_pending_actions_type_check CHECK ((type = ANY (ARRAY['CREATION'::text, 'RENEWAL'::text, 'INCREASE'::text])))
);
CREATE INDEX facility_pending_actions_by_type ON public.facility_pending_actions USING btree (platform_id, type, buyer_external_id);
grant delete, insert, select, update on facility_pending_actions to tradeline_service;

create table facility_transitions (
  platform_id integer not null,
  buyer_external_id external_id not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  transitioned_at unix_seconds not null,
  actor text not null,
  reason text,
  decision_id uuid,
  constraint facility_transitions_pkey PRIMARY KEY (platform_id, buyer_external_id, version),
  constraint facility_transitions_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES facilities(platform_id, buyer_external_id)
);
grant insert, select on facility_transitions to tradeline_service;

create table file_chunks (
  platform_id integer not null,
  file_id uuid not null,
  chunk integer not null,
  sealed bytea not null,
  constraint file_chunks_pkey PRIMARY KEY (platform_id, file_id, chunk),
  constraint file_chunks_platform_id_file_id_fkey FOREIGN KEY (platform_id, file_id) REFERENCES files(platform_id, file_id) ON DELETE CASCADE
);
grant delete, insert, select on file_chunks to tradeline_service;

create table filed_document_invoices (
  platform_id integer not null,
  invoice_external_id external_id not null,
  document_id text not null,
  filed_at unix_seconds not null,
  constraint filed_document_invoices_pkey PRIMARY KEY (platform_id, invoice_external_id, document_id),
  constraint filed_document_invoices_platform_id_document_id_fkey FOREIGN KEY (platform_id, document_id) REFERENCES filed_documents(platform_id, document_id),
  constraint filed_document_invoices_platform_id_invoice_external_id_fkey FOREIGN KEY (platform_id, invoice_external_id) REFERENCES invoices(platform_id, external_id)
);
CREATE INDEX filed_document_invoices_by_filed_at ON public.filed_document_invoices USING btree (platform_id, invoice_external_id, filed_at, document_id);
grant insert, select on filed_document_invoices to tradeline_service;

create table filed_documents (
  platform_id integer not null,
  document_id text not null,
  kind text not null,
  merchant_external_id external_id,
  causes text[] not null,
  filed_at unix_seconds not null,
  body_sealed bytea not null,
  constraint filed_documents_pkey PRIMARY KEY (platform_id, document_id),
  constraint filed_documents_kind_check CHECK ((kind = ANY (ARRAY['REMINDER'::text, 'ASSIGNMENT_NOTICE'::text]))),
  constraint filed_documents_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id)
);
grant insert, select on filed_documents to tradeline_service;

create table files (
  platform_id integer not null,
  file_id uuid not null,
  created_at unix_seconds not null,
  size_bytes integer not null,
  sha256 bytea not null,
  is_in_folder boolean not null,
  constraint files_pkey PRIMARY KEY (platform_id, file_id),
  constraint files_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id),
  constraint files_sha256_check CHECK ((length(sha256) = 32)),
  constraint files_size_bytes_check CHECK (((size_bytes >= 1) AND (size_bytes <= 20971520)))
);
grant delete, insert, select on files to tradeline_service;

create table idempotency_keys (
  platform_id integer not null,
  idempotency_key text not null,
  fingerprint bytea not null,
  created_at timestamp with time zone not null default now(),
  status_code smallint not null,
  location text,
  etag text,
  body_sealed bytea not null,
  finishing_until timestamp with time zone,
  constraint idempotency_keys_pkey PRIMARY KEY (platform_id, idempotency_key),
  constraint idempotency_keys_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id)
);
CREATE INDEX idempotency_keys_by_created_at ON public.idempotency_keys USING btree (created_at);
grant delete, insert, select, update on idempotency_keys to tradeline_service;

create table installation (
  is_only_row boolean not null default true,
  environment text not null,
  master_key_check bytea not null,
  created_at unix_seconds not null,
  constraint installation_pkey PRIMARY KEY (is_only_row),
  constraint installation_environment_check CHECK ((environment = ANY (ARRAY['sandbox'::text, 'production'::text]))),
  constraint installation_is_only_row_check CHECK (is_only_row)
);
grant insert, select on installation to tradeline_service;

create table invoice_default_changes (
  platform_id integer not null,
  buyer_external_id external_id not null,
  invoice_external_id external_id not null,
  source_id text not null,
  kind text not null,
  changed_on date not null,
  amount minor_units not null,
  recorded_at unix_seconds not null,
  constraint invoice_default_changes_pkey PRIMARY KEY (platform_id, buyer_external_id, invoice_external_id, source_id, kind),
  constraint invoice_default_changes_amount_check CHECK (((amount)::bigint <> 0)),
  constraint invoice_default_changes_kind_check CHECK ((kind = ANY (ARRAY['CORRECTED'::text, 'PAID'::text, 'WRITTEN_OFF'::text, 'RECOVERED'::text]))),
  constraint invoice_default_changes_platform_id_buyer_external_id_invo_fkey FOREIGN KEY (platform_id, buyer_external_id, invoice_external_id) REFERENCES invoice_defaults(platform_id, buyer_external_id, invoice_external_id),
  constraint invoice_default_changes_source_id_check CHECK (((length(source_id) >= 1) AND (length(source_id) <= 200)))
);
grant insert, select on invoice_default_changes to tradeline_service;

create table invoice_defaults (
  platform_id integer not null,
  buyer_external_id external_id not null,
  invoice_external_id external_id not null,
  defaulted_on date not null,
  currency text not null,
  amount minor_units not null,
  recorded_at unix_seconds not null,
  constraint invoice_defaults_pkey PRIMARY KEY (platform_id, buyer_external_id, invoice_external_id),
  constraint invoice_defaults_amount_check CHECK (((amount)::bigint > 0)),
  constraint invoice_defaults_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES buyers(platform_id, external_id)
);
grant insert, select on invoice_defaults to tradeline_service;

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
  step_on calendar_day,
  paused_by text,
  nth integer not null default 1,
  days integer,
  is_firm boolean,
  constraint invoice_dunning_transitions_pkey PRIMARY KEY (platform_id, dunning_external_id, version),
  constraint invoice_dunning_transitions_platform_id_dunning_external_i_fkey FOREIGN KEY (platform_id, dunning_external_id) REFERENCES invoice_dunnings(platform_id, external_id)
);
CREATE UNIQUE INDEX invoice_dunning_steps ON public.invoice_dunning_transitions USING btree (platform_id, invoice_external_id, installment, step, nth) WHERE (trigger = 'step'::text);
grant insert, select on invoice_dunning_transitions to tradeline_service;

create table invoice_dunnings (
  platform_id integer not null,
  external_id external_id not null,
  invoice_external_id external_id not null,
  status text not null,
  version integer not null,
  updated_at unix_seconds not null,
  installment integer not null,
  step integer,
  kind text,
  stepped_at unix_seconds,
  next_at unix_seconds,
  paused_by text,
  constraint invoice_dunnings_pkey PRIMARY KEY (platform_id, external_id),
  constraint invoice_dunnings_check CHECK (((paused_by IS NOT NULL) = (status = 'PAUSED'::text))),
  constraint invoice_dunnings_paused_by_check CHECK ((paused_by = ANY (ARRAY['DISPUTE'::text, 'PROMISE'::text, 'STOP_LIST'::text, 'FROZEN'::text, 'INSOLVENCY'::text, 'COLLECTION'::text, 'OPERATOR'::text, 'LETTER'::text, 'NO_ADDRESS'::text]))),
  constraint invoice_dunnings_platform_id_invoice_external_id_fkey FOREIGN KEY (platform_id, invoice_external_id) REFERENCES invoices(platform_id, external_id),
  constraint invoice_dunnings_platform_id_invoice_external_id_key UNIQUE (platform_id, invoice_external_id),
  constraint invoice_dunnings_status_check CHECK ((status = ANY (ARRAY['RUNNING'::text, 'PAUSED'::text, 'ENDED'::text])))
);
CREATE INDEX invoice_dunnings_by_kind ON public.invoice_dunnings USING btree (platform_id, kind, updated_at, external_id) WHERE (status = 'RUNNING'::text);
CREATE INDEX invoice_dunnings_by_pause ON public.invoice_dunnings USING btree (platform_id, paused_by, updated_at, external_id) WHERE (status = 'PAUSED'::text);
grant insert, select, update on invoice_dunnings to tradeline_service;

create table invoice_files (
  platform_id integer not null,
  invoice_external_id external_id not null,
  external_id external_id not null,
  file_id uuid not null,
  kind text not null,
  media_type text not null,
  name_sealed bytea not null,
  created_at unix_seconds not null,
  actor text not null,
  stated jsonb,
  ordinal bigint not null generated always as identity,
  constraint invoice_files_pkey PRIMARY KEY (platform_id, invoice_external_id, external_id),
  constraint invoice_files_kind_check CHECK ((kind = ANY (ARRAY['INVOICE'::text, 'CREDIT_NOTE'::text, 'PERFORMANCE_PROOF'::text, 'CONTRACT'::text, 'DISPUTE'::text, 'OTHER'::text]))),
  constraint invoice_files_platform_id_file_id_fkey FOREIGN KEY (platform_id, file_id) REFERENCES files(platform_id, file_id),
  constraint invoice_files_platform_id_invoice_external_id_fkey FOREIGN KEY (platform_id, invoice_external_id) REFERENCES invoices(platform_id, external_id)
);
CREATE TRIGGER examine_services AFTER INSERT ON public.invoice_files FOR EACH ROW EXECUTE FUNCTION examine_services_of_file();
grant delete, insert, select on invoice_files to tradeline_service;

create table invoice_installments (
  platform_id integer not null,
  invoice_external_id external_id not null,
  number integer not null,
  due_at unix_seconds not null,
  due_on calendar_day not null,
  amount minor_units not null,
  fee_amount minor_units not null default 0,
  paid_amount minor_units not null default 0,
  credited_amount minor_units not null default 0,
  constraint invoice_installments_pkey PRIMARY KEY (platform_id, invoice_external_id, number),
  constraint invoice_installments_amount_check CHECK (((amount)::bigint >= 0)),
  constraint invoice_installments_check CHECK ((((credited_amount)::bigint >= 0) AND ((credited_amount)::bigint <= (amount)::bigint))),
  constraint invoice_installments_check1 CHECK ((((paid_amount)::bigint + (credited_amount)::bigint) <= ((amount)::bigint + (fee_amount)::bigint))),
  constraint invoice_installments_fee_amount_check CHECK (((fee_amount)::bigint >= 0)),
  constraint invoice_installments_number_check CHECK ((number >= 1)),
  constraint invoice_installments_paid_amount_check CHECK (((paid_amount)::bigint >= 0)),
  constraint invoice_installments_platform_id_invoice_external_id_fkey FOREIGN KEY (platform_id, invoice_external_id) REFERENCES invoices(platform_id, external_id)
);
grant insert, select, update on invoice_installments to tradeline_service;

create table invoice_orders (
  platform_id integer not null,
  invoice_external_id external_id not null,
  order_external_id external_id not null,
  "position" integer not null,
  amount minor_units not null,
  credit_amount minor_units not null,
  fee_net minor_units not null default 0,
  fee_tax minor_units not null default 0,
  constraint invoice_orders_pkey PRIMARY KEY (platform_id, invoice_external_id, order_external_id),
  constraint invoice_orders_amount_check CHECK (((amount)::bigint >= 0)),
  constraint invoice_orders_check CHECK ((((credit_amount)::bigint >= 0) AND ((credit_amount)::bigint <= (amount)::bigint))),
  constraint invoice_orders_fee_net_check CHECK (((fee_net)::bigint >= 0)),
  constraint invoice_orders_fee_tax_check CHECK (((fee_tax)::bigint >= 0)),
  constraint invoice_orders_platform_id_invoice_external_id_fkey FOREIGN KEY (platform_id, invoice_external_id) REFERENCES invoices(platform_id, external_id),
  constraint invoice_orders_platform_id_order_external_id_fkey FOREIGN KEY (platform_id, order_external_id) REFERENCES orders(platform_id, external_id),
  constraint invoice_orders_position_check CHECK (("position" >= 1))
);
CREATE INDEX invoice_orders_by_order ON public.invoice_orders USING btree (platform_id, order_external_id, invoice_external_id);
grant insert, select on invoice_orders to tradeline_service;

create table invoice_payments (
  platform_id integer not null,
  external_id external_id not null,
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  buyer_external_id external_id not null,
  merchant_external_id external_id not null,
  invoice_external_id external_id not null,
  currency text not null,
  amount minor_units not null,
  paid_at unix_seconds not null,
  paid_on calendar_day not null,
  received_by text not null,
  reference text,
  allocated_amount minor_units not null default 0,
  reversed_at unix_seconds,
  reversal_reason text,
  actor text not null,
  order_external_id external_id,
  constraint invoice_payments_pkey PRIMARY KEY (platform_id, external_id),
  constraint invoice_payments_amount_check CHECK (((amount)::bigint > 0)),
  constraint invoice_payments_check CHECK ((((allocated_amount)::bigint >= 0) AND ((allocated_amount)::bigint <= (amount)::bigint))),
  constraint invoice_payments_check1 CHECK (((reversed_at IS NULL) = (reversal_reason IS NULL))),
  constraint invoice_payments_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES buyers(platform_id, external_id),
  constraint invoice_payments_platform_id_invoice_external_id_fkey FOREIGN KEY (platform_id, invoice_external_id) REFERENCES invoices(platform_id, external_id),
  constraint invoice_payments_platform_id_order_external_id_fkey FOREIGN KEY (platform_id, order_external_id) REFERENCES orders(platform_id, external_id),
  constraint invoice_payments_received_by_check CHECK ((received_by = ANY (ARRAY['PLATFORM'::text, 'MERCHANT'::text])))
);
CREATE INDEX invoice_payments_by_invoice ON public.invoice_payments USING btree (platform_id, invoice_external_id, created_at DESC, external_id);
CREATE INDEX invoice_payments_by_order ON public.invoice_payments USING btree (platform_id, order_external_id, external_id) WHERE (order_external_id IS NOT NULL);
CREATE INDEX invoice_payments_unapplied ON public.invoice_payments USING btree (platform_id, buyer_external_id, created_at, external_id) WHERE ((received_by = 'PLATFORM'::text) AND (reversed_at IS NULL) AND ((allocated_amount)::bigint < (amount)::bigint));
grant insert, select, update on invoice_payments to tradeline_service;

create table invoice_service_transitions (
  platform_id integer not null,
  external_id external_id not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  transitioned_at unix_seconds not null,
  actor text not null,
  approved_by text,
  reason text,
  constraint invoice_service_transitions_pkey PRIMARY KEY (platform_id, external_id, version),
  constraint invoice_service_transitions_platform_id_external_id_fkey FOREIGN KEY (platform_id, external_id) REFERENCES invoice_services(platform_id, external_id)
);
grant insert, select on invoice_service_transitions to tradeline_service;

create table invoice_services (
  platform_id integer not null,
  external_id external_id not null,
  invoice_external_id external_id not null,
  buyer_external_id external_id not null,
  merchant_external_id external_id not null,
  service_type text not null,
  status text not null,
  version integer not null default 1,
  is_active boolean not null generated always as ((status = ANY (ARRAY['IN_REVIEW'::text, 'ACCEPTED'::text, 'PAID_OUT'::text, 'DEFAULTED'::text, 'CLAIM_NOTIFIED'::text, 'CLAIM_IN_ASSESSMENT'::text, 'EARLY_COLLECTION'::text, 'LATE_COLLECTION'::text]))) stored,
  currency text not null,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  terms_accepted_at unix_seconds not null,
  requested_payout_at unix_seconds,
  requirements jsonb not null default '[]'::jsonb,
  base_amount minor_units not null,
  fee_net minor_units not null default 0,
  fee_tax minor_units not null default 0,
  fee_gross minor_units not null generated always as (((fee_net)::bigint + (fee_tax)::bigint)) stored,
  fee_tax_category text,
  fee_tax_basis_points integer,
  set_off_amount minor_units not null default 0,
  advance_amount minor_units not null default 0,
  accepted_at unix_seconds,
  paid_out_at unix_seconds,
  examine_at unix_seconds,
  ordinal bigint not null generated always as identity,
  credit_amount minor_units not null default 0,
  written_off_at unix_seconds,
  review_file_id uuid,
  approved_file_id uuid,
  constraint invoice_services_pkey PRIMARY KEY (platform_id, external_id),
  constraint invoice_services_advance_amount_check CHECK (((advance_amount)::bigint >= 0)),
  constraint invoice_services_base_amount_check CHECK (((base_amount)::bigint >= 0)),
  constraint invoice_services_credit_amount_check CHECK (((credit_amount)::bigint >= 0)),
  constraint invoice_services_fee_net_check CHECK (((fee_net)::bigint >= 0)),
  constraint invoice_services_fee_tax_basis_points_check CHECK (((fee_tax_basis_points >= 0) AND (fee_tax_basis_points <= 10000))),
  constraint invoice_services_fee_tax_check CHECK (((fee_tax)::bigint >= 0)),
  constraint invoice_services_platform_id_invoice_external_id_fkey FOREIGN KEY (platform_id, invoice_external_id) REFERENCES invoices(platform_id, external_id),
  constraint invoice_services_service_type_check CHECK ((service_type = ANY (ARRAY['FINANCING'::text, 'INSURANCE'::text, 'COLLECTION'::text]))),
  constraint invoice_services_set_off_amount_check CHECK (((set_off_amount)::bigint >= 0)),
  constraint invoice_services_status_check CHECK ((status = ANY (ARRAY['IN_REVIEW'::text, 'ACCEPTED'::text, 'REJECTED'::text, 'CANCELLED'::text, 'PAID_OUT'::text, 'SETTLED'::text, 'DEFAULTED'::text, 'COVER_EXPIRED'::text, 'CLAIM_NOTIFIED'::text, 'CLAIM_IN_ASSESSMENT'::text, 'CLAIM_PAID'::text, 'CLAIM_DENIED'::text, 'EARLY_COLLECTION'::text, 'LATE_COLLECTION'::text, 'COLLECTED'::text, 'UNCOLLECTIBLE'::text])))
);
CREATE UNIQUE INDEX invoice_services_active ON public.invoice_services USING btree (platform_id, invoice_external_id, service_type) WHERE is_active;
CREATE INDEX invoice_services_by_invoice ON public.invoice_services USING btree (platform_id, invoice_external_id, ordinal);
CREATE INDEX invoice_services_due ON public.invoice_services USING btree (examine_at, platform_id) WHERE (examine_at IS NOT NULL);
CREATE INDEX invoice_services_to_examine ON public.invoice_services USING btree (platform_id, examine_at, external_id) WHERE (examine_at IS NOT NULL);
CREATE INDEX invoice_services_waiting_of_buyer ON public.invoice_services USING btree (platform_id, buyer_external_id) WHERE (status = 'IN_REVIEW'::text);
CREATE INDEX invoice_services_waiting_of_merchant ON public.invoice_services USING btree (platform_id, merchant_external_id) WHERE (status = 'IN_REVIEW'::text);
grant insert, select, update on invoice_services to tradeline_service;

create table invoice_transitions (
  platform_id integer not null,
  invoice_external_id external_id not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  transitioned_at unix_seconds not null,
  actor text not null,
  reason text,
  constraint invoice_transitions_pkey PRIMARY KEY (platform_id, invoice_external_id, version),
  constraint invoice_transitions_platform_id_invoice_external_id_fkey FOREIGN KEY (platform_id, invoice_external_id) REFERENCES invoices(platform_id, external_id)
);
grant insert, select on invoice_transitions to tradeline_service;

create table invoices (
  platform_id integer not null,
  external_id external_id not null,
  status text not null,
  version integer not null default 1,
  buyer_external_id external_id not null,
  merchant_external_id external_id not null,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  invoiced_at unix_seconds not null,
  due_at unix_seconds not null,
  due_on calendar_day not null,
  agreed_due_at unix_seconds not null,
  falls_due_at unix_seconds,
  payment_method text not null,
  payment_reference text not null,
  invoice_number text,
  currency text not null,
  amount_net minor_units not null,
  amount_tax minor_units not null,
  amount_gross minor_units not null,
  term_fee_net minor_units not null default 0,
  term_fee_tax minor_units not null default 0,
  term_fee_gross minor_units not null default 0,
  paid_amount minor_units not null default 0,
  credited_amount minor_units not null default 0,
  outstanding_amount minor_units not null generated always as (
CASE
    WHEN (status = 'CANCELLED'::text) THEN (0)::bigint
    ELSE ((((amount_gross)::bigint + (term_fee_gross)::bigint) - (credited_amount)::bigint) - (paid_amount)::bigint)
END) stored,
  credit_amount minor_units not null default 0,
  credit_used minor_units not null generated always as (
CASE
    WHEN (status = 'CANCELLED'::text) THEN (0)::bigint
    ELSE LEAST((credit_amount)::bigint, (((amount_gross)::bigint - (credited_amount)::bigint) - GREATEST((0)::bigint, ((paid_amount)::bigint - (term_fee_gross)::bigint))))
END) stored,
  paid_at unix_seconds,
  is_financed boolean not null default false,
  active_services integer not null default 0,
  financing_status text,
  collection_status text,
  insurance_status text,
  contact_external_id external_id,
  line_items json not null,
  billing_address jsonb,
  delivery_address jsonb,
  custom_data json,
  defaulted_on calendar_day,
  merchant_fee_net minor_units not null default 0,
  merchant_fee_tax minor_units not null default 0,
  merchant_fee_gross minor_units not null default 0,
  payment_script text,
  defaults_at unix_seconds,
  written_off_amount minor_units not null default 0,
  disputed_amount minor_units not null default 0,
  paused_amount minor_units not null default 0,
  dunning_at unix_seconds,
  constraint invoices_pkey PRIMARY KEY (platform_id, external_id),
  constraint invoices_active_services_check CHECK ((active_services >= 0)),
  constraint invoices_amount_gross_check CHECK (((amount_gross)::bigint > 0)),
  constraint invoices_amount_net_check CHECK (((amount_net)::bigint >= 0)),
  constraint invoices_amount_tax_check CHECK (((amount_tax)::bigint >= 0)),
  constraint invoices_check CHECK (((falls_due_at IS NOT NULL) = (status = 'OPEN'::text))),
  constraint invoices_check1 CHECK ((((credited_amount)::bigint >= 0) AND ((credited_amount)::bigint <= (amount_gross)::bigint))),
  constraint invoices_check10 CHECK ((((paused_amount)::bigint >= 0) AND ((paused_amount)::bigint <= (disputed_amount)::bigint))),
  constraint invoices_check2 CHECK ((((credit_amount)::bigint >= 0) AND ((credit_amount)::bigint <= (amount_gross)::bigint))),
  constraint invoices_check3 CHECK (((paid_at IS NOT NULL) = (status = 'CLOSED'::text))),
  constraint invoices_check4 CHECK (((amount_gross)::bigint = ((amount_net)::bigint + (amount_tax)::bigint))),
  constraint invoices_check5 CHECK (((term_fee_gross)::bigint = ((term_fee_net)::bigint + (term_fee_tax)::bigint))),
  constraint invoices_check6 CHECK ((((paid_amount)::bigint + (credited_amount)::bigint) <= ((amount_gross)::bigint + (term_fee_gross)::bigint))),
  constraint invoices_check7 CHECK (((merchant_fee_gross)::bigint = ((merchant_fee_net)::bigint + (merchant_fee_tax)::bigint))),
  constraint invoices_check8 CHECK (((defaults_at IS NULL) OR (status = 'DUE'::text))),
  constraint invoices_check9 CHECK ((((written_off_amount)::bigint >= 0) AND ((written_off_amount)::bigint <= (amount_gross)::bigint))),
  constraint invoices_disputed_amount_check CHECK (((disputed_amount)::bigint >= 0)),
  constraint invoices_dunning_check CHECK (((dunning_at IS NULL) OR (status = ANY (ARRAY['OPEN'::text, 'DUE'::text])))),
  constraint invoices_merchant_fee_gross_check CHECK (((merchant_fee_gross)::bigint >= 0)),
  constraint invoices_merchant_fee_net_check CHECK (((merchant_fee_net)::bigint >= 0)),
  constraint invoices_merchant_fee_tax_check CHECK (((merchant_fee_tax)::bigint >= 0)),
  constraint invoices_paid_amount_check CHECK (((paid_amount)::bigint >= 0)),
  constraint invoices_payment_method_check CHECK ((payment_method = ANY (ARRAY['CASH'::text, 'CARD'::text, 'TRANSFER'::text, 'DEBIT'::text]))),
  constraint invoices_payment_script_check CHECK ((payment_script = ANY (ARRAY['pays-late'::text, 'never-pays'::text, 'payout-fails'::text]))),
  constraint invoices_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES buyers(platform_id, external_id),
  constraint invoices_platform_id_merchant_external_id_fkey FOREIGN KEY (platform_id, merchant_external_id) REFERENCES merchants(platform_id, external_id),
  constraint invoices_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'DUE'::text, 'CLOSED'::text, 'CANCELLED'::text]))),
  constraint invoices_term_fee_gross_check CHECK (((term_fee_gross)::bigint >= 0)),
  constraint invoices_term_fee_net_check CHECK (((term_fee_net)::bigint >= 0)),
  constraint invoices_term_fee_tax_check CHECK (((term_fee_tax)::bigint >= 0))
);
CREATE INDEX invoices_by_amount ON public.invoices USING btree (platform_id, status, amount_gross DESC, external_id);
CREATE INDEX invoices_by_buyer ON public.invoices USING btree (platform_id, buyer_external_id, status, created_at DESC, external_id) INCLUDE (dunning_at, due_on);
CREATE INDEX invoices_by_collection ON public.invoices USING btree (platform_id, collection_status, created_at DESC, external_id) WHERE (collection_status IS NOT NULL);
CREATE INDEX invoices_by_created_at ON public.invoices USING btree (platform_id, status, created_at DESC, external_id);
CREATE INDEX invoices_by_currency ON public.invoices USING btree (platform_id, currency, status, created_at DESC, external_id);
CREATE INDEX invoices_by_due_at ON public.invoices USING btree (platform_id, status, due_at DESC, external_id);
CREATE INDEX invoices_by_financing ON public.invoices USING btree (platform_id, financing_status, created_at DESC, external_id) WHERE (financing_status IS NOT NULL);
CREATE INDEX invoices_by_insurance ON public.invoices USING btree (platform_id, insurance_status, created_at DESC, external_id) WHERE (insurance_status IS NOT NULL);
CREATE INDEX invoices_by_invoiced_at ON public.invoices USING btree (platform_id, status, invoiced_at DESC, external_id);
CREATE INDEX invoices_by_merchant ON public.invoices USING btree (platform_id, merchant_external_id, status, created_at DESC, external_id);
CREATE INDEX invoices_by_number ON public.invoices USING btree (platform_id, invoice_number, external_id) WHERE (invoice_number IS NOT NULL);
CREATE UNIQUE INDEX invoices_by_reference ON public.invoices USING btree (platform_id, payment_reference);
CREATE INDEX invoices_by_updated_at ON public.invoices USING btree (platform_id, status, updated_at DESC, external_id);
CREATE INDEX invoices_default_due ON public.invoices USING btree (defaults_at, platform_id) WHERE (defaults_at IS NOT NULL);
CREATE INDEX invoices_defaulting ON public.invoices USING btree (platform_id, defaults_at, external_id) WHERE (defaults_at IS NOT NULL);
CREATE INDEX invoices_due ON public.invoices USING btree (falls_due_at, platform_id) WHERE (falls_due_at IS NOT NULL);
CREATE INDEX invoices_dunning ON public.invoices USING btree (platform_id, dunning_at, external_id) WHERE (dunning_at IS NOT NULL);
CREATE INDEX invoices_dunning_due ON public.invoices USING btree (dunning_at, platform_id) WHERE (dunning_at IS NOT NULL);
CREATE INDEX invoices_falling_due ON public.invoices USING btree (platform_id, falls_due_at, external_id) WHERE (falls_due_at IS NOT NULL);
CREATE INDEX invoices_late_payment_due ON public.invoices USING btree (GREATEST(((due_at)::bigint + 864000), (created_at)::bigint), platform_id) WHERE ((payment_script = 'pays-late'::text) AND ((outstanding_amount)::bigint > 0));
CREATE INDEX invoices_paid_late ON public.invoices USING btree (platform_id, GREATEST(((due_at)::bigint + 864000), (created_at)::bigint), external_id) WHERE ((payment_script = 'pays-late'::text) AND ((outstanding_amount)::bigint > 0));
CREATE INDEX invoices_past_due ON public.invoices USING btree (platform_id, due_on, external_id) WHERE (status = 'DUE'::text);
CREATE TRIGGER count_changed_invoices AFTER UPDATE ON public.invoices REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION count_changed_status('invoices');
CREATE TRIGGER count_new_invoices AFTER INSERT ON public.invoices REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION count_by_status('invoices');
CREATE TRIGGER examine_services AFTER UPDATE ON public.invoices FOR EACH ROW WHEN (((new.active_services > 0) AND ((((old.status IS DISTINCT FROM new.status) OR ((old.due_on)::text IS DISTINCT FROM (new.due_on)::text)) OR ((old.paid_amount)::bigint IS DISTINCT FROM (new.paid_amount)::bigint)) OR ((old.credited_amount)::bigint IS DISTINCT FROM (new.credited_amount)::bigint)))) EXECUTE FUNCTION examine_services_of_invoice();
CREATE TRIGGER examine_services_of_decided AFTER UPDATE ON public.invoices FOR EACH ROW WHEN (((new.active_services > 0) AND ((new.disputed_amount)::bigint < (old.disputed_amount)::bigint))) EXECUTE FUNCTION examine_services_of_invoice();
grant insert, select, update on invoices to tradeline_service;

create table late_charge_allocations (
  platform_id integer not null,
  late_charge_external_id external_id not null,
  late_charge_version integer not null,
  payment_external_id external_id not null,
  cause text not null,
  amount minor_units not null,
  allocated_at unix_seconds not null,
  actor text not null,
  constraint late_charge_allocations_pkey PRIMARY KEY (platform_id, late_charge_external_id, late_charge_version),
  constraint late_charge_allocations_amount_check CHECK (((amount)::bigint <> 0)),
  constraint late_charge_allocations_cause_check CHECK ((cause = ANY (ARRAY['PAYMENT'::text, 'APPLICATION'::text, 'REVERSAL'::text]))),
  constraint late_charge_allocations_platform_id_late_charge_external_i_fkey FOREIGN KEY (platform_id, late_charge_external_id) REFERENCES late_charges(platform_id, external_id),
  constraint late_charge_allocations_platform_id_payment_external_id_fkey FOREIGN KEY (platform_id, payment_external_id) REFERENCES invoice_payments(platform_id, external_id)
);
CREATE INDEX late_charge_allocations_by_payment ON public.late_charge_allocations USING btree (platform_id, payment_external_id);
grant insert, select on late_charge_allocations to tradeline_service;

create table late_charge_transitions (
  platform_id integer not null,
  late_charge_external_id external_id not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  transitioned_at unix_seconds not null,
  actor text not null,
  reason text,
  constraint late_charge_transitions_pkey PRIMARY KEY (platform_id, late_charge_external_id, version),
  constraint late_charge_transitions_platform_id_late_charge_external_i_fkey FOREIGN KEY (platform_id, late_charge_external_id) REFERENCES late_charges(platform_id, external_id)
);
grant insert, select on late_charge_transitions to tradeline_service;

create table late_charges (
  platform_id integer not null,
  external_id external_id not null,
  status text not null,
  version integer not null default 1,
  ordinal bigint not null generated always as identity,
  kind text not null,
  invoice_external_id external_id not null,
  buyer_external_id external_id not null,
  merchant_external_id external_id not null,
  creditor text not null,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  charged_on calendar_day not null,
  accrued_until calendar_day,
  currency text not null,
  amount minor_units not null,
  paid_amount minor_units not null default 0,
  outstanding_amount minor_units not null generated always as (
CASE
    WHEN (status = 'WAIVED'::text) THEN (0)::bigint
    ELSE ((amount)::bigint - (paid_amount)::bigint)
END) stored,
  computation jsonb not null,
  constraint late_charges_pkey PRIMARY KEY (platform_id, external_id),
  constraint late_charges_amount_check CHECK (((amount)::bigint > 0)),
  constraint late_charges_check CHECK (((accrued_until IS NOT NULL) = (kind = 'INTEREST'::text))),
  constraint late_charges_check1 CHECK ((((paid_amount)::bigint >= 0) AND ((paid_amount)::bigint <= (amount)::bigint))),
  constraint late_charges_check2 CHECK (((status = 'PAID'::text) = (((paid_amount)::bigint = (amount)::bigint) AND (status <> 'WAIVED'::text)))),
  constraint late_charges_creditor_check CHECK ((creditor = ANY (ARRAY['PLATFORM'::text, 'MERCHANT'::text]))),
  constraint late_charges_kind_check CHECK ((kind = ANY (ARRAY['INTEREST'::text, 'COMPENSATION'::text, 'REMINDER'::text]))),
  constraint late_charges_platform_id_invoice_external_id_fkey FOREIGN KEY (platform_id, invoice_external_id) REFERENCES invoices(platform_id, external_id),
  constraint late_charges_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'PAID'::text, 'WAIVED'::text])))
);
CREATE INDEX late_charges_by_invoice ON public.late_charges USING btree (platform_id, invoice_external_id, ordinal);
CREATE INDEX late_charges_by_status ON public.late_charges USING btree (platform_id, status, ordinal);
CREATE UNIQUE INDEX late_charges_compensation_once ON public.late_charges USING btree (platform_id, invoice_external_id) WHERE (kind = 'COMPENSATION'::text);
CREATE INDEX late_charges_open_by_buyer ON public.late_charges USING btree (platform_id, buyer_external_id, invoice_external_id) WHERE (status = 'OPEN'::text);
grant insert, select, update on late_charges to tradeline_service;

create table late_interest_agreements (
  platform_id integer not null,
  agreement_id uuid not null,
  buyer_external_id text not null,
  basis_points integer not null,
  agreed_on calendar_day not null,
  source text not null,
  recorded_at unix_seconds not null,
  recorded_by text not null,
  ordinal bigint not null generated always as identity,
  constraint late_interest_agreements_pkey PRIMARY KEY (platform_id, agreement_id),
  constraint late_interest_agreements_basis_points_check CHECK (((basis_points >= 0) AND (basis_points <= 9999))),
  constraint late_interest_agreements_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id),
  constraint late_interest_agreements_source_check CHECK ((source <> ''::text))
);
CREATE INDEX late_interest_agreements_of_buyer ON public.late_interest_agreements USING btree (platform_id, buyer_external_id, agreed_on DESC, ordinal DESC);
grant insert, select on late_interest_agreements to tradeline_service;

create table ledger_books (
  platform_id integer not null,
  open_from unix_seconds not null default 0,
  constraint ledger_books_pkey PRIMARY KEY (platform_id),
  constraint ledger_books_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id)
);
grant insert, select, update on ledger_books to tradeline_service;

create table ledger_closings (
  platform_id integer not null,
  open_from unix_seconds not null,
  closed_at unix_seconds not null,
  recorded_at timestamp with time zone not null default clock_timestamp(),
  actor text not null,
  approved_by text not null,
  reason text not null,
  constraint ledger_closings_pkey PRIMARY KEY (platform_id, open_from),
  constraint ledger_closings_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES ledger_books(platform_id)
);
grant insert, select on ledger_closings to tradeline_service;

create table ledger_entries (
  platform_id integer not null,
  entry_id uuid not null,
  ordinal bigint not null generated always as identity,
  cause text not null,
  currency text not null,
  effective_at unix_seconds not null,
  belongs_to_at unix_seconds,
  recorded_at timestamp with time zone not null default clock_timestamp(),
  actor text not null,
  approved_by text,
  order_external_id external_id,
  invoice_external_id external_id,
  payment_id text,
  credit_note_external_id external_id,
  service_external_id external_id,
  payout_external_id external_id,
  reverses_entry uuid,
  line_count integer not null,
  constraint ledger_entries_pkey PRIMARY KEY (platform_id, entry_id),
  constraint ledger_entries_cause_check CHECK ((cause = ANY (ARRAY['ADVANCE_ACCEPTED'::text, 'ADVANCE_CANCELLED'::text, 'MERCHANT_MONEY_DUE'::text, 'DEBT_SET_OFF'::text, 'SET_OFF_CANCELLED'::text, 'PAYOUT_PAID'::text, 'PAYOUT_RETURNED'::text, 'PAYMENT_RECORDED'::text, 'PAYMENT_REVERSED'::text, 'CASH_APPLIED'::text, 'CASH_REFUNDED'::text, 'CREDIT_NOTE_ISSUED'::text, 'INVOICE_CANCELLED'::text, 'TERM_FEE_CHARGED'::text, 'TERM_FEE_CANCELLED'::text, 'LATE_CHARGE_CLAIMED'::text, 'LATE_CHARGE_PAID'::text, 'LATE_CHARGE_WAIVED'::text, 'DEFAULT_WRITTEN_OFF'::text, 'DEFAULT_RECOVERED'::text, 'DIFFERENCE_WRITTEN_OFF'::text, 'BANK_CHARGED'::text, 'SUSPENSE_RECORDED'::text, 'SUSPENSE_CLEARED'::text, 'CORRECTED'::text]))),
  constraint ledger_entries_check CHECK (((belongs_to_at)::bigint < (effective_at)::bigint)),
  constraint ledger_entries_line_count_check CHECK ((line_count >= 2)),
  constraint ledger_entries_payment_id_check CHECK (((length(payment_id) >= 1) AND (length(payment_id) <= 200))),
  constraint ledger_entries_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES ledger_books(platform_id),
  constraint ledger_entries_platform_id_reverses_entry_fkey FOREIGN KEY (platform_id, reverses_entry) REFERENCES ledger_entries(platform_id, entry_id)
);
CREATE INDEX ledger_entries_by_effective_at ON public.ledger_entries USING btree (platform_id, effective_at, ordinal);
CREATE INDEX ledger_entries_by_invoice ON public.ledger_entries USING btree (platform_id, invoice_external_id, ordinal) WHERE (invoice_external_id IS NOT NULL);
CREATE INDEX ledger_entries_by_payment ON public.ledger_entries USING btree (platform_id, payment_id, ordinal) WHERE (payment_id IS NOT NULL);
CREATE INDEX ledger_entries_by_recorded_at ON public.ledger_entries USING btree (platform_id, recorded_at);
CREATE UNIQUE INDEX ledger_entries_by_reversed ON public.ledger_entries USING btree (platform_id, reverses_entry) WHERE (reverses_entry IS NOT NULL);
CREATE CONSTRAINT TRIGGER ledger_entry_has_lines AFTER INSERT ON public.ledger_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_entry_has_lines();
grant insert, select on ledger_entries to tradeline_service;

create table ledger_heads (
  platform_id integer not null,
  number bigint not null,
  hash bytea not null,
  seal bytea not null,
  constraint ledger_heads_pkey PRIMARY KEY (platform_id),
  constraint ledger_heads_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES ledger_books(platform_id)
);
grant insert, select, update on ledger_heads to tradeline_service;

create table ledger_lines (
  platform_id integer not null,
  entry_id uuid not null,
  line integer not null,
  account text not null,
  party text not null,
  amount minor_units not null,
  currency text not null,
  effective_at unix_seconds not null,
  recorded_at timestamp with time zone not null,
  ordinal bigint not null,
  constraint ledger_lines_pkey PRIMARY KEY (platform_id, entry_id, line),
  constraint ledger_lines_account_check CHECK ((account = ANY (ARRAY['bank'::text, 'buyer_receivable'::text, 'term_fee_receivable'::text, 'late_charge_receivable'::text, 'unapplied_cash'::text, 'merchant_payable'::text, 'merchant_setoff'::text, 'payout_clearing'::text, 'suspense'::text, 'fee_income'::text, 'term_fee_income'::text, 'late_charge_income'::text, 'fee_tax'::text, 'bank_charges'::text, 'loss'::text, 'recovery'::text]))),
  constraint ledger_lines_amount_check CHECK (((amount)::bigint <> 0)),
  constraint ledger_lines_line_check CHECK ((line >= 1)),
  constraint ledger_lines_party_check CHECK (
CASE
    WHEN (account = ANY (ARRAY['payout_clearing'::text, 'suspense'::text, 'fee_income'::text, 'term_fee_income'::text, 'late_charge_income'::text, 'bank_charges'::text, 'loss'::text, 'recovery'::text])) THEN (party = ''::text)
    ELSE (party ~ '^[a-zA-Z0-9_-]{1,100}$'::text)
END)
);
CREATE INDEX ledger_lines_by_account ON public.ledger_lines USING btree (platform_id, account, party, currency, effective_at, ordinal, line) INCLUDE (amount, recorded_at);
CREATE INDEX ledger_lines_of_merchants ON public.ledger_lines USING btree (platform_id, account, party, ordinal) WHERE (account = ANY (ARRAY['merchant_payable'::text, 'merchant_setoff'::text]));
CREATE TRIGGER ledger_lines_balance AFTER INSERT ON public.ledger_lines REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION ledger_lines_balance();
grant insert, select on ledger_lines to tradeline_service;

create table ledger_numbers (
  platform_id integer not null,
  number bigint not null,
  entry_id uuid not null,
  hash bytea not null,
  previous_hash bytea not null,
  constraint ledger_numbers_pkey PRIMARY KEY (platform_id, number),
  constraint ledger_numbers_hash_check CHECK ((length(hash) = 32)),
  constraint ledger_numbers_number_check CHECK ((number >= 1)),
  constraint ledger_numbers_platform_id_entry_id_fkey FOREIGN KEY (platform_id, entry_id) REFERENCES ledger_entries(platform_id, entry_id),
  constraint ledger_numbers_platform_id_entry_id_key UNIQUE (platform_id, entry_id),
  constraint ledger_numbers_previous_hash_check CHECK ((length(previous_hash) = 32))
);
grant insert, select on ledger_numbers to tradeline_service;

create table ledger_open_balances (
  platform_id integer not null,
  account text not null,
  party text not null,
  currency text not null,
  invoice_external_id text not null,
  amount bigint not null,
  constraint ledger_open_balances_pkey PRIMARY KEY (platform_id, account, party, currency, invoice_external_id),
  constraint ledger_open_balances_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id)
);
CREATE INDEX ledger_open_balances_open ON public.ledger_open_balances USING btree (platform_id, account, party) INCLUDE (currency, invoice_external_id, amount) WHERE (amount <> 0);
grant insert, select, update on ledger_open_balances to tradeline_service;

create table ledger_totals (
  platform_id integer not null,
  account text not null,
  party text not null,
  currency text not null,
  effective_day integer not null,
  recorded_day integer not null,
  amount numeric not null,
  constraint ledger_totals_pkey PRIMARY KEY (platform_id, account, party, currency, effective_day, recorded_day),
  constraint ledger_totals_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES ledger_books(platform_id)
);
grant insert, select, update on ledger_totals to tradeline_service;

create table ledger_unnumbered (
  platform_id integer not null,
  ordinal bigint not null,
  entry_id uuid not null,
  constraint ledger_unnumbered_pkey PRIMARY KEY (platform_id, ordinal),
  constraint ledger_unnumbered_platform_id_entry_id_fkey FOREIGN KEY (platform_id, entry_id) REFERENCES ledger_entries(platform_id, entry_id)
);
grant delete, insert, select on ledger_unnumbered to tradeline_service;

create table legal_entities (
  platform_id integer not null,
  entity_key bytea not null,
  constraint legal_entities_pkey PRIMARY KEY (platform_id, entity_key),
  constraint legal_entities_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id)
);
grant insert, select, update on legal_entities to tradeline_service;

create table list_count_changes (
  platform_id integer not null,
  change_id bigint not null generated always as identity,
  list text not null,
  filters text[] not null,
  filter_values text[] not null,
  rows_changes bigint[] not null,
  constraint list_count_changes_pkey PRIMARY KEY (platform_id, change_id)
);
grant delete, insert, select, update on list_count_changes to tradeline_service;

create table list_counts (
  platform_id integer not null,
  list text not null,
  filter text not null,
  value text not null,
  rows_count bigint not null,
  constraint list_counts_pkey PRIMARY KEY (platform_id, list, filter, value)
);
grant insert, select, update on list_counts to tradeline_service;

create table mail_premises (
  platform_id integer not null,
  mail_id uuid not null,
  kind text not null,
  key text not null,
  version integer not null,
  constraint mail_premises_pkey PRIMARY KEY (platform_id, mail_id, kind, key),
  constraint mail_premises_platform_id_mail_id_fkey FOREIGN KEY (platform_id, mail_id) REFERENCES mails(platform_id, mail_id) ON DELETE CASCADE
);
CREATE INDEX mail_premises_by_key ON public.mail_premises USING btree (platform_id, kind, key);
grant delete, insert, select on mail_premises to tradeline_service;

create table mails (
  platform_id integer not null,
  mail_id uuid not null,
  cause text not null,
  kind text not null,
  status text not null,
  created_at unix_seconds not null,
  content_sealed bytea not null,
  attempts integer not null default 0,
  waiting_since timestamp with time zone not null default now(),
  next_attempt_at timestamp with time zone not null default now(),
  sent_at unix_seconds,
  failure text,
  is_support_notified boolean not null default false,
  buyer_external_id external_id,
  constraint mails_pkey PRIMARY KEY (platform_id, mail_id),
  constraint mails_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES buyers(platform_id, external_id),
  constraint mails_platform_id_cause_key UNIQUE (platform_id, cause),
  constraint mails_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id),
  constraint mails_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'SENT'::text, 'FAILED'::text, 'WITHDRAWN'::text])))
);
CREATE INDEX mails_by_buyer ON public.mails USING btree (platform_id, buyer_external_id, created_at DESC, mail_id) WHERE (buyer_external_id IS NOT NULL);
CREATE INDEX mails_by_created_at ON public.mails USING btree (platform_id, created_at DESC);
CREATE INDEX mails_by_waiting_since ON public.mails USING btree (waiting_since);
CREATE INDEX mails_to_report ON public.mails USING btree (platform_id, mail_id) WHERE ((status = 'FAILED'::text) AND (NOT is_support_notified));
CREATE INDEX mails_waiting ON public.mails USING btree (next_attempt_at, platform_id, mail_id) WHERE (status = 'PENDING'::text);
grant delete, insert, select, update on mails to tradeline_service;

create table mandate_transitions (
  platform_id integer not null,
  reference text not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  transitioned_at unix_seconds not null,
  actor text not null,
  constraint mandate_transitions_pkey PRIMARY KEY (platform_id, reference, version),
  constraint mandate_transitions_platform_id_reference_fkey FOREIGN KEY (platform_id, reference) REFERENCES mandates(platform_id, reference)
);
grant insert, select on mandate_transitions to tradeline_service;

create table mandates (
  platform_id integer not null,
  reference text not null,
  buyer_external_id external_id not null,
  status text not null,
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  signed_at unix_seconds not null,
  revoked_at unix_seconds,
  account_sealed bytea not null,
  iban_mac bytea not null,
  constraint mandates_pkey PRIMARY KEY (platform_id, reference),
  constraint mandates_check CHECK (((status = 'REVOKED'::text) = (revoked_at IS NOT NULL))),
  constraint mandates_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES buyers(platform_id, external_id),
  constraint mandates_reference_check CHECK ((reference ~ '^[A-Za-z0-9+?/:().,''-]{1,35}$'::text)),
  constraint mandates_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'REVOKED'::text])))
);
CREATE UNIQUE INDEX mandates_active_by_buyer ON public.mandates USING btree (platform_id, buyer_external_id) WHERE (status = 'ACTIVE'::text);
CREATE INDEX mandates_by_buyer ON public.mandates USING btree (platform_id, buyer_external_id, created_at DESC, reference);
CREATE UNIQUE INDEX mandates_by_reference ON public.mandates USING btree (platform_id, upper(reference));
grant insert, select, update on mandates to tradeline_service;

create table merchant_accounts (
  platform_id integer not null,
  merchant_external_id external_id not null,
  pays_at unix_seconds,
  constraint merchant_accounts_pkey PRIMARY KEY (platform_id, merchant_external_id),
  constraint merchant_accounts_platform_id_merchant_external_id_fkey FOREIGN KEY (platform_id, merchant_external_id) REFERENCES merchants(platform_id, external_id)
);
CREATE INDEX merchant_accounts_due ON public.merchant_accounts USING btree (pays_at, platform_id) WHERE (pays_at IS NOT NULL);
CREATE INDEX merchant_accounts_paying ON public.merchant_accounts USING btree (platform_id, pays_at, merchant_external_id) WHERE (pays_at IS NOT NULL);
grant insert, select, update on merchant_accounts to tradeline_service;

create table merchant_transitions (
  platform_id integer not null,
  merchant_external_id external_id not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  transitioned_at unix_seconds not null,
  actor text not null,
  reason text,
  constraint merchant_transitions_pkey PRIMARY KEY (platform_id, merchant_external_id, version),
  constraint merchant_transitions_platform_id_merchant_external_id_fkey FOREIGN KEY (platform_id, merchant_external_id) REFERENCES merchants(platform_id, external_id)
);
grant insert, select on merchant_transitions to tradeline_service;

create table merchants (
  platform_id integer not null,
  external_id external_id not null,
  status text not null,
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  legal_name text not null,
  legal_form text not null,
  trading_name text,
  business_identifiers jsonb not null,
  business_address jsonb not null,
  contact_emails_sealed bytea not null,
  former_emails_sealed bytea,
  emails_changed_at unix_seconds,
  constraint merchants_pkey PRIMARY KEY (platform_id, external_id),
  constraint merchants_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id),
  constraint merchants_status_check CHECK ((status = ANY (ARRAY['ENROLLED'::text, 'PENDING'::text, 'INACTIVE'::text])))
);
CREATE INDEX merchants_by_created_at ON public.merchants USING btree (platform_id, created_at DESC, external_id);
CREATE INDEX merchants_by_status ON public.merchants USING btree (platform_id, status, created_at DESC, external_id);
CREATE TRIGGER count_changed_merchants AFTER UPDATE ON public.merchants FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION count_changed_row('merchants', 'status');
CREATE TRIGGER count_new_merchants AFTER INSERT ON public.merchants REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION count_new_rows('merchants', '', 'status');
grant insert, select, update on merchants to tradeline_service;

create table notice_handovers (
  platform_id integer not null,
  notice_id uuid not null,
  handed_over_at unix_seconds not null,
  reply_sealed bytea,
  constraint notice_handovers_pkey PRIMARY KEY (platform_id, notice_id),
  constraint notice_handovers_platform_id_notice_id_fkey FOREIGN KEY (platform_id, notice_id) REFERENCES notices(platform_id, notice_id) ON DELETE CASCADE
);
grant delete, insert, select on notice_handovers to tradeline_service;

create table notices (
  platform_id integer not null,
  notice_id uuid not null,
  cause text not null,
  kind text not null,
  buyer_external_id external_id,
  recipient_masked text not null,
  language text not null,
  text_sha256 bytea not null,
  created_at unix_seconds not null,
  recorded_at timestamp with time zone not null default now(),
  constraint notices_pkey PRIMARY KEY (platform_id, notice_id),
  constraint notices_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES buyers(platform_id, external_id),
  constraint notices_platform_id_cause_key UNIQUE (platform_id, cause),
  constraint notices_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id)
);
CREATE INDEX notices_by_created_at ON public.notices USING btree (platform_id, created_at DESC, notice_id);
CREATE INDEX notices_by_recorded_at ON public.notices USING btree (recorded_at);
grant delete, insert, select on notices to tradeline_service;

create table operators (
  platform_id integer not null,
  operator_id text not null,
  role text not null,
  key_id text not null,
  secret_sha256 bytea not null,
  email_sealed bytea not null,
  email_hash bytea not null,
  created_at unix_seconds not null,
  created_by text not null,
  approved_by text,
  disabled_at unix_seconds,
  disabled_by text,
  constraint operators_pkey PRIMARY KEY (platform_id, operator_id),
  constraint operators_check CHECK (((disabled_at IS NULL) = (disabled_by IS NULL))),
  constraint operators_check1 CHECK ((approved_by <> created_by)),
  constraint operators_operator_id_check CHECK ((operator_id ~ '^[a-z0-9][a-z0-9.-]{0,49}$'::text)),
  constraint operators_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id),
  constraint operators_platform_id_key_id_key UNIQUE (platform_id, key_id),
  constraint operators_role_check CHECK ((role = ANY (ARRAY['VIEW'::text, 'CREDIT'::text, 'FINANCE'::text, 'ADMIN'::text])))
);
CREATE UNIQUE INDEX operators_by_email ON public.operators USING btree (platform_id, email_hash) WHERE (disabled_at IS NULL);
grant insert, select, update on operators to tradeline_service;

create table order_transitions (
  platform_id integer not null,
  order_external_id external_id not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  transitioned_at unix_seconds not null,
  actor text not null,
  reason text,
  decision_id uuid,
  constraint order_transitions_pkey PRIMARY KEY (platform_id, order_external_id, version),
  constraint order_transitions_platform_id_order_external_id_fkey FOREIGN KEY (platform_id, order_external_id) REFERENCES orders(platform_id, external_id)
);
grant insert, select on order_transitions to tradeline_service;

create table orders (
  platform_id integer not null,
  external_id external_id not null,
  status text not null,
  version integer not null default 1,
  buyer_external_id external_id not null,
  merchant_external_id external_id not null,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  ordered_at unix_seconds not null,
  payment_method text,
  payment_term text,
  currency text not null,
  amount_net minor_units not null,
  amount_gross minor_units not null,
  amount_tax minor_units not null,
  comment text,
  delivery_address jsonb,
  custom_data json,
  line_items json not null,
  contact_email_sealed bytea,
  cancellation_reason text,
  expires_at unix_seconds,
  reserved_amount minor_units not null default 0,
  invoiced_amount minor_units not null default 0,
  term_offer json,
  is_closed_short boolean not null default false,
  is_invitation_due boolean not null default false,
  decision_id uuid,
  vouched_by external_id,
  vouched_at unix_seconds,
  vouched_actor text,
  is_email_from_merchant boolean not null default false,
  purchase_order_number text,
  invoice_email_sealed bytea,
  billing_address jsonb,
  paid_at unix_seconds,
  constraint orders_pkey PRIMARY KEY (platform_id, external_id),
  constraint orders_cancellation_reason_check CHECK ((cancellation_reason = ANY (ARRAY['MERCHANT'::text, 'BUYER'::text, 'RISK'::text, 'PLATFORM'::text]))),
  constraint orders_check CHECK (((amount_gross)::bigint = ((amount_net)::bigint + (amount_tax)::bigint))),
  constraint orders_check1 CHECK ((((reserved_amount)::bigint >= 0) AND ((reserved_amount)::bigint <= (amount_gross)::bigint))),
  constraint orders_check2 CHECK ((((invoiced_amount)::bigint >= 0) AND ((invoiced_amount)::bigint <= (amount_gross)::bigint))),
  constraint orders_check3 CHECK ((((vouched_by IS NULL) = (vouched_at IS NULL)) AND ((vouched_by IS NULL) = (vouched_actor IS NULL)))),
  constraint orders_payment_method_check CHECK ((payment_method = ANY (ARRAY['CASH'::text, 'CARD'::text, 'TRANSFER'::text, 'DEBIT'::text]))),
  constraint orders_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES buyers(platform_id, external_id),
  constraint orders_platform_id_merchant_external_id_fkey FOREIGN KEY (platform_id, merchant_external_id) REFERENCES merchants(platform_id, external_id),
  constraint orders_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'CANCELLED'::text, 'CLOSED'::text, 'PENDING_CONFIRMATION'::text, 'CONFIRMED'::text, 'EXPIRED'::text, 'DISBURSED'::text])))
);
CREATE INDEX orders_by_amount ON public.orders USING btree (platform_id, status, amount_gross DESC, external_id);
CREATE INDEX orders_by_buyer ON public.orders USING btree (platform_id, buyer_external_id, status, created_at DESC, external_id);
CREATE INDEX orders_by_created_at ON public.orders USING btree (platform_id, status, created_at DESC, external_id);
CREATE INDEX orders_by_currency ON public.orders USING btree (platform_id, currency, status, created_at DESC, external_id);
CREATE INDEX orders_by_merchant ON public.orders USING btree (platform_id, merchant_external_id, status, created_at DESC, external_id);
CREATE INDEX orders_by_ordered_at ON public.orders USING btree (platform_id, status, ordered_at DESC, external_id);
CREATE INDEX orders_by_updated_at ON public.orders USING btree (platform_id, status, updated_at DESC, external_id);
CREATE INDEX orders_due ON public.orders USING btree (expires_at, platform_id) WHERE (expires_at IS NOT NULL);
CREATE INDEX orders_expiring ON public.orders USING btree (platform_id, expires_at, external_id) WHERE (expires_at IS NOT NULL);
CREATE INDEX orders_placed_by_buyer ON public.orders USING btree (platform_id, buyer_external_id) WHERE ((status = ANY (ARRAY['CONFIRMED'::text, 'DISBURSED'::text, 'CLOSED'::text])) AND ((payment_term <> 'PREPAYMENT'::text) OR (status = 'CLOSED'::text)));
CREATE INDEX orders_to_invite ON public.orders USING btree (platform_id, created_at, external_id) WHERE is_invitation_due;
CREATE TRIGGER count_changed_orders AFTER UPDATE ON public.orders REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION count_changed_status('orders');
CREATE TRIGGER count_new_orders AFTER INSERT ON public.orders REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION count_by_status('orders');
grant insert, select, update on orders to tradeline_service;

create table overdue_invoices (
  platform_id integer not null,
  buyer_external_id external_id not null,
  invoice_external_id external_id not null,
  due_at unix_seconds not null,
  currency text not null,
  outstanding_amount minor_units not null,
  installment integer not null,
  constraint overdue_invoices_pkey PRIMARY KEY (platform_id, buyer_external_id, invoice_external_id, installment),
  constraint overdue_invoices_installment_check CHECK ((installment >= 1)),
  constraint overdue_invoices_outstanding_amount_check CHECK (((outstanding_amount)::bigint > 0)),
  constraint overdue_invoices_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES buyers(platform_id, external_id)
);
CREATE INDEX overdue_invoices_by_age ON public.overdue_invoices USING btree (platform_id, buyer_external_id, due_at);
grant delete, insert, select, update on overdue_invoices to tradeline_service;

create table paid_invoice_reversals (
  platform_id integer not null,
  buyer_external_id external_id not null,
  invoice_external_id external_id not null,
  payment_id text not null,
  recorded_at unix_seconds not null,
  constraint paid_invoice_reversals_pkey PRIMARY KEY (platform_id, buyer_external_id, invoice_external_id, payment_id),
  constraint paid_invoice_reversals_platform_id_buyer_external_id_invoi_fkey FOREIGN KEY (platform_id, buyer_external_id, invoice_external_id, payment_id) REFERENCES paid_invoices(platform_id, buyer_external_id, invoice_external_id, payment_id)
);
grant insert, select on paid_invoice_reversals to tradeline_service;

create table paid_invoices (
  platform_id integer not null,
  buyer_external_id external_id not null,
  invoice_external_id external_id not null,
  payment_id text not null,
  due_on date not null,
  paid_on date not null,
  currency text not null,
  amount minor_units not null,
  recorded_at unix_seconds not null,
  constraint paid_invoices_pkey PRIMARY KEY (platform_id, buyer_external_id, invoice_external_id, payment_id),
  constraint paid_invoices_amount_check CHECK (((amount)::bigint > 0)),
  constraint paid_invoices_payment_id_check CHECK (((length(payment_id) >= 1) AND (length(payment_id) <= 200))),
  constraint paid_invoices_platform_id_buyer_external_id_fkey FOREIGN KEY (platform_id, buyer_external_id) REFERENCES buyers(platform_id, external_id)
);
grant insert, select on paid_invoices to tradeline_service;

create table payment_allocations (
  platform_id integer not null,
  payment_external_id external_id not null,
  "position" integer not null,
  invoice_external_id external_id not null,
  installment integer not null,
  cause text not null,
  fee_amount minor_units not null,
  goods_amount minor_units not null,
  allocated_at unix_seconds not null,
  actor text not null,
  invoice_version integer not null,
  constraint payment_allocations_pkey PRIMARY KEY (platform_id, payment_external_id, "position"),
  constraint payment_allocations_cause_check CHECK ((cause = ANY (ARRAY['PAYMENT'::text, 'APPLICATION'::text, 'CREDIT_NOTE'::text, 'REFUND'::text, 'REVERSAL'::text]))),
  constraint payment_allocations_platform_id_invoice_external_id_instal_fkey FOREIGN KEY (platform_id, invoice_external_id, installment) REFERENCES invoice_installments(platform_id, invoice_external_id, number),
  constraint payment_allocations_platform_id_payment_external_id_fkey FOREIGN KEY (platform_id, payment_external_id) REFERENCES invoice_payments(platform_id, external_id),
  constraint payment_allocations_position_check CHECK (("position" >= 1))
);
CREATE INDEX payment_allocations_by_invoice ON public.payment_allocations USING btree (platform_id, invoice_external_id, payment_external_id, "position");
grant insert, select on payment_allocations to tradeline_service;

create table payout_files (
  platform_id integer not null,
  external_id external_id not null,
  scheme text not null,
  currency text not null,
  execution_on calendar_day not null,
  payouts_count integer not null,
  amount minor_units not null,
  created_at unix_seconds not null,
  created_by text not null,
  sha256 bytea not null,
  content_sealed bytea not null,
  constraint payout_files_pkey PRIMARY KEY (platform_id, external_id),
  constraint payout_files_amount_check CHECK (((amount)::bigint > 0)),
  constraint payout_files_payouts_count_check CHECK ((payouts_count > 0)),
  constraint payout_files_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id),
  constraint payout_files_scheme_check CHECK ((scheme = ANY (ARRAY['SEPA'::text, 'FPS'::text, 'SWIFT'::text])))
);
grant insert, select on payout_files to tradeline_service;

create table payout_instruction_transitions (
  platform_id integer not null,
  external_id external_id not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  transitioned_at unix_seconds not null,
  actor text not null,
  approved_by text,
  reason text,
  name_check text,
  account_masked text not null,
  constraint payout_instruction_transitions_pkey PRIMARY KEY (platform_id, external_id, version),
  constraint payout_instruction_transitions_name_check_check CHECK ((name_check = ANY (ARRAY['MATCH'::text, 'CLOSE_MATCH'::text, 'NOT_AVAILABLE'::text]))),
  constraint payout_instruction_transitions_platform_id_external_id_fkey FOREIGN KEY (platform_id, external_id) REFERENCES payout_instructions(platform_id, external_id)
);
grant insert, select on payout_instruction_transitions to tradeline_service;

create table payout_instructions (
  platform_id integer not null,
  external_id external_id not null,
  merchant_external_id external_id not null,
  type text not null,
  status text not null,
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  payable_from unix_seconds not null,
  details_sealed bytea not null,
  account_mac bytea not null,
  payouts_under_way integer not null default 0,
  constraint payout_instructions_pkey PRIMARY KEY (platform_id, external_id),
  constraint payout_instructions_payouts_under_way_check CHECK ((payouts_under_way >= 0)),
  constraint payout_instructions_platform_id_merchant_external_id_fkey FOREIGN KEY (platform_id, merchant_external_id) REFERENCES merchants(platform_id, external_id),
  constraint payout_instructions_status_check CHECK ((status = ANY (ARRAY['UNVERIFIED'::text, 'VERIFIED'::text, 'REJECTED'::text, 'DELETED'::text]))),
  constraint payout_instructions_type_check CHECK ((type = ANY (ARRAY['SEPA'::text, 'FPS'::text, 'SWIFT'::text])))
);
CREATE INDEX payout_instructions_by_account ON public.payout_instructions USING btree (platform_id, account_mac);
CREATE INDEX payout_instructions_by_merchant ON public.payout_instructions USING btree (platform_id, merchant_external_id, created_at DESC, external_id) WHERE (status <> 'DELETED'::text);
CREATE INDEX payout_instructions_by_status ON public.payout_instructions USING btree (platform_id, status, created_at DESC, external_id);
CREATE INDEX payout_instructions_by_type ON public.payout_instructions USING btree (platform_id, type, created_at DESC, external_id) WHERE (status <> 'DELETED'::text);
CREATE TRIGGER count_changed_payout_instructions AFTER UPDATE ON public.payout_instructions FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) OR (old.type IS DISTINCT FROM new.type))) EXECUTE FUNCTION count_changed_row('payout_instructions', 'status', 'status,type');
CREATE TRIGGER count_new_payout_instructions AFTER INSERT ON public.payout_instructions REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION count_new_rows('payout_instructions', 'status', 'status,type');
CREATE TRIGGER examine_services AFTER UPDATE ON public.payout_instructions FOR EACH ROW WHEN (((new.status = 'VERIFIED'::text) AND (old.status <> 'VERIFIED'::text))) EXECUTE FUNCTION examine_services_of_merchant();
CREATE TRIGGER payout_run_begins AFTER INSERT OR UPDATE OF status ON public.payout_instructions FOR EACH ROW WHEN ((new.status = 'VERIFIED'::text)) EXECUTE FUNCTION begin_payout_run();
grant insert, select, update on payout_instructions to tradeline_service;

create table payout_lines (
  platform_id integer not null,
  line_id uuid not null,
  merchant_external_id external_id not null,
  currency text not null,
  kind text not null,
  invoice_external_id external_id,
  service_external_id external_id,
  amount minor_units not null,
  earliest_on calendar_day not null,
  created_at unix_seconds not null,
  payout_external_id external_id,
  constraint payout_lines_pkey PRIMARY KEY (platform_id, line_id),
  constraint payout_lines_check CHECK (((service_external_id IS NOT NULL) = (kind = 'ADVANCE'::text))),
  constraint payout_lines_check1 CHECK ((((amount)::bigint >= 0) OR (kind <> 'ADVANCE'::text))),
  constraint payout_lines_check2 CHECK (((payout_external_id IS NOT NULL) OR (kind <> 'SET_OFF'::text))),
  constraint payout_lines_kind_check CHECK ((kind = ANY (ARRAY['ADVANCE'::text, 'COLLECTED'::text, 'SET_OFF'::text]))),
  constraint payout_lines_platform_id_merchant_external_id_fkey FOREIGN KEY (platform_id, merchant_external_id) REFERENCES merchants(platform_id, external_id),
  constraint payout_lines_platform_id_payout_external_id_fkey FOREIGN KEY (platform_id, payout_external_id) REFERENCES payouts(platform_id, external_id)
);
CREATE INDEX payout_lines_by_payout ON public.payout_lines USING btree (platform_id, payout_external_id, kind, line_id) WHERE (payout_external_id IS NOT NULL);
CREATE UNIQUE INDEX payout_lines_by_service ON public.payout_lines USING btree (platform_id, service_external_id) WHERE (service_external_id IS NOT NULL);
CREATE INDEX payout_lines_waiting ON public.payout_lines USING btree (platform_id, merchant_external_id, currency, earliest_on) WHERE (payout_external_id IS NULL);
grant delete, insert, select, update on payout_lines to tradeline_service;

create table payout_runs (
  platform_id integer not null,
  next_at unix_seconds not null,
  constraint payout_runs_pkey PRIMARY KEY (platform_id),
  constraint payout_runs_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id)
);
CREATE INDEX payout_runs_due ON public.payout_runs USING btree (next_at, platform_id);
grant insert, select, update on payout_runs to tradeline_service;

create table payout_transitions (
  platform_id integer not null,
  payout_external_id external_id not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  transitioned_at unix_seconds not null,
  actor text not null,
  approved_by text,
  reason text,
  constraint payout_transitions_pkey PRIMARY KEY (platform_id, payout_external_id, version),
  constraint payout_transitions_platform_id_payout_external_id_fkey FOREIGN KEY (platform_id, payout_external_id) REFERENCES payouts(platform_id, external_id)
);
grant insert, select on payout_transitions to tradeline_service;

create table payouts (
  platform_id integer not null,
  external_id external_id not null,
  end_to_end_id text not null,
  merchant_external_id external_id not null,
  payout_instruction_external_id external_id not null,
  scheme text not null,
  currency text not null,
  status text not null,
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  scheduled_on calendar_day not null,
  amount minor_units not null,
  instruction_version integer,
  file_external_id external_id,
  nets_at unix_seconds,
  paid_at unix_seconds,
  failure_reason text,
  constraint payouts_pkey PRIMARY KEY (platform_id, external_id),
  constraint payouts_amount_check CHECK (((amount)::bigint >= 0)),
  constraint payouts_check CHECK (((nets_at IS NULL) OR (((amount)::bigint = 0) AND (status = 'SCHEDULED'::text)))),
  constraint payouts_end_to_end_id_check CHECK ((end_to_end_id ~ '^[A-Z0-9]{1,35}$'::text)),
  constraint payouts_platform_id_file_external_id_fkey FOREIGN KEY (platform_id, file_external_id) REFERENCES payout_files(platform_id, external_id),
  constraint payouts_platform_id_merchant_external_id_fkey FOREIGN KEY (platform_id, merchant_external_id) REFERENCES merchants(platform_id, external_id),
  constraint payouts_platform_id_payout_instruction_external_id_fkey FOREIGN KEY (platform_id, payout_instruction_external_id) REFERENCES payout_instructions(platform_id, external_id),
  constraint payouts_scheme_check CHECK ((scheme = ANY (ARRAY['SEPA'::text, 'FPS'::text, 'SWIFT'::text]))),
  constraint payouts_status_check CHECK ((status = ANY (ARRAY['SCHEDULED'::text, 'INSTRUCTED'::text, 'PAID'::text, 'FAILED'::text, 'CANCELLED'::text])))
);
CREATE INDEX payouts_by_amount ON public.payouts USING btree (platform_id, amount DESC, external_id);
CREATE INDEX payouts_by_created_at ON public.payouts USING btree (platform_id, created_at DESC, external_id);
CREATE INDEX payouts_by_currency ON public.payouts USING btree (platform_id, currency, created_at DESC, external_id);
CREATE UNIQUE INDEX payouts_by_end_to_end_id ON public.payouts USING btree (platform_id, end_to_end_id);
CREATE INDEX payouts_by_instruction ON public.payouts USING btree (platform_id, payout_instruction_external_id, created_at DESC, external_id);
CREATE INDEX payouts_by_merchant ON public.payouts USING btree (platform_id, merchant_external_id, created_at DESC, external_id);
CREATE INDEX payouts_by_scheduled_on ON public.payouts USING btree (platform_id, scheduled_on DESC, external_id);
CREATE INDEX payouts_by_scheme ON public.payouts USING btree (platform_id, scheme, created_at DESC, external_id);
CREATE INDEX payouts_by_status ON public.payouts USING btree (platform_id, status, created_at DESC, external_id);
CREATE INDEX payouts_due ON public.payouts USING btree (nets_at, platform_id) WHERE (nets_at IS NOT NULL);
CREATE INDEX payouts_netting ON public.payouts USING btree (platform_id, nets_at, external_id) WHERE (nets_at IS NOT NULL);
CREATE INDEX payouts_without_file ON public.payouts USING btree (platform_id, external_id) WHERE ((status = 'INSTRUCTED'::text) AND (file_external_id IS NULL));
CREATE TRIGGER count_changed_payouts AFTER UPDATE ON public.payouts FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) OR (old.scheme IS DISTINCT FROM new.scheme) OR ((old.payout_instruction_external_id)::text IS DISTINCT FROM (new.payout_instruction_external_id)::text))) EXECUTE FUNCTION count_changed_row('payouts', 'status', 'scheme', 'payout_instruction_external_id', 'status,merchant_external_id');
CREATE TRIGGER count_new_payouts AFTER INSERT ON public.payouts REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION count_new_rows('payouts', '', 'status', 'currency', 'scheme', 'merchant_external_id', 'payout_instruction_external_id', 'status,merchant_external_id');
grant insert, select, update on payouts to tradeline_service;

create table platform_logos (
  platform_id integer not null,
  media_type text not null,
  content bytea not null,
  sha256 bytea not null,
  created_at unix_seconds not null,
  constraint platform_logos_pkey PRIMARY KEY (platform_id),
  constraint platform_logos_content_check CHECK (((octet_length(content) >= 1) AND (octet_length(content) <= 65536))),
  constraint platform_logos_media_type_check CHECK ((media_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'image/webp'::text, 'image/svg+xml'::text]))),
  constraint platform_logos_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id)
);
grant delete, insert, select, update on platform_logos to tradeline_service;

create table platform_settings_versions (
  platform_id integer not null,
  version integer not null,
  valid_from unix_seconds not null,
  recorded_at timestamp with time zone not null default now(),
  set_by text not null,
  approved_by text,
  reason text,
  settings jsonb not null,
  addresses_sealed bytea,
  constraint platform_settings_versions_pkey PRIMARY KEY (platform_id, version),
  constraint platform_settings_versions_check CHECK ((approved_by <> set_by)),
  constraint platform_settings_versions_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id),
  constraint platform_settings_versions_version_check CHECK ((version >= 1))
);
grant insert, select on platform_settings_versions to tradeline_service;

create table platforms (
  platform_id integer not null generated always as identity,
  code text not null,
  name text not null,
  version integer not null default 1,
  created_at unix_seconds not null,
  country text not null,
  currency text not null,
  financing_currencies text[] not null default '{}'::text[],
  collection_currencies text[] not null default '{}'::text[],
  support_emails text[] not null default '{}'::text[],
  payout_term integer not null default 0,
  max_payment_term integer not null default 120,
  is_single_merchant boolean not null default false,
  language text,
  formality text not null default 'NEUTRAL'::text,
  has_erp_configuration boolean not null default false,
  logo_url text,
  redirect_url text,
  min_payout_business_day integer not null default 2,
  communication_email text,
  communication_bcc_email text,
  data_key_wrapped bytea not null,
  clock_ahead_seconds bigint not null default 0,
  clock_moving_until timestamp with time zone,
  disabled_at unix_seconds,
  checkout_origins text[] not null default '{}'::text[],
  sends_checkout_invitations boolean not null default false,
  return_secret_generation integer not null default 1,
  enrolls_merchants boolean not null default true,
  brand_color text,
  privacy_url text,
  imprint_url text,
  terms_url text,
  review_days integer not null default 1,
  account_holder text,
  iban_sealed text,
  bic text,
  time_zone text not null default 'UTC'::text,
  term_fee_payer text not null default 'BUYER'::text,
  financing_default_days integer not null default 90,
  account_town text,
  account_country text,
  financing_review text not null default 'NEVER'::text,
  mails_off text[] not null default '{}'::text[],
  late_charge_order text not null default 'PRINCIPAL_FIRST'::text,
  disputes_pause boolean not null default true,
  wait_for_bank text,
  late_interest_basis_points integer,
  sends_monthly_statements boolean not null default false,
  relocating_since unix_seconds,
  exported_snapshot text,
  constraint platforms_pkey PRIMARY KEY (platform_id),
  constraint platforms_account_country_check CHECK ((account_country ~ '^[A-Z]{2}$'::text)),
  constraint platforms_account_town_check CHECK (((char_length(account_town) >= 1) AND (char_length(account_town) <= 35))),
  constraint platforms_brand_color_check CHECK ((brand_color ~ '^#[0-9a-f]{6}$'::text)),
  constraint platforms_clock_ahead_seconds_check CHECK ((clock_ahead_seconds >= 0)),
  constraint platforms_code_check CHECK ((code ~ '^[a-z0-9-]{1,50}$'::text)),
  constraint platforms_code_key UNIQUE (code),
  constraint platforms_financing_default_days_check CHECK (((financing_default_days >= 1) AND (financing_default_days <= 3650))),
  constraint platforms_financing_review_check CHECK ((financing_review = ANY (ARRAY['NEVER'::text, 'UNREADABLE_FILES'::text, 'ALWAYS'::text]))),
  constraint platforms_late_charge_order_check CHECK ((late_charge_order = ANY (ARRAY['PRINCIPAL_FIRST'::text, 'CHARGES_FIRST'::text]))),
  constraint platforms_late_interest_basis_points_check CHECK (((late_interest_basis_points >= 0) AND (late_interest_basis_points <= 100000))),
  constraint platforms_max_payment_term_check CHECK ((max_payment_term >= 0)),
  constraint platforms_min_payout_business_day_check CHECK ((min_payout_business_day >= 1)),
  constraint platforms_payout_term_check CHECK ((payout_term >= 0)),
  constraint platforms_return_secret_generation_check CHECK ((return_secret_generation >= 1)),
  constraint platforms_review_days_check CHECK (((review_days >= 1) AND (review_days <= 30))),
  constraint platforms_term_fee_payer_check CHECK ((term_fee_payer = ANY (ARRAY['BUYER'::text, 'MERCHANT'::text]))),
  constraint platforms_time_zone_check CHECK (((length(time_zone) >= 1) AND (length(time_zone) <= 64))),
  constraint platforms_wait_for_bank_check CHECK ((wait_for_bank ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'::text))
);
CREATE INDEX platforms_ahead ON public.platforms USING btree (platform_id) WHERE (clock_ahead_seconds > 0);
CREATE INDEX platforms_relocating ON public.platforms USING btree (platform_id) WHERE (relocating_since IS NOT NULL);
CREATE INDEX platforms_with_statements ON public.platforms USING btree (platform_id) WHERE sends_monthly_statements;
grant insert, select, update on platforms to tradeline_service;

create table reference_rate_versions (
  platform_id integer not null,
  version integer not null,
  valid_from unix_seconds not null,
  recorded_at timestamp with time zone not null default now(),
  set_by text not null,
  approved_by text,
  reason text,
  rates jsonb not null,
  constraint reference_rate_versions_pkey PRIMARY KEY (platform_id, version),
  constraint reference_rate_versions_check CHECK ((approved_by <> set_by)),
  constraint reference_rate_versions_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id),
  constraint reference_rate_versions_version_check CHECK ((version >= 1))
);
grant insert, select on reference_rate_versions to tradeline_service;

create table refused_addresses (
  platform_id integer not null,
  address_mac bytea not null,
  refused_at timestamp with time zone not null default now(),
  constraint refused_addresses_pkey PRIMARY KEY (platform_id, address_mac),
  constraint refused_addresses_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id)
);
grant delete, insert, select on refused_addresses to tradeline_service;

create table registry_companies (
  company_id bigint not null generated always as identity,
  registry text not null,
  registry_key text not null,
  country text not null,
  legal_name text not null,
  trading_name text,
  other_names text[] not null,
  legal_form text,
  elf_code text,
  address jsonb not null,
  identifiers jsonb not null,
  incorporated_on date,
  website text,
  is_active boolean not null,
  name_words text not null,
  search_keys text[] not null,
  refreshed_at unix_seconds not null,
  is_in_liquidation boolean not null default false,
  constraint registry_companies_pkey PRIMARY KEY (company_id),
  constraint registry_companies_registry_registry_key_key UNIQUE (registry, registry_key)
);
CREATE INDEX registry_companies_by_search_key ON public.registry_companies USING gin (search_keys);
grant delete, insert, select, update on registry_companies to tradeline_service;

create table registry_followed (
  company_id bigint not null,
  is_changed boolean not null default false,
  constraint registry_followed_pkey PRIMARY KEY (company_id)
);
CREATE INDEX registry_followed_changed ON public.registry_followed USING btree (company_id) WHERE is_changed;
grant delete, insert, select, update on registry_followed to tradeline_service;

create table registry_imports (
  import_id bigint not null generated always as identity,
  file_key text not null,
  file_name text not null,
  format text not null,
  records_read bigint not null default 0,
  companies_written bigint not null default 0,
  records_refused bigint not null default 0,
  started_at unix_seconds not null,
  finished_at unix_seconds,
  constraint registry_imports_pkey PRIMARY KEY (import_id),
  constraint registry_imports_file_key_key UNIQUE (file_key)
);
grant delete, insert, select, update on registry_imports to tradeline_service;

create table registry_words (
  country text not null,
  word text not null,
  companies integer not null,
  variants integer[] not null,
  constraint registry_words_pkey PRIMARY KEY (country, word)
);
CREATE INDEX registry_words_by_trigram ON public.registry_words USING gin (word gin_trgm_ops);
CREATE INDEX registry_words_by_variant ON public.registry_words USING gin (variants);
grant delete, insert, select, update on registry_words to tradeline_service;

create table reminded_parties (
  platform_id integer not null,
  merchant_external_id text not null,
  buyer_external_id text not null,
  constraint reminded_parties_pkey PRIMARY KEY (platform_id, merchant_external_id, buyer_external_id),
  constraint reminded_parties_check CHECK (((merchant_external_id = ''::text) OR (buyer_external_id = ''::text))),
  constraint reminded_parties_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id)
);
grant delete, insert, select on reminded_parties to tradeline_service;

create table service_fee_versions (
  platform_id integer not null,
  version integer not null,
  valid_from unix_seconds not null,
  recorded_at timestamp with time zone not null default now(),
  set_by text not null,
  approved_by text,
  reason text,
  fees jsonb not null,
  constraint service_fee_versions_pkey PRIMARY KEY (platform_id, version),
  constraint service_fee_versions_check CHECK ((approved_by <> set_by)),
  constraint service_fee_versions_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id),
  constraint service_fee_versions_version_check CHECK ((version >= 1))
);
grant insert, select on service_fee_versions to tradeline_service;

create table statement_runs (
  platform_id integer not null,
  month_on calendar_day not null,
  last_buyer_external_id text,
  finished_at unix_seconds,
  constraint statement_runs_pkey PRIMARY KEY (platform_id, month_on),
  constraint statement_runs_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id)
);
grant insert, select, update on statement_runs to tradeline_service;

create table webhook_attempts (
  platform_id integer not null,
  delivery_id bigint not null,
  attempt integer not null,
  started_at timestamp with time zone not null,
  duration_ms integer not null,
  status_code integer,
  failure text,
  round integer not null default 1,
  url text,
  address text,
  answer_sealed bytea,
  failure_detail text,
  constraint webhook_attempts_pkey PRIMARY KEY (platform_id, delivery_id, round, attempt)
);
grant delete, insert, select, update on webhook_attempts to tradeline_service;

create table webhook_deliveries (
  platform_id integer not null,
  delivery_id bigint not null generated always as identity,
  subscription_id uuid not null,
  event_id uuid not null,
  status text not null,
  attempts integer not null default 0,
  created_at timestamp with time zone not null default now(),
  next_attempt_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  round integer not null default 1,
  waiting_since timestamp with time zone not null default now(),
  is_held boolean not null default false,
  is_recovered boolean not null default false,
  constraint webhook_deliveries_pkey PRIMARY KEY (platform_id, delivery_id),
  constraint webhook_deliveries_platform_id_event_id_fkey FOREIGN KEY (platform_id, event_id) REFERENCES events(platform_id, event_id),
  constraint webhook_deliveries_platform_id_subscription_id_fkey FOREIGN KEY (platform_id, subscription_id) REFERENCES webhook_subscriptions(platform_id, subscription_id),
  constraint webhook_deliveries_round_check CHECK ((round >= 1)),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'DELIVERED'::text, 'FAILED'::text, 'DISCARDED'::text])))
);
CREATE UNIQUE INDEX webhook_deliveries_by_event_and_subscription ON public.webhook_deliveries USING btree (platform_id, event_id, subscription_id);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (platform_id, subscription_id, next_attempt_at) WHERE (status = 'PENDING'::text);
CREATE INDEX webhook_deliveries_held ON public.webhook_deliveries USING btree (platform_id, subscription_id, is_recovered, next_attempt_at) WHERE ((status = 'PENDING'::text) AND is_held);
CREATE INDEX webhook_deliveries_to_claim ON public.webhook_deliveries USING btree (next_attempt_at) WHERE ((status = 'PENDING'::text) AND (NOT is_held));
grant delete, insert, select, update on webhook_deliveries to tradeline_service;

create table webhook_leases (
  platform_id integer not null,
  delivery_id bigint not null,
  subscription_id uuid not null,
  leased_until timestamp with time zone not null,
  constraint webhook_leases_pkey PRIMARY KEY (platform_id, delivery_id)
);
grant delete, insert, select, update on webhook_leases to tradeline_service;

create table webhook_recoveries (
  platform_id integer not null,
  subscription_id uuid not null,
  requested_at timestamp with time zone not null default now(),
  position_next bigint not null,
  position_until bigint,
  constraint webhook_recoveries_pkey PRIMARY KEY (platform_id, subscription_id),
  constraint webhook_recoveries_platform_id_subscription_id_fkey FOREIGN KEY (platform_id, subscription_id) REFERENCES webhook_subscriptions(platform_id, subscription_id),
  constraint webhook_recoveries_position_next_check CHECK ((position_next >= 1))
);
grant delete, insert, select, update on webhook_recoveries to tradeline_service;

create table webhook_subscription_transitions (
  platform_id integer not null,
  subscription_id uuid not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  transitioned_at unix_seconds not null,
  actor text not null,
  url text not null,
  failure text,
  type text not null,
  ordinal bigint not null generated always as identity,
  constraint webhook_subscription_transitions_pkey PRIMARY KEY (platform_id, subscription_id, version),
  constraint webhook_subscription_transitio_platform_id_subscription_id_fkey FOREIGN KEY (platform_id, subscription_id) REFERENCES webhook_subscriptions(platform_id, subscription_id)
);
CREATE INDEX webhook_subscription_transitions_by_type ON public.webhook_subscription_transitions USING btree (platform_id, type, ordinal);
grant insert, select on webhook_subscription_transitions to tradeline_service;

create table webhook_subscriptions (
  platform_id integer not null,
  subscription_id uuid not null,
  type text not null,
  url text not null,
  status text not null,
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  secret_sealed bytea not null,
  previous_secret_sealed bytea,
  previous_secret_until timestamp with time zone,
  windows_lost integer not null default 0,
  is_support_notified boolean not null default false,
  last_success_at timestamp with time zone,
  failures_in_row integer not null default 0,
  last_outcome text,
  origin text not null generated always as (lower("substring"(url, '^[^/]+//[^/?#]+'::text))) stored,
  backlog_notified_at timestamp with time zone,
  canonical_origin text,
  canonical_of_url text,
  receiver_origin text generated always as (
CASE
    WHEN (canonical_of_url = url) THEN canonical_origin
    ELSE rtrim(regexp_replace(regexp_replace(lower("substring"(url, '^[^/]+//[^/?#]+'::text)), '[.]?:0*([0-9]*)$'::text, ':\1'::text), '^(https:.*):(443)?$|^(http:.*):(80)?$'::text, '\1\3'::text), '.'::text)
END) stored,
  constraint webhook_subscriptions_pkey PRIMARY KEY (platform_id, subscription_id),
  constraint webhook_subscriptions_last_outcome_check CHECK ((last_outcome = ANY (ARRAY['DELIVERED'::text, 'SLOW'::text, 'FAILED'::text, 'TIMEOUT'::text]))),
  constraint webhook_subscriptions_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(platform_id),
  constraint webhook_subscriptions_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'DISABLED'::text, 'UNSUBSCRIBED'::text])))
);
CREATE INDEX webhook_subscriptions_active ON public.webhook_subscriptions USING btree (platform_id, subscription_id) WHERE (status = 'ACTIVE'::text);
CREATE INDEX webhook_subscriptions_by_status ON public.webhook_subscriptions USING btree (platform_id, status, type, subscription_id);
CREATE UNIQUE INDEX webhook_subscriptions_by_type ON public.webhook_subscriptions USING btree (platform_id, type) WHERE (status <> 'UNSUBSCRIBED'::text);
CREATE INDEX webhook_subscriptions_failing ON public.webhook_subscriptions USING btree (platform_id, subscription_id) WHERE ((status = 'ACTIVE'::text) AND (last_outcome = ANY (ARRAY['FAILED'::text, 'TIMEOUT'::text])));
CREATE INDEX webhook_subscriptions_to_report ON public.webhook_subscriptions USING btree (platform_id, subscription_id) WHERE ((status = 'DISABLED'::text) AND (NOT is_support_notified));
grant insert, select, update on webhook_subscriptions to tradeline_service;

create table withdrawn_dunning_steps (
  platform_id integer not null,
  invoice_external_id external_id not null,
  installment integer not null,
  step integer not null,
  nth integer not null,
  mailing_id external_id not null,
  withdrawn_at unix_seconds not null,
  constraint withdrawn_dunning_steps_pkey PRIMARY KEY (platform_id, invoice_external_id, installment, step, nth),
  constraint withdrawn_dunning_steps_platform_id_mailing_id_fkey FOREIGN KEY (platform_id, mailing_id) REFERENCES dunning_mailings(platform_id, mailing_id)
);
grant insert, select on withdrawn_dunning_steps to tradeline_service;
