import { sql } from 'kysely';
import { type Db, isCluster } from '#infra/database/database';
import { byPlatform, gathered, gatheredSets } from '#infra/database/gather';
import { rowsInOrder } from '#infra/database/rows-in-order';
import { json, namesOf, type RowOf, table, text } from '#infra/database/table';
import { unnestKeys, unnestNumberedKeys, unnestRows } from '#infra/database/unnest-rows';
import type { PlatformVault } from '#infra/secrets/vault';
import type { PaymentTerm } from '#kernel/payment-term';
import { type Buyer, findBuyers, toBuyer } from '#modules/buyers';
import { isFirstOrderOf, merchantFeeOf, type TermOffer } from '#modules/facilities';
import type { Context } from '#operation/operation';
import type { OrderStatus, OrderTrigger } from './order.lifecycle.ts';
import type { LineItem, Order } from './order.schemas.ts';
import { paymentDueOf } from './payment-due.rules.ts';

export const ordersTable = table('orders', {
  platform_id: 'int',
  external_id: 'text',
  status: text<OrderStatus>(),
  version: 'int',
  buyer_external_id: 'text',
  merchant_external_id: 'text',
  created_at: 'bigint',
  updated_at: 'bigint',
  ordered_at: 'bigint',
  payment_method: 'text',
  payment_term: text<PaymentTerm | null>(),
  currency: 'text',
  amount_net: 'bigint',
  amount_gross: 'bigint',
  amount_tax: 'bigint',
  comment: 'text',
  delivery_address: 'jsonb',
  custom_data: 'json',
  line_items: json<LineItem[]>(),
  contact_email_sealed: 'bytea',
  purchase_order_number: 'text',
  invoice_email_sealed: 'bytea',
  billing_address: 'jsonb',
  paid_at: 'bigint',
  cancellation_reason: 'text',
  expires_at: 'bigint',
  reserved_amount: 'bigint',
  invoiced_amount: 'bigint',
  is_closed_short: 'boolean',
  term_offer: json<TermOffer | null>(),
  is_invitation_due: 'boolean',
  decision_id: 'uuid',
  vouched_by: 'text',
  vouched_at: 'bigint',
  vouched_actor: 'text',
  is_email_from_merchant: 'boolean',
});

export type OrderRow = RowOf<typeof ordersTable> & { buyer_legal_name: string | null };
export interface OrderKey {
  platformId: number;
  externalId: string;
}

/** A new order, with its first transition. */
export interface NewOrder extends Omit<OrderRow, 'version'> {
  trigger: OrderTrigger;
  actor: string;
}

/** The columns of an order in which every new order has the same value. */
export const NOTHING_YET = {
  cancellation_reason: null,
  paid_at: null,
  expires_at: null,
  reserved_amount: 0,
  invoiced_amount: 0,
  is_closed_short: false,
  term_offer: null,
  is_invitation_due: false,
  decision_id: null,
  vouched_by: null,
  vouched_at: null,
  vouched_actor: null,
} as const;

const CREATED = [
  'platform_id',
  'external_id',
  'status',
  'buyer_external_id',
  'merchant_external_id',
  'created_at',
  'ordered_at',
  'payment_method',
  'payment_term',
  'currency',
  'amount_net',
  'amount_gross',
  'amount_tax',
  'comment',
  'delivery_address',
  'custom_data',
  'line_items',
  'contact_email_sealed',
  'purchase_order_number',
  'invoice_email_sealed',
  'billing_address',
  'expires_at',
  'reserved_amount',
  'term_offer',
  'is_invitation_due',
  'decision_id',
  'vouched_by',
  'vouched_at',
  'vouched_actor',
  'is_email_from_merchant',
] as const;
const CREATED_NAMES = namesOf(CREATED);
const unnestOrders = unnestRows<NewOrder>('t', {
  ...ordersTable.list(...CREATED),
  trigger: ['text', 'trigger'],
  actor: ['text', 'actor'],
});

/**
 * Inserts orders with their first transitions, in one statement. Returns, in the order of the items, false if the external_id is taken.
 * Writes in the order of the keys, so two such statements cannot deadlock.
 */
export async function insertOrders(db: Db, orders: NewOrder[]): Promise<boolean[]> {
  const { rows } = await sql<{ platform_id: number; external_id: string }>`
    with input as ${isCluster(db) ? sql`not materialized` : sql`materialized`} (
      select * from ${unnestOrders(orders)}
    ), written as (
      insert into orders (${CREATED_NAMES}, updated_at)
      select ${CREATED_NAMES}, created_at from input
      order by platform_id, external_id
      on conflict (platform_id, external_id) do nothing
      returning platform_id, external_id, version
    ), transitions as (
      insert into order_transitions (platform_id, order_external_id, version, from_status, to_status, trigger, transitioned_at, actor,
        decision_id)
      select ${isCluster(db) ? sql`b` : sql`w`}.platform_id, w.external_id, w.version, /* see one-node.ts */ null, i.status, i.trigger, i.created_at, i.actor, i.decision_id
      from written w join input i on i.platform_id = w.platform_id and i.external_id = w.external_id
      ${isCluster(db) ? sql`join buyers b on b.platform_id = i.platform_id and b.external_id = i.buyer_external_id` : sql``}
    )
    select platform_id, external_id from written`.execute(db);
  const written = new Set(rows.map((row) => `${row.platform_id}/${row.external_id}`));
  return orders.map((order) => written.has(`${order.platform_id}/${order.external_id}`));
}

export const insertOrder = gathered(insertOrders, {
  groupOf: ({ platform_id }) => platform_id,
  keysOf: ({ external_id }) => [external_id],
});

