-- The hosted checkout: links to it, how far a buyer has come, what was consented to; buyers who are not known yet; mail.

alter table platforms
  -- Since when the platform takes no requests and shows no checkout; null: it does.
  add column disabled_at unix_seconds,
  -- Origins that a checkout may lead back to and be framed by, beside the one of redirect_url.
  add column checkout_origins text[] not null default '{}',
  -- Whether each new draft is followed by a mail with the link to its checkout.
  add column sends_checkout_invitations boolean not null default false,
  -- Counts up when the secret that signs the way back is renewed.
  add column return_secret_generation integer not null default 1 check (return_secret_generation >= 1);

-- Shown in the checkout and in mails from our own address: no other server learns who opens them.
create table platform_logos (
  platform_id integer primary key references platforms,
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp', 'image/svg+xml')),
  content bytea not null check (octet_length(content) between 1 and 65536),
  sha256 bytea not null,
  created_at unix_seconds not null
);

-- A buyer whose company is not known yet: whom the platform invited by e-mail. The checkout completes it, or a PUT.
alter table buyers
  alter column legal_name drop not null,
  alter column legal_form drop not null,
  alter column business_address drop not null,
  add column contact_email_sealed bytea,
  add constraint buyers_known_or_invited check (
    (legal_name is not null and legal_form is not null and business_address is not null)
    or (legal_name is null and legal_form is null and business_address is null and contact_email_sealed is not null));

create or replace function buyer_search_text(external_id text, legal_name text, trading_name text, business_identifiers jsonb)
  returns text language sql immutable parallel safe
  return lower(external_id || E'\n' || coalesce(legal_name, '') || E'\n' || coalesce(trading_name, '') || E'\n' || coalesce(
    (select string_agg(identifier ->> 'value', E'\n') from jsonb_array_elements(business_identifiers) identifier), ''));

-- Drafts whose buyer is still to be invited.
alter table orders add column is_invitation_due boolean not null default false;
create index orders_to_invite on orders (platform_id, created_at, external_id) where is_invitation_due;

-- Whoever has the token may go through the checkout of the one order. Only its hash is kept.
create table checkout_links (
  platform_id integer not null,
  order_external_id external_id not null,
  token_sha256 bytea not null unique check (octet_length(token_sha256) = 32),
  created_at unix_seconds not null,
  expires_at unix_seconds not null,
  revoked_at unix_seconds,
  -- Where the buyer goes afterwards; null: the platform's redirect_url, where it has one.
  success_url text,
  error_url text,
  primary key (platform_id, order_external_id, token_sha256),
  foreign key (platform_id, order_external_id) references orders (platform_id, external_id)
);
-- Those that ended long ago are forgotten.
create index checkout_links_by_end on checkout_links (platform_id, least(revoked_at, expires_at));

-- How far the checkout of an order has come.
create table checkouts (
  platform_id integer not null,
  order_external_id external_id not null,
  version integer not null default 1,
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  -- What the buyer chose on the page; null: the buyer's settings, else the platform's.
  language text,
  -- What the buyer has entered so far: it concerns persons.
  progress_sealed bytea,
  -- Where the checkout asked for the buyer's facility.
  credit_asked_at unix_seconds,
  primary key (platform_id, order_external_id),
  foreign key (platform_id, order_external_id) references orders (platform_id, external_id)
);
-- What nobody has touched for long is forgotten.
create index checkouts_with_progress on checkouts (platform_id, updated_at) where progress_sealed is not null;

-- A browser that may see what was entered: the one that entered it, or one whose person had the code from the mail.
create table checkout_sessions (
  platform_id integer not null,
  order_external_id external_id not null,
  session_sha256 bytea not null check (octet_length(session_sha256) = 32),
  created_at unix_seconds not null,
  -- Since when it may see what is on file of the buyer; null: it may not.
  verified_at unix_seconds,
  primary key (platform_id, order_external_id, session_sha256),
  foreign key (platform_id, order_external_id) references checkouts (platform_id, order_external_id)
);
create index checkout_sessions_by_created_at on checkout_sessions (platform_id, created_at);

-- One-time codes. Six digits are few: what is kept is a MAC under a key of the installation.
create table checkout_codes (
  platform_id integer not null,
  order_external_id external_id not null,
  code_number integer not null check (code_number >= 1),
  code_mac bytea not null,
  sent_at unix_seconds not null,
  expires_at unix_seconds not null,
  attempts integer not null default 0,
  used_at unix_seconds,
  primary key (platform_id, order_external_id, code_number),
  foreign key (platform_id, order_external_id) references checkouts (platform_id, order_external_id)
);

-- Append-only: what a buyer agreed to, in which words.
create table checkout_consents (
  platform_id integer not null,
  order_external_id external_id not null,
  consented_at unix_seconds not null,
  terms_version text not null,
  language text not null,
  formality text not null,
  -- Of the text as it was shown.
  terms_sha256 bytea not null,
  payment_term text not null,
  primary key (platform_id, order_external_id, consented_at),
  foreign key (platform_id, order_external_id) references orders (platform_id, external_id)
);

-- Mail that was or will be sent. What it says, and to whom, is sealed.
create table mails (
  platform_id integer not null references platforms,
  mail_id uuid not null,
  -- What it is sent for: never twice for one cause.
  cause text not null,
  kind text not null,
  status text not null check (status in ('PENDING', 'SENT', 'FAILED')),
  created_at unix_seconds not null,
  content_sealed bytea not null,
  attempts integer not null default 0,
  -- Since when it waits, and when it is tried next: by real time, whatever the clock of a sandbox shows.
  waiting_since timestamptz not null default now(),
  next_attempt_at timestamptz not null default now(),
  sent_at unix_seconds,
  -- Why the last attempt failed, in our words: what a mail server answers may name the recipient.
  failure text,
  primary key (platform_id, mail_id),
  unique (platform_id, cause)
);
create index mails_waiting on mails (next_attempt_at, platform_id, mail_id) where status = 'PENDING';
create index mails_by_created_at on mails (platform_id, created_at desc, mail_id);
create index mails_by_waiting_since on mails (waiting_since);

-- Up to which event the outcomes of checkouts are told by mail. No checkout is older than this migration.
create table outcome_mail_positions (
  platform_id integer primary key references platforms,
  position_last bigint not null
);
insert into outcome_mail_positions select platform_id, position_last from event_positions;

grant select, insert, update, delete on platform_logos, checkout_links, checkouts, checkout_sessions, checkout_codes,
  mails to tradeline_service;
grant select, insert, update on outcome_mail_positions to tradeline_service;
grant select, insert on checkout_consents to tradeline_service;
