-- The time zone in which a platform counts days: when a due day ends, and how many days past due an invoice is.
alter table platforms
  -- An IANA name. The program knows which ones there are.
  add column time_zone text not null default 'UTC' check (length(time_zone) between 1 and 64);
