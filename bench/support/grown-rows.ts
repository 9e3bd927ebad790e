/** Rows of lists in the numbers of the largest platforms, written by SQL, because a request for each would take days. */
import type pg from 'pg';
import { PARTIES } from './orders.ts';

/** The creation time of the first row; each further row is one second later. */
export const FIRST_AT = 1_700_000_000;
/** After the events of the parties. */
export const EVENTS_FIRST = 1_000_000;
const WRITTEN_AT_ONCE = 100_000;

export const orderId = (number: number): string => `order-${String(number).padStart(9, '0')}`;

/** One buyer, payout or credit note per this many orders. */
const BUYERS_EVERY = 10;
const CREDIT_NOTES_EVERY = 10;
const PAYOUTS_EVERY = 10;

const buyer = `'buyer-' || lpad((case when n % 10 = 0 then 0 else n % ${PARTIES.buyer.count} end)::text, 9, '0')`;
const merchant = `'merchant-' || lpad((case when n % 4 = 1 then 0 else n % ${PARTIES.merchant.count} end)::text, 9, '0')`;
const AMOUNT = `n::bigint * 7919 % 500000 + 1`;
const ROWS = 'generate_series($1::int, $2::int) n';

/** A tenth of the orders belong to one buyer, a quarter to one merchant. */
const ORDERS = `
  insert into orders (platform_id, external_id, status, buyer_external_id, merchant_external_id, created_at, updated_at,
    ordered_at, currency, amount_net, amount_gross, amount_tax, line_items)
  select 1, 'order-' || lpad(n::text, 9, '0'),
    case when n % 100 = 0 then 'CANCELLED' when n % 4 = 1 then 'CONFIRMED' when n % 10 = 3 then 'EXPIRED' else 'CLOSED' end,
    ${buyer}, ${merchant}, ${FIRST_AT} + n, ${FIRST_AT} + n + n % 86400, ${FIRST_AT} + n,
    case when n % 20 = 0 then 'GBP' else 'EUR' end, ${AMOUNT}, ${AMOUNT}, 0, '[]'
  from ${ROWS}`;

/** One invoice per order; one in ten is open. */
const INVOICES = `
  with written as (
    insert into invoices (platform_id, external_id, status, buyer_external_id, merchant_external_id, created_at, updated_at,
      invoiced_at, due_at, due_on, agreed_due_at, falls_due_at, payment_method, payment_reference, invoice_number, currency,
      amount_net, amount_tax, amount_gross, paid_amount, paid_at, line_items)
    select 1, 'invoice-' || lpad(n::text, 9, '0'), case when n % 10 = 0 then 'OPEN' else 'CLOSED' end, ${buyer}, ${merchant},
      ${FIRST_AT} + n, ${FIRST_AT} + n, ${FIRST_AT} + n, 4000000000 + n % 8640000, '2096-10-02', 4000000000,
      case when n % 10 = 0 then 4000000000 end, 'TRANSFER', 'RF' || n, 'R-' || n, 'EUR', ${AMOUNT}, 0, ${AMOUNT},
      case when n % 10 = 0 then 0 else ${AMOUNT} end, case when n % 10 = 0 then null else ${FIRST_AT} + n end, '[]'
    from ${ROWS}
    returning *
  )
  insert into invoice_installments (platform_id, invoice_external_id, number, due_at, due_on, amount, paid_amount)
  select platform_id, external_id, 1, due_at, due_on, amount_gross, paid_amount from written`;

/** The first two hundred buyers of one kind have a distinctive name at every size; of the others, one in a thousand. */
const NAME = `case when n % 500 = 0 and n < 100000 then 'Qxylon ' when n % 10000 = 10 then 'Vyzant ' else 'Handelshaus ' end || md5(n::text)`;

const BUYERS = `
  insert into buyers (platform_id, external_id, created_at, updated_at, legal_name, legal_form, business_identifiers,
    business_address)
  select 1, 'grown-' || n, ${FIRST_AT} + n, ${FIRST_AT} + n, ${NAME}, 'LIMITED_COMPANY', '[]',
    '{"street": null, "house": null, "postcode": "10435", "city": "Berlin", "country": "DE", "additional": null}'
  from ${ROWS} where n % ${BUYERS_EVERY} = 0`;

