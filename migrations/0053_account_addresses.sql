-- Where the holder of the platform's bank account is: files for banks must name town and country of who pays.
alter table platforms
  add column account_town text check (char_length(account_town) between 1 and 35),
  add column account_country text check (account_country ~ '^[A-Z]{2}$');
