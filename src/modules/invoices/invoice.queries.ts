/** Invoices with their instalments and orders, each read or written in one statement. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { byPlatform, gathered } from '#infra/database/gather';
import { json, type RowOf, table, text } from '#infra/database/table';
import { arrayOf } from '#infra/database/unnest-rows';
import type { Currency } from '#kernel/currency';
import type { LineItem } from '#modules/orders';
import type { InvoiceDunningRow } from './dunning/invoice-dunning.queries.ts';
import type { InvoiceStatus } from './invoice.lifecycle.ts';
import type { PaymentScript } from './payment-script.ts';

export const invoicesTable = table('invoices', {
  platform_id: 'int',
  external_id: 'text',
  status: text<InvoiceStatus>(),
  version: 'int',
  buyer_external_id: 'text',
  merchant_external_id: 'text',
  created_at: 'bigint',
  updated_at: 'bigint',
  invoiced_at: 'bigint',
  due_at: 'bigint',
  due_on: 'text',
  agreed_due_at: 'bigint',
  falls_due_at: 'bigint',
  payment_method: 'text',
  payment_reference: 'text',
  invoice_number: 'text',
  currency: text<Currency>(),
  amount_net: 'bigint',
  amount_tax: 'bigint',
  amount_gross: 'bigint',
  term_fee_net: 'bigint',
  term_fee_tax: 'bigint',
  term_fee_gross: 'bigint',
  merchant_fee_net: 'bigint',
  merchant_fee_tax: 'bigint',
  merchant_fee_gross: 'bigint',
  paid_amount: 'bigint',
  credited_amount: 'bigint',
  outstanding_amount: 'bigint',
  credit_amount: 'bigint',
  credit_used: 'bigint',
  written_off_amount: 'bigint',
  disputed_amount: 'bigint',
  paused_amount: 'bigint',
  paid_at: 'bigint',
  defaults_at: 'bigint',
  defaulted_on: 'text',
  dunning_at: 'bigint',
  is_financed: 'boolean',
  active_services: 'int',
  financing_status: 'text',
  collection_status: 'text',
  insurance_status: 'text',
  payment_script: text<PaymentScript | null>(),
  contact_external_id: 'text',
  line_items: json<LineItem[]>(),
  billing_address: 'jsonb',
  delivery_address: 'jsonb',
  custom_data: 'json',
});

/** The columns of an invoice. */
export type InvoiceColumns = RowOf<typeof invoicesTable>;

export const installmentsTable = table('invoice_installments', {
  platform_id: 'int',
  invoice_external_id: 'text',
  number: 'int',
  due_at: 'bigint',
  due_on: 'text',
  amount: 'bigint',
  fee_amount: 'bigint',
  paid_amount: 'bigint',
  credited_amount: 'bigint',
});

/** One part in which an invoice is paid. Its amount is that of the goods, without the fee. */
export type InstalmentRow = RowOf<typeof installmentsTable>;

export const invoiceOrdersTable = table('invoice_orders', {
  platform_id: 'int',
  invoice_external_id: 'text',
  order_external_id: 'text',
  position: 'int',
  amount: 'bigint',
  credit_amount: 'bigint',
  fee_net: 'bigint',
  fee_tax: 'bigint',
});

/** The part of an order that an invoice took. */
export type InvoiceOrderRow = RowOf<typeof invoiceOrdersTable>;

/** An invoice with everything that the API shows of it except the contact. */
export interface InvoiceRow extends InvoiceColumns {
  buyer_legal_name: string | null;
  has_active_mandate: boolean;
  order_external_ids: string[];
  /** Sorted by number. */
  installments: InstalmentRow[];
  credit_notes: { count: number; net: number; tax: number; gross: number };
  late_charges: { amount: number; paid: number; outstanding: number };
  /** Null before the first step or pause. */
  dunning: InvoiceDunningRow | null;
}

export interface InvoiceKey {
  platformId: number;
  externalId: string;
}

/** The further fields of the invoices `i` that the API shows, in addition to their columns. */
const shownOf = (
  platformId: number,
): RawBuilder<unknown> => sql`b.legal_name as buyer_legal_name, b.has_active_mandate,
      array(
        select o.order_external_id::text from invoice_orders o
        where o.platform_id = ${platformId} and o.invoice_external_id = i.external_id order by o.position
      ) as order_external_ids,
      (
        select json_agg(p order by p.number) from invoice_installments p
        where p.platform_id = ${platformId} and p.invoice_external_id = i.external_id
      ) as installments,
      (
        select json_build_object('count', count(*), 'net', coalesce(sum(c.amount_net), 0),
          'tax', coalesce(sum(c.amount_tax), 0), 'gross', coalesce(sum(c.amount_gross), 0))
        from credit_notes c where c.platform_id = ${platformId} and c.invoice_external_id = i.external_id
      ) as credit_notes,
      (
        select json_build_object('amount', coalesce(sum(l.amount), 0), 'paid', coalesce(sum(l.paid_amount), 0),
          'outstanding', coalesce(sum(l.outstanding_amount), 0))
        from late_charges l where l.platform_id = ${platformId} and l.invoice_external_id = i.external_id
      ) as late_charges,
      (
        select to_json(d) from invoice_dunnings d
        where d.platform_id = ${platformId} and d.invoice_external_id = i.external_id
      ) as dunning`;

