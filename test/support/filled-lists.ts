/**
 * A world in which the tables of lists are large enough that an index matters. For each filter of a list, one row in 400 is rare, different
 * rows for each filter; all others are alike.
 */
import { buyerBody, draftOrderBody, merchantBody } from './bodies.ts';
import { createWorld, type World } from './world.ts';

export const FILLED_ROWS = 20_000;
export const RARE_ROWS = 50;

/** SQL for row `n`: `rare` for the rare rows of the nth filter, otherwise `common`. */
const either = (nth: number, rare: string, common: string) =>
  `case n % 400 when ${nth} then ${rare} else ${common} end`;
const oneOf = (nth: number, rare: string, common: string) => either(nth, `'${rare}'`, `'${common}'`);

/**
 * The invoices that nearly all rows, and one row in 400, belong to, in tables of rows of invoices. No page begins or ends with them,
 * because showing an invoice sums its rows.
 */
export const FILLED_INVOICES: [common: string, rare: string] = ['row-15000', 'row-15400'];
const ofInvoice = (nth: number) => oneOf(nth, FILLED_INVOICES[1], FILLED_INVOICES[0]);

const KEYS = `$1::int as platform_id, 'row-' || n as external_id`;
const ADDRESS = (country: string) => `jsonb_build_object('country', ${country}, 'city', 'B')`;
const AMOUNTS = `n % 9973 + 1 as amount_net, n % 9973 + 1 as amount_gross, 0 as amount_tax`;
const PARTIES = `${oneOf(0, 'rare', 'buyer')} as buyer_external_id, ${oneOf(1, 'rare', 'merchant')} as merchant_external_id`;

