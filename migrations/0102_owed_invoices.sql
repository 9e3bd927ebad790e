-- A look at reminders finds what is due among all that a buyer owes. With these columns it reads the index alone: of a buyer with a
-- thousand open invoices, a few rows of the table instead of a thousand.
drop index invoices_by_buyer;
create index invoices_by_buyer on invoices (platform_id, buyer_external_id, status, created_at desc, external_id)
  include (dunning_at, due_on);
