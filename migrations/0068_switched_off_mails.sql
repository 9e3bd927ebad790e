-- The kinds of mails that a platform does not want.
alter table platforms add column mails_off text[] not null default '{}';
