-- Steps whose mail was withdrawn before it left, and that was not written again about the invoice: the buyer never got them.
alter table invoice_dunning_transitions add column nth integer not null default 1;
create table withdrawn_dunning_steps (
  platform_id integer not null,
  invoice_external_id external_id not null,
  installment integer not null,
  step integer not null,
  nth integer not null,
  mailing_id external_id not null,
  withdrawn_at unix_seconds not null,
  primary key (platform_id, invoice_external_id, installment, step, nth),
  foreign key (platform_id, mailing_id) references dunning_mailings (platform_id, mailing_id)
);
grant insert, select on withdrawn_dunning_steps to tradeline_service;

-- A step is taken once, and again only where its mail was withdrawn.
drop index invoice_dunning_steps;
create unique index invoice_dunning_steps on invoice_dunning_transitions (platform_id, invoice_external_id, installment, step, nth)
  where trigger = 'step';