/** The invoices of a platform with these external_ids, in any order. Unknown ones are missing. */
export async function findInvoices(
  db: Db,
  platformId: number,
  externalIds: readonly string[],
): Promise<InvoiceRow[]> {
  const { rows } = await sql<InvoiceRow>`
    select ${invoicesTable.of('i')}, ${shownOf(platformId)}
    from invoices i
    join buyers b on b.platform_id = ${platformId} and b.external_id = i.buyer_external_id
    where i.platform_id = ${platformId} and i.external_id = any(${arrayOf('text', externalIds)})`.execute(db);
  return rows;
}

/** The merchant and the currency of an invoice. */
export type InvoiceOwner = Pick<InvoiceColumns, 'external_id' | 'merchant_external_id' | 'currency'>;

/** Returns undefined for an unknown invoice. */
export async function findInvoiceOwner(
  db: Db,
  { platformId, externalId }: InvoiceKey,
): Promise<InvoiceOwner | undefined> {
  return db
    .selectFrom('invoices')
    .select(['external_id', 'merchant_external_id', sql<Currency>`currency`.as('currency')])
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .executeTakeFirst();
}

/** The buyers of the invoices and the orders that they list. Lock these before the invoices. */
export async function findPartiesOfInvoices(
  db: Db,
  platformId: number,
  externalIds: readonly string[],
): Promise<{ buyerExternalIds: string[]; orderExternalIds: string[] }> {
  const { rows } = await sql<{ buyer_external_id: string; order_external_id: string | null }>`
    select i.buyer_external_id, o.order_external_id
    from invoices i
    left join invoice_orders o on o.platform_id = ${platformId} and o.invoice_external_id = i.external_id
    where i.platform_id = ${platformId} and i.external_id = any(${arrayOf('text', externalIds)})`.execute(db);
  return {
    buyerExternalIds: [...new Set(rows.map(({ buyer_external_id }) => buyer_external_id))],
    orderExternalIds: [...new Set(rows.flatMap(({ order_external_id }) => order_external_id ?? []))],
  };
}

async function findInvoicesInOrder(db: Db, keys: InvoiceKey[]): Promise<(InvoiceRow | undefined)[]> {
  const platformId = keys[0]?.platformId as number;
  const rows = await findInvoices(
    db,
    platformId,
    keys.map(({ externalId }) => externalId),
  );
  const byId = new Map(rows.map((row) => [row.external_id, row]));
  return keys.map(({ externalId }) => byId.get(externalId));
}

/** Returns undefined for an unknown invoice. */
export const findInvoice = gathered(findInvoicesInOrder, byPlatform);

/** Locks an invoice. Returns undefined for an unknown one. Lock the buyer's facility and the orders before it, never after. */
export async function lockInvoice(
  db: Db,
  { platformId, externalId }: InvoiceKey,
): Promise<InvoiceRow | undefined> {
  const [invoice] = await lockInvoices(db, platformId, [externalId]);
  return invoice;
}

/** Locks invoices in the order of their keys; unknown ones are missing. Lock facilities and orders first. */
export async function lockInvoices(
  db: Db,
  platformId: number,
  externalIds: readonly string[],
): Promise<InvoiceRow[]> {
  await sql`
    select from invoices where platform_id = ${platformId} and external_id = any(${arrayOf('text', externalIds)})
    order by external_id for no key update`.execute(db);
  // A second statement sees the instalments as written by the transaction that held the lock.
  return findInvoices(db, platformId, externalIds);
}

async function existInvoices(db: Db, keys: InvoiceKey[]): Promise<boolean[]> {
  const platformId = keys[0]?.platformId as number;
  const externalIds = keys.map(({ externalId }) => externalId);
  const { rows } = await sql<{ external_id: string }>`
    select external_id from invoices
    where platform_id = ${platformId} and external_id = any(${arrayOf('text', externalIds)})`.execute(db);
  const found = new Set(rows.map(({ external_id }) => external_id));
  return keys.map(({ externalId }) => found.has(externalId));
}

export const existsInvoice = gathered(existInvoices, byPlatform);
