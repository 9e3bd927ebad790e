-- What an electronic invoice says of itself, to be compared with its invoice. Null for a file that is no such invoice, and for
-- those that came before.
alter table invoice_files
  add column stated jsonb,
  -- The last file of a kind is the one that counts, also of several in one second.
  add column ordinal bigint not null generated always as identity;