/** One facility per buyer; one in a hundred is frozen. */
const FACILITIES = `
  insert into facilities (platform_id, buyer_external_id, status, created_at, updated_at, currency, total_amount, used_amount,
    available_amount, risk_band, expires_at, frozen_at, has_entity_keys)
  select 1, 'grown-' || n, case when n % 1000 = 0 then 'FROZEN' else 'ACTIVE' end, ${FIRST_AT} + n, ${FIRST_AT} + n + n % 86400,
    'EUR', 500001, ${AMOUNT}, 500001 - (${AMOUNT}), 'A1', 4000000000 + n % 8640000, case when n % 1000 = 0 then 1 end, true
  from ${ROWS} where n % ${BUYERS_EVERY} = 0`;

const CREDIT_NOTES = `
  insert into credit_notes (platform_id, external_id, created_at, updated_at, invoice_external_id, buyer_external_id,
    merchant_external_id, reason_code, invoiced_at, currency, amount_net, amount_tax, amount_gross, line_items, actor)
  select 1, 'note-' || n, ${FIRST_AT} + n, ${FIRST_AT} + n, 'invoice-' || lpad(n::text, 9, '0'), ${buyer}, ${merchant}, 'RETURN',
    ${FIRST_AT} + n, 'EUR', ${AMOUNT}, 0, ${AMOUNT}, '[]', 'bench'
  from ${ROWS} where n % ${CREDIT_NOTES_EVERY} = 1`;

const PAYOUTS = `
  insert into payouts (platform_id, external_id, end_to_end_id, merchant_external_id, payout_instruction_external_id, scheme,
    currency, status, created_at, updated_at, scheduled_on, amount)
  select 1, 'payout-' || n, 'E' || n, ${merchant}, 'grown', 'SEPA', 'EUR', case when n % 1000 = 0 then 'FAILED' else 'PAID' end,
    ${FIRST_AT} + n, ${FIRST_AT} + n, (date '2000-01-01' + n / 5000)::text, ${AMOUNT}
  from ${ROWS} where n % ${PAYOUTS_EVERY} = 0`;

/** One event per order, with an accepted delivery. */
const EVENTS = `
  with made as (
    insert into events (platform_id, event_id, position, type, resource_external_id, occurred_at, body)
    select 1, gen_random_uuid(), n + ${EVENTS_FIRST}, case when n % 1000 = 0 then 'BUYER.UPDATED' else 'ORDER.UPDATED' end, 'r',
      ${FIRST_AT} + n, '{"id":"00000000-0000-4000-8000-000000000000","occurred_at":1,"type":"ORDER.UPDATED","data":{"sequence":1}}'
    from ${ROWS}
    returning platform_id, event_id, position
  )
  insert into webhook_deliveries (platform_id, subscription_id, event_id, status, finished_at)
  select s.platform_id, s.subscription_id, made.event_id,
    case when made.position % 100 = 0 then 'DISCARDED' else 'DELIVERED' end, now()
  from made join webhook_subscriptions s on s.platform_id = made.platform_id and s.type = 'ORDER'`;

const ONCE = [
  // The facilities have no entries of the ledger.
  'alter table facilities disable trigger facility_matches_ledger',
  `insert into payout_instructions (platform_id, external_id, merchant_external_id, type, status, created_at, updated_at,
    payable_from, details_sealed, account_mac)
  values (1, 'grown', 'merchant-000000000', 'SEPA', 'DELETED', 0, 0, 0, '', '')`,
  `insert into webhook_subscriptions (platform_id, subscription_id, type, url, status, created_at, updated_at, secret_sealed)
  values (1, gen_random_uuid(), 'ORDER', 'https://receiver.example/', 'DISABLED', 0, 0, '')`,
];

/** Grows the rows from those of `from` orders to those of `to`. The parties must exist. */
export async function growTo(owner: pg.Client, from: number, to: number): Promise<void> {
  if (from === 0) for (const statement of ONCE) await owner.query(statement);
  for (let first = from; first < to; first += WRITTEN_AT_ONCE)
    for (const statement of [ORDERS, INVOICES, BUYERS, FACILITIES, CREDIT_NOTES, PAYOUTS, EVENTS])
      await owner.query(statement, [first, Math.min(to, first + WRITTEN_AT_ONCE) - 1]);
  await owner.query('update event_positions set position_last = $1 where platform_id = 1', [
    to + EVENTS_FIRST,
  ]);
  await owner.query('vacuum analyze');
}
