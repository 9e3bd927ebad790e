-- Who pays the fee of a payment term: the buyer beside the first instalment, or the merchant out of its payout.
alter table platforms
  add column term_fee_payer text not null default 'BUYER' check (term_fee_payer in ('BUYER', 'MERCHANT'));

-- The invoice's part of the fee that the merchant pays for the term of the orders. The parts of the orders are in
-- invoice_orders, whoever pays them.
alter table invoices
  add column merchant_fee_net minor_units not null default 0 check (merchant_fee_net >= 0),
  add column merchant_fee_tax minor_units not null default 0 check (merchant_fee_tax >= 0),
  add column merchant_fee_gross minor_units not null default 0 check (merchant_fee_gross >= 0),
  add check (merchant_fee_gross = merchant_fee_net + merchant_fee_tax);