/** The columns of row `n`, by table. */
const TABLES: Record<string, string> = {
  buyers: `${KEYS}, n as created_at, 50000 - n as updated_at, case n % 400 when 5 then 'Qx ' else 'Handel ' end || n as legal_name,
    ${oneOf(2, 'PARTNERSHIP', 'LIMITED_COMPANY')} as legal_form, '[]'::jsonb as business_identifiers,
    ${ADDRESS(oneOf(3, 'FR', 'DE'))} as business_address`,
  merchants: `${KEYS}, ${oneOf(2, 'INACTIVE', 'ENROLLED')} as status, n as created_at, n as updated_at, 'M' as legal_name,
    'LIMITED_COMPANY' as legal_form, '[]'::jsonb as business_identifiers, '{}'::jsonb as business_address,
    ''::bytea as contact_emails_sealed`,
  contacts: `${KEYS}, ${oneOf(0, 'rare', 'buyer')} as buyer_external_id, false as assign_to_all_invoices, n as created_at,
    n as updated_at, ''::bytea as person_sealed`,
  facilities: `$1::int as platform_id, 'row-' || n as buyer_external_id, ${oneOf(2, 'FROZEN', 'ACTIVE')} as status,
    n as created_at, 50000 - n as updated_at, ${oneOf(3, 'PLN', 'EUR')} as currency, n % 9973 + 1 as total_amount,
    n % 4973 + 1 as used_amount, n % 9973 - n % 4973 as available_amount, ${oneOf(4, 'C2', 'A1')} as risk_band,
    n * 7 % 40000 as expires_at, ${either(2, '1', 'null')} as frozen_at`,
  facility_pending_actions: `$1::int as platform_id, 'row-' || (n / 400 * 400 % 20000 + 5) as buyer_external_id,
    (array['CREATION', 'RENEWAL'])[1 + n % 2] as type, 1 as created_at, gen_random_uuid() as review_id`,
  orders: `${KEYS}, ${oneOf(2, 'EXPIRED', 'CONFIRMED')} as status, ${PARTIES}, n as created_at, 50000 - n as updated_at,
    n * 7 % 40000 as ordered_at, ${oneOf(3, 'PLN', 'EUR')} as currency, ${AMOUNTS}, '[]'::json as line_items`,
  invoices: `${KEYS}, ${either(2, `'CANCELLED'`, `case n % 400 when 9 then 'DUE' else 'OPEN' end`)} as status, ${PARTIES},
    n as created_at, 50000 - n as updated_at, n * 7 % 40000 as invoiced_at, n * 11 % 40000 as due_at,
    ${oneOf(9, '2025-11-19', '2026-01-01')} as due_on, n as agreed_due_at, 'TRANSFER' as payment_method,
    case when n % 400 in (2, 9) then null else 4000000000 end as falls_due_at,
    'RF' || n as payment_reference, 'R-' || n as invoice_number, ${oneOf(3, 'PLN', 'EUR')} as currency, ${AMOUNTS},
    '[]'::json as line_items, ${either(4, `'PAID_OUT'`, 'null')} as financing_status,
    ${either(5, `'COLLECTED'`, 'null')} as collection_status, ${either(6, `'ACCEPTED'`, 'null')} as insurance_status`,
  invoice_installments: `$1::int as platform_id, 'row-' || n as invoice_external_id, 1 as number, n * 11 % 40000 as due_at,
    '2026-01-01' as due_on, n % 9973 + 1 as amount`,
  invoice_orders: `$1::int as platform_id, 'row-' || n as invoice_external_id, ${oneOf(7, 'rare', 'order')} as order_external_id,
    1 as position, 1 as amount, 1 as credit_amount`,
  credit_notes: `${KEYS}, n as created_at, n as updated_at, ${ofInvoice(4)} as invoice_external_id, ${PARTIES},
    ${oneOf(2, 'OTHER', 'RETURN')} as reason_code, n * 7 % 40000 as invoiced_at, ${oneOf(3, 'PLN', 'EUR')} as currency,
    ${AMOUNTS}, '[]'::json as line_items, 'test' as actor`,
  payout_instructions: `${KEYS}, ${oneOf(1, 'rare', 'merchant')} as merchant_external_id, ${oneOf(3, 'SWIFT', 'SEPA')} as type,
    ${oneOf(2, 'REJECTED', 'VERIFIED')} as status, n as created_at, n as updated_at, n as payable_from,
    ''::bytea as details_sealed, ''::bytea as account_mac`,
  payouts: `${KEYS}, 'E' || n as end_to_end_id, ${oneOf(1, 'rare', 'merchant')} as merchant_external_id,
    ${oneOf(4, 'row-1', 'row-2')} as payout_instruction_external_id, ${oneOf(5, 'SWIFT', 'SEPA')} as scheme,
    ${oneOf(3, 'GBP', 'EUR')} as currency, ${oneOf(2, 'FAILED', 'PAID')} as status, n as created_at, n as updated_at,
    ((date '2020-01-01' + n)::text) as scheduled_on, n % 9973 + 1 as amount`,
  mandates: `$1::int as platform_id, 'M' || n as reference, ${oneOf(0, 'rare', 'buyer')} as buyer_external_id,
    'REVOKED' as status, n as created_at, n as updated_at, n as signed_at, n as revoked_at, ''::bytea as account_sealed,
    ''::bytea as iban_mac`,
  mails: `$1::int as platform_id, gen_random_uuid() as mail_id, 'cause-' || n as cause, 'order_cancelled' as kind,
    'SENT' as status, n as created_at, ''::bytea as content_sealed, ${oneOf(0, 'rare', 'buyer')} as buyer_external_id`,
  credit_decisions: `$1::int as platform_id, gen_random_uuid() as decision_id, 'ORDER' as subject,
    ${oneOf(0, 'rare', 'buyer')} as buyer_external_id, 'REJECT' as outcome, 'EUR' as currency, '{}'::text[] as reasons,
    '{}'::text[] as buyer_reasons, 'test' as actor, n as decided_at`,
  invoice_payments: `${KEYS}, n as created_at, n as updated_at, 'buyer' as buyer_external_id, 'merchant' as merchant_external_id,
    ${ofInvoice(0)} as invoice_external_id, 'EUR' as currency, 1 as amount, n as paid_at,
    '2025-11-20' as paid_on, 'PLATFORM' as received_by, 'test' as actor`,
  late_charges: `${KEYS}, 'OPEN' as status, 'REMINDER' as kind, ${ofInvoice(0)} as invoice_external_id,
    'buyer' as buyer_external_id, 'merchant' as merchant_external_id, 'PLATFORM' as creditor, n as created_at,
    n as updated_at, '2025-11-20' as charged_on, 'EUR' as currency, 1 as amount, '{"lines": []}'::jsonb as computation`,
  disputes: `${KEYS}, 'WITHDRAWN' as status, ${ofInvoice(0)} as invoice_external_id, 'buyer' as buyer_external_id,
    'merchant' as merchant_external_id, n as created_at, n as updated_at, '2025-11-20' as opened_on,
    '2025-11-20' as decided_on, 'OTHER' as reason, 'EUR' as currency, 1 as amount, false as is_pausing,
    0 as invoice_paid_amount, 'test' as opened_by`,
  dunning_stops: `$1::int as platform_id, gen_random_uuid() as stop_id, 'PROMISE' as cause, 'INVOICE' as scope,
    ${ofInvoice(0)} as scope_external_id, n as created_at, 'test' as actor, '2025-11-20' as until_on,
    1 as promised_amount, 'row-' || n as external_id`,
  invoice_services: `${KEYS}, ${ofInvoice(0)} as invoice_external_id, 'buyer' as buyer_external_id,
    'merchant' as merchant_external_id, 'FINANCING' as service_type, 'REJECTED' as status, 'EUR' as currency,
    n as created_at, n as updated_at, n as terms_accepted_at, 1 as base_amount`,
  invoice_transitions: `$1::int as platform_id, ${ofInvoice(0)} as invoice_external_id, n + 10 as version,
    'OPEN' as to_status, 'test' as trigger, n as transitioned_at, 'test' as actor`,
  order_transitions: `$1::int as platform_id, ${oneOf(0, 'rare', 'order')} as order_external_id, n + 10 as version,
    'DRAFT' as to_status, 'test' as trigger, n as transitioned_at, 'test' as actor`,
  facility_transitions: `$1::int as platform_id, ${oneOf(0, 'row-400', 'row-1')} as buyer_external_id, n + 10 as version,
    'ACTIVE' as to_status, 'test' as trigger, n as transitioned_at, 'test' as actor`,
  webhook_subscriptions: `$1::int as platform_id, gen_random_uuid() as subscription_id,
    ${oneOf(0, 'ORDER', 'BUYER')} as type, 'https://x.example' as url, 'UNSUBSCRIBED' as status, n as created_at,
    n as updated_at, ''::bytea as secret_sealed`,
};

