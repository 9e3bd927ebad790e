-- When the platform last changed an address; null: not since it created the row. An address that is older than the last
-- change of the company's name or numbers was not given for this company.
alter table buyers add column contact_email_changed_at unix_seconds;
alter table contacts add column email_changed_at unix_seconds;
