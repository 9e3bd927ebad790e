-- works from 0108
-- The totals of further lists that grow with trade are maintained like those of orders and invoices: no total is counted over all rows.

-- The arguments of a trigger: the list, then each filter, which is one column or two by which rows are counted together; '' for all rows.
create function count_new_rows() returns trigger language plpgsql as $function$
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

-- Of one row, with the same arguments. A statement that changes what rows are counted by changes one of them, or some payouts.
create function count_changed_row() returns trigger language plpgsql as $function$
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

-- In the order in which the service locks their rows. Nothing else changes of what a row is counted by, and only contacts are deleted. What
-- changes no total costs nothing: each order writes its facility.
create trigger count_new_credit_reviews after insert on credit_reviews referencing new table as written
  for each statement execute function count_new_rows('credit_reviews', 'status', 'subject', 'status,subject');
create trigger count_changed_credit_reviews after update on credit_reviews for each row
  when (old.status is distinct from new.status)
  execute function count_changed_row('credit_reviews', 'status', 'status,subject');

create trigger count_new_facilities after insert on facilities referencing new table as written
  for each statement execute function count_new_rows('facilities', '', 'status', 'currency', 'risk_band');
create trigger count_changed_facilities after update on facilities for each row
  when (old.status is distinct from new.status or old.currency is distinct from new.currency or old.risk_band is distinct from new.risk_band)
  execute function count_changed_row('facilities', 'status', 'currency', 'risk_band');

create trigger count_new_credit_notes after insert on credit_notes referencing new table as written
  for each statement
  execute function count_new_rows('credit_notes', '', 'buyer_external_id', 'merchant_external_id', 'reason_code', 'currency');

create trigger count_new_merchants after insert on merchants referencing new table as written
  for each statement execute function count_new_rows('merchants', '', 'status');
create trigger count_changed_merchants after update on merchants for each row
  when (old.status is distinct from new.status)
  execute function count_changed_row('merchants', 'status');

create trigger count_new_payout_instructions after insert on payout_instructions referencing new table as written
  for each statement execute function count_new_rows('payout_instructions', 'status', 'status,type');
create trigger count_changed_payout_instructions after update on payout_instructions for each row
  when (old.status is distinct from new.status or old.type is distinct from new.type)
  execute function count_changed_row('payout_instructions', 'status', 'status,type');

create trigger count_new_payouts after insert on payouts referencing new table as written
  for each statement execute function count_new_rows('payouts', '', 'status', 'currency', 'scheme', 'merchant_external_id',
    'payout_instruction_external_id', 'status,merchant_external_id');
create trigger count_changed_payouts after update on payouts for each row
  when (old.status is distinct from new.status or old.scheme is distinct from new.scheme
    or old.payout_instruction_external_id is distinct from new.payout_instruction_external_id)
  execute function count_changed_row('payouts', 'status', 'scheme', 'payout_instruction_external_id', 'status,merchant_external_id');

create trigger count_new_buyers after insert on buyers referencing new table as written
  for each statement execute function count_new_rows('buyers', '', 'legal_form');
create trigger count_changed_buyers after update on buyers for each row
  when (old.legal_form is distinct from new.legal_form)
  execute function count_changed_row('buyers', 'legal_form');

create trigger count_new_contacts after insert on contacts referencing new table as written
  for each statement execute function count_new_rows('contacts', '');
create trigger count_deleted_contacts after delete on contacts for each row execute function count_changed_row('contacts', '');

-- One filter a statement, which every node of a cluster does for itself.
insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'credit_reviews', 'status', concat_ws(' ', status), count(*) from credit_reviews group by 1, 4;
insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'credit_reviews', 'subject', concat_ws(' ', subject), count(*) from credit_reviews group by 1, 4;
insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'credit_reviews', 'status,subject', concat_ws(' ', status, subject), count(*) from credit_reviews group by 1, 4;

insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'facilities', '', '', count(*) from facilities group by 1, 4;
insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'facilities', 'status', concat_ws(' ', status), count(*) from facilities group by 1, 4;
insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'facilities', 'currency', concat_ws(' ', currency), count(*) from facilities group by 1, 4;
insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'facilities', 'risk_band', concat_ws(' ', risk_band), count(*) from facilities group by 1, 4;

insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'credit_notes', '', '', count(*) from credit_notes group by 1, 4;
insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'credit_notes', 'buyer_external_id', concat_ws(' ', buyer_external_id), count(*) from credit_notes group by 1, 4;
insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'credit_notes', 'merchant_external_id', concat_ws(' ', merchant_external_id), count(*) from credit_notes group by 1, 4;
insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'credit_notes', 'reason_code', concat_ws(' ', reason_code), count(*) from credit_notes group by 1, 4;
insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'credit_notes', 'currency', concat_ws(' ', currency), count(*) from credit_notes group by 1, 4;

insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'merchants', '', '', count(*) from merchants group by 1, 4;
insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'merchants', 'status', concat_ws(' ', status), count(*) from merchants group by 1, 4;

insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'payout_instructions', 'status', concat_ws(' ', status), count(*) from payout_instructions group by 1, 4;
insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'payout_instructions', 'status,type', concat_ws(' ', status, type), count(*) from payout_instructions group by 1, 4;

insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'payouts', '', '', count(*) from payouts group by 1, 4;
insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'payouts', 'status', concat_ws(' ', status), count(*) from payouts group by 1, 4;
insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'payouts', 'currency', concat_ws(' ', currency), count(*) from payouts group by 1, 4;
insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'payouts', 'scheme', concat_ws(' ', scheme), count(*) from payouts group by 1, 4;
insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'payouts', 'merchant_external_id', concat_ws(' ', merchant_external_id), count(*) from payouts group by 1, 4;
insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'payouts', 'payout_instruction_external_id', concat_ws(' ', payout_instruction_external_id), count(*) from payouts group by 1, 4;
insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'payouts', 'status,merchant_external_id', concat_ws(' ', status, merchant_external_id), count(*) from payouts group by 1, 4;

insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'buyers', '', '', count(*) from buyers group by 1, 4;
insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'buyers', 'legal_form', concat_ws(' ', legal_form), count(*) from buyers group by 1, 4;

insert into list_counts (platform_id, list, filter, value, rows_count)
select platform_id, 'contacts', '', '', count(*) from contacts group by 1, 4;
