-- What must still hold when a mail leaves, and what is kept of mails with legal consequences.
alter table mails drop constraint mails_status_check;
alter table mails
  add constraint mails_status_check check (status in ('PENDING', 'SENT', 'FAILED', 'WITHDRAWN')),
  add column buyer_external_id external_id,
  add foreign key (platform_id, buyer_external_id) references buyers (platform_id, external_id);
create index mails_by_buyer on mails (platform_id, buyer_external_id, created_at desc, mail_id)
  where buyer_external_id is not null;

create table mail_premises (
  platform_id integer not null,
  mail_id uuid not null,
  kind text not null,
  key text not null,
  -- Of what the mail depends on, when the mail was written.
  version integer not null,
  primary key (platform_id, mail_id, kind, key),
  foreign key (platform_id, mail_id) references mails on delete cascade
);
create index mail_premises_by_key on mail_premises (platform_id, kind, key);

create table notices (
  platform_id integer not null references platforms,
  -- Of the mail, which is deleted long before.
  notice_id uuid not null,
  cause text not null,
  kind text not null,
  buyer_external_id external_id,
  recipient_masked text not null,
  language text not null,
  text_sha256 bytea not null,
  created_at unix_seconds not null,
  recorded_at timestamptz not null default now(),
  primary key (platform_id, notice_id),
  unique (platform_id, cause),
  foreign key (platform_id, buyer_external_id) references buyers (platform_id, external_id)
);
create index notices_by_created_at on notices (platform_id, created_at desc, notice_id);
create index notices_by_recorded_at on notices (recorded_at);

create table notice_handovers (
  platform_id integer not null,
  notice_id uuid not null,
  handed_over_at unix_seconds not null,
  -- Of the mail server; null in a sandbox without one.
  reply_sealed bytea,
  primary key (platform_id, notice_id),
  foreign key (platform_id, notice_id) references notices on delete cascade
);

grant insert, select, delete on mail_premises, notices, notice_handovers to tradeline_service;
