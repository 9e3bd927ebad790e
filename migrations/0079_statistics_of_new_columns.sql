-- As migration 0066 for the columns that invoices got since then.
alter table invoices
  alter column disputed_amount set statistics 30,
  alter column paused_amount set statistics 30,
  alter column dunning_at set statistics 30;
