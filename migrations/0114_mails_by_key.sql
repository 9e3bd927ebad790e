-- Only the primary key finds a mail by its identifier. While a table has no statistics, PostgreSQL took this index, which had the
-- identifier as its third column, for as good, and read all mails of a platform.
drop index mails_by_created_at;
create index mails_by_created_at on mails (platform_id, created_at desc);
