-- Reminders that an operator prints. The invoice waits until then, and the step is taken when it is printed.
alter table invoice_dunnings drop constraint invoice_dunnings_paused_by_check;
alter table invoice_dunnings add constraint invoice_dunnings_paused_by_check
  check (paused_by in ('DISPUTE', 'PROMISE', 'STOP_LIST', 'FROZEN', 'INSOLVENCY', 'COLLECTION', 'OPERATOR', 'LETTER',
    'NO_ADDRESS'));

alter table dunning_mailings add column channel text not null default 'MAIL' check (channel in ('MAIL', 'LETTER'));
-- The operator who printed a letter; null of a mail.
alter table dunning_mailings add column printed_by text;
alter table dunning_mailings add constraint dunning_mailings_printed_check
  check ((printed_by is not null) = (channel = 'LETTER'));
create index dunning_mailings_printed on dunning_mailings (platform_id, created_at desc, mailing_id)
  where channel = 'LETTER';