/**
 * Returns the orders in the order of the keys; undefined for an unknown one. `lateral … offset 0` looks up each order by its key: a
 * connection keeps the plan it made while the table was small, and that plan would read the entire table.
 */
export async function findOrders(db: Db, keys: OrderKey[]): Promise<(OrderRow | undefined)[]> {
  const { rows } = await sql<OrderRow>`
    select o.*, b.legal_name as buyer_legal_name
    from ${unnestKeys(keys)}
    cross join lateral (
      select * from orders where platform_id = k.platform_id and external_id = k.external_id offset 0
    ) o
    cross join lateral (
      select legal_name from buyers where platform_id = k.platform_id and external_id = o.buyer_external_id offset 0
    ) b`.execute(db);
  return rowsInOrder(keys, rows);
}

export const findOrder = gathered(findOrders, byPlatform);
const readOrders = gatheredSets(findOrders, byPlatform);

/** Whether each order exists, in the order of the keys. Cheaper than reading the orders. */
export async function existOrders(db: Db, keys: OrderKey[]): Promise<boolean[]> {
  const { rows } = await sql<{ exists: boolean }>`
    select exists (
      select from orders o where o.platform_id = k.platform_id and o.external_id = k.external_id offset 0
    ) as "exists"
    from ${unnestNumberedKeys(keys)}
    order by k.nth`.execute(db);
  return rows.map((row) => row.exists);
}

export const existsOrder = gathered(existOrders, byPlatform);

/** What exists already when an order is placed. */
export interface PrecedingOrders {
  isTaken: boolean;
  /** As defined by `isFirstOrderOf`. */
  isFirst: boolean;
}

const IS_FIRST = isFirstOrderOf(sql.ref('k.platform_id'), sql.ref('k.buyer_external_id'));

const unnestNewOrders = unnestRows<OrderKey & { buyerExternalId: string }>(
  'k',
  {
    platform_id: ['int', 'platformId'],
    external_id: ['text', 'externalId'],
    buyer_external_id: ['text', 'buyerExternalId'],
  },
  { withNth: true },
);

/** Returns a result for each new order, in the same order. */
export async function findPrecedingOrdersOfAll(
  db: Db,
  orders: (OrderKey & { buyerExternalId: string })[],
): Promise<PrecedingOrders[]> {
  const { rows } = await sql<PrecedingOrders>`
    select exists (
      select from orders o where o.platform_id = k.platform_id and o.external_id = k.external_id offset 0
    ) as "isTaken", ${IS_FIRST} as "isFirst"
    from ${unnestNewOrders(orders)}
    order by k.nth`.execute(db);
  return rows;
}

export const findPrecedingOrders = gathered(findPrecedingOrdersOfAll, byPlatform);

/** The buyers of these orders by external_id, for expand=buyer. */
export async function findBuyersOf(
  db: Db,
  platformId: number,
  rows: OrderRow[],
  context: Pick<Context, 'vault' | 'now' | 'timeZone'>,
): Promise<Map<string, Buyer>> {
  const ids = [...new Set(rows.map((row) => row.buyer_external_id))];
  const keys = ids.map((externalId) => ({ platformId, externalId }));
  const buyers = await findBuyers(db, keys);
  return new Map(
    buyers
      .filter((buyer) => buyer !== undefined)
      .map((buyer) => [buyer.external_id, toBuyer(buyer, context)]),
  );
}

type EmailField = 'contact_email' | 'invoice_email';

const placeOf = (externalId: string, field: EmailField) => `orders/${externalId}/${field}`;

export function sealOrderEmail(
  vault: PlatformVault,
  externalId: string,
  field: EmailField,
  email: string | null | undefined,
): Buffer | null {
  return email ? vault.seal(placeOf(externalId, field), email) : null;
}

export function openOrderEmail(
  vault: PlatformVault,
  { external_id, contact_email_sealed }: Pick<OrderRow, 'external_id' | 'contact_email_sealed'>,
): string | null {
  return contact_email_sealed && vault.open(placeOf(external_id, 'contact_email'), contact_email_sealed);
}

export function openInvoiceEmail(
  vault: PlatformVault,
  { external_id, invoice_email_sealed }: Pick<OrderRow, 'external_id' | 'invoice_email_sealed'>,
): string | null {
  return invoice_email_sealed && vault.open(placeOf(external_id, 'invoice_email'), invoice_email_sealed);
}

/** The addresses for mails about the invoices of orders: the address for invoices, else the order's; null for an order without one. */
export async function findInvoiceEmails(
  db: Db,
  vault: PlatformVault,
  keys: readonly OrderKey[],
): Promise<(string | null)[]> {
  const orders = await readOrders(db, keys);
  return orders.map((order) =>
    order ? (openInvoiceEmail(vault, order) ?? openOrderEmail(vault, order)) : null,
  );
}

/** The order as the API shows it; pass the buyer to expand it. */
export function toOrder(row: Omit<OrderRow, 'version'>, vault: PlatformVault, buyer?: Buyer): Order {
  const {
    amount_net: net,
    amount_gross: gross,
    amount_tax: tax,
    currency,
    buyer_legal_name,
    contact_email_sealed: _,
    is_email_from_merchant: __,
    invoice_email_sealed: ___,
    term_offer: offer,
    ...rest
  } = row;
  return {
    ...(rest as unknown as Order),
    amount: { net, gross, tax, currency },
    buyer: buyer ?? { legal_name: buyer_legal_name },
    contact_email: openOrderEmail(vault, row),
    invoice_email: openInvoiceEmail(vault, row),
    term: offer && { fee: offer.fee, merchant_fee: merchantFeeOf(offer), installments: offer.installments },
    payment_due: paymentDueOf(row),
  };
}
