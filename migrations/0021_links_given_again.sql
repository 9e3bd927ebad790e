-- A link to a checkout can be given again to the platform that made it: its token, sealed with the key of the platform.
-- Links of before, and those of mails, have only the hash and are not given again.
alter table checkout_links add column token_sealed bytea;