export async function createFilledWorld(): Promise<World> {
  const world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  for (const external_id of ['buyer', 'rare'])
    await world.post('/v1/buyers', buyerBody({ external_id, legal_name: `Handel ${external_id}` }));
  for (const external_id of ['merchant', 'rare'])
    await world.post('/v1/merchants', merchantBody({ external_id }));
  for (const external_id of ['order', 'rare'])
    await world.post('/v1/orders/draft', draftOrderBody({ external_id }));
  for (const [table, columns] of Object.entries(TABLES)) {
    const names = [...columns.matchAll(/ as (\w+)(?=,|$)/g)].map(([, name]) => name).join(', ');
    await world.sql(`alter table ${table} disable trigger user`);
    await world.sql(
      `insert into ${table} (${names}) select ${columns} from generate_series(1, ${FILLED_ROWS}) n on conflict do nothing`,
      [world.platform.platform_id],
    );
    await world.sql(`alter table ${table} enable trigger user`);
  }
  await world.sql(
    `insert into webhook_subscription_transitions (platform_id, subscription_id, type, version, to_status, trigger,
      transitioned_at, actor, url)
    select platform_id, subscription_id, type, 1, 'ACTIVE', 'test', created_at, 'test', url from webhook_subscriptions`,
  );
  await world.sql('vacuum analyze');
  return world;
}
