-- Each entry of a facility's ledger has two times: what it is about, and when it was known.
alter table facility_ledger rename column recorded_at to effective_at;
-- By the clock of the database. Of earlier entries nothing else is known than the platform's clock.
alter table facility_ledger add column recorded_at timestamptz;
update facility_ledger set recorded_at = to_timestamp(effective_at);
alter table facility_ledger
  alter column recorded_at set default clock_timestamp(),
  alter column recorded_at set not null;
