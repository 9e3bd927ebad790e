-- What buyers see of the platform: its colour, its legal pages, how long a review takes, and where prepayments go.
alter table platforms
  -- #rrggbb in lower case.
  add column brand_color text check (brand_color ~ '^#[0-9a-f]{6}$'),
  add column privacy_url text,
  add column imprint_url text,
  add column terms_url text,
  -- How long a review by a person usually takes at most, in working days.
  add column review_days integer not null default 1 check (review_days between 1 and 30),
  -- The account for prepayments. Without a holder it is the platform's name.
  add column account_holder text,
  add column iban_sealed text,
  add column bic text;

-- What the buyer's accounting needs on the invoice.
alter table orders
  add column purchase_order_number text,
  add column invoice_email_sealed bytea,
  add column billing_address jsonb;

-- When the platform recorded that a prepaid order is paid. Until then the order waits for the payment, and expires.
alter table orders add column paid_at unix_seconds;
