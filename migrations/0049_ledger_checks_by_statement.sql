-- What an entry must be is checked when a statement ends, for all of its entries at once: an entry and its lines are written
-- by one statement. Until now each line was checked by itself at commit, which took most of the time of posting.
drop trigger ledger_entry_balances on ledger_entries;
drop trigger ledger_line_balances on ledger_lines;
drop function ledger_entry_balances();

create function ledger_entries_have_lines() returns trigger language plpgsql as $function$
declare
  wrong record;
begin
  select w.platform_id, w.entry_id into wrong
  from written w
  cross join lateral (
    select count(*) as line_count from ledger_lines l
    where l.platform_id = w.platform_id and l.entry_id = w.entry_id offset 0
  ) l
  where l.line_count <> w.line_count limit 1;
  if found then
    raise exception 'ledger entry %/% has other lines than it says', wrong.platform_id, wrong.entry_id;
  end if;
  return null;
end $function$;
create trigger ledger_entries_have_lines after insert on ledger_entries
  referencing new table as written for each statement execute function ledger_entries_have_lines();

-- The lines of a statement are all lines of their entries: as many as an entry says, with the numbers from 1 to that.
create function ledger_lines_balance() returns trigger language plpgsql as $function$
declare
  wrong record;
begin
  select f.platform_id, f.entry_id, f.fault into wrong
  from (
    select w.platform_id, w.entry_id, case
      when e.entry_id is null then 'does not exist'
      when count(*) <> e.line_count or not bool_and(w.line <= e.line_count and w.currency = e.currency
        and w.ordinal = e.ordinal and w.effective_at = e.effective_at and w.recorded_at = e.recorded_at)
        then 'has other lines than it says'
      when sum(w.amount) <> 0 then 'has lines that do not sum to zero'
      when e.reverses_entry is not null and exists (
        select from ledger_lines l where l.platform_id = w.platform_id and l.entry_id in (w.entry_id, e.reverses_entry)
        group by l.account, l.party, l.currency having sum(l.amount) <> 0
      ) then 'is not the opposite of the entry that it reverses'
      when e.effective_at < e.open_from then 'is in a closed period'
    end as fault
    from written w
    left join lateral (
      select e.entry_id, e.line_count, e.currency, e.ordinal, e.effective_at, e.recorded_at, e.reverses_entry, b.open_from
      from ledger_entries e join ledger_books b on b.platform_id = e.platform_id
      where e.platform_id = w.platform_id and e.entry_id = w.entry_id offset 0
    ) e on true
    group by w.platform_id, w.entry_id, e.entry_id, e.line_count, e.reverses_entry, e.effective_at, e.open_from
  ) f
  where f.fault is not null limit 1;
  if found then
    raise exception 'ledger entry %/% %', wrong.platform_id, wrong.entry_id, wrong.fault;
  end if;
  return null;
end $function$;
create trigger ledger_lines_balance after insert on ledger_lines
  referencing new table as written for each statement execute function ledger_lines_balance();

-- The check of the lines finds their entry. A foreign key would find it again for each line, and lock it.
alter table ledger_lines drop constraint ledger_lines_platform_id_entry_id_fkey;

-- A bounded repetition is compiled to a hundred states: one check took 9 microseconds instead of 0.7.
alter table ledger_lines drop constraint ledger_lines_party_check;
alter table ledger_lines add constraint ledger_lines_party_check check (case when account in ('payout_clearing', 'suspense',
  'fee_income', 'term_fee_income', 'bank_charges', 'loss', 'recovery') then party = ''
  else party ~ '^[a-zA-Z0-9_-]+$' and length(party) <= 100 end) not valid;
alter table ledger_lines validate constraint ledger_lines_party_check;
