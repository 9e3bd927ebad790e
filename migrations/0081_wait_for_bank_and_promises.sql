-- Until when on a day reminders wait for the bank statements of the day before; null where they do not wait.
alter table platforms add column wait_for_bank text check (wait_for_bank ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$');
create index bank_statements_by_day on bank_statements (platform_id, bank_account, coalesce(closing_on, to_on))
  where type = 'STATEMENT';

-- Promises to pay are named.
alter table dunning_stops add column external_id external_id;
update dunning_stops set external_id = stop_id::text where cause = 'PROMISE';
alter table dunning_stops add check ((cause = 'PROMISE') = (external_id is not null));
create unique index dunning_stops_by_external_id on dunning_stops (platform_id, external_id) where external_id is not null;
