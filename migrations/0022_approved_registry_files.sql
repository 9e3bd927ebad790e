-- When the change was made that an approval permits, for changes that begin after it: the import of a registry's file.
alter table approvals add column used_at unix_seconds;
alter table approvals add constraint approvals_used_at_check check (used_at is null or status = 'APPROVED');
