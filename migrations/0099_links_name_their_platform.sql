-- A token of a link names its platform, so that the link is looked for on the platform: a key across platforms would need all rows
-- on one machine. Tokens are 256 random bits. Links of before are found by this index too.
alter table checkout_links drop constraint checkout_links_token_sha256_key;
create index checkout_links_by_token on checkout_links (token_sha256);
