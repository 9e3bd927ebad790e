-- Entries to which the bank gives no reference: what the first statement and the first notification that have one say of its
-- payment, by which entries of one amount and day are told apart. Append-only.
create table bank_alike_entries (
  platform_id integer not null,
  entry_id uuid not null,
  reported_by text not null check (reported_by in ('STATEMENT', 'NOTIFICATION')),
  -- A keyed hash of the payment's references, or of what the payer wrote.
  payment_mac bytea not null,
  primary key (platform_id, entry_id, reported_by),
  foreign key (platform_id, entry_id) references bank_entries (platform_id, entry_id)
);

grant select, insert on bank_alike_entries to tradeline_service;
