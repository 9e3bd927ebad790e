-- What settles an invoice: which change of the invoice made an allocation, and since when the invoice is in default.

alter table payment_allocations
  -- The version of the invoice that the allocation made: money counts in the order in which it was applied.
  add column invoice_version integer not null;

alter table invoices
  -- The day on which it was more than 90 days past due; null if that never happened.
  add column defaulted_on calendar_day;
