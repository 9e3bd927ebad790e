/** Lists of invoices. Every filter and sort has its index. The totals that are asked for most are maintained. */
import { type RawBuilder, sql } from 'kysely';
import { DAY_SECONDS, dayOf } from '#kernel/day';
import { buyersNamed } from '#modules/buyers';
import { type CursorPage, rangeOf } from '#operation/list';
import { inOrderOf, type ListContext, type ListTable, listKeys } from '#operation/list-table.queries';
import { type InvoiceStatus, invoiceLifecycle } from './invoice.lifecycle.ts';
import { findInvoices } from './invoice.queries.ts';

export const INVOICE_SORTS = [
  'created_at',
  'updated_at',
  'invoiced_at',
  'due_at',
  'amount_gross',
  'external_id',
] as const;

const VALUES = [
  'external_id',
  'buyer_external_id',
  'merchant_external_id',
  'status',
  'currency',
  'invoice_number',
] as const;
const RANGES = ['created_at', 'updated_at', 'invoiced_at', 'due_at', 'amount_gross'] as const;
const SERVICE_FILTERS = ['financing_status', 'collection_status', 'insurance_status'] as const;

/** Of the service filters `none` is an invoice without the service. */
export type InvoiceFilter = {
  [F in (typeof VALUES)[number] | (typeof SERVICE_FILTERS)[number]]?: string[];
} & {
  [F in (typeof RANGES)[number]]?: string;
} & {
  order_external_id?: string[];
  /** `*` stands for any text; case does not matter. */
  buyer_legal_name?: string;
  /** A range of days. */
  days_past_due?: string;
};

/** @param today The platform's calendar day: days past due are counted from it. */
export async function listInvoiceRows(
  context: ListContext,
  filter: InvoiceFilter,
  page: CursorPage,
  today: string,
) {
  const { keys, listed } = await listKeys(context, invoicesOn(today), filter, page);
  const rows = await findInvoices(context.db, context.platformId, keys);
  return { listed, rows: inOrderOf(keys, rows, (row) => row.external_id) };
}

export const invoiceTotals = {
  list: 'invoices',
  by: [['status'], ['currency'], ['status', 'buyer_external_id'], ['status', 'merchant_external_id']],
} as const;

const invoicesOn = (today: string): ListTable<InvoiceFilter> => ({
  table: 'invoices',
  key: 'external_id',
  values: VALUES,
  ranges: RANGES,
  conditions: {
    ...Object.fromEntries(
      SERVICE_FILTERS.map((name) => [name, (statuses: string[]) => serviceCondition(name, statuses)]),
    ),
    // As arrays, which are found first: the planner would read all invoices to join them.
    order_external_id: (orders, platformId) =>
      sql`t.external_id = any(array(select invoice_external_id::text from invoice_orders
        where platform_id = ${platformId} and order_external_id = any(${orders})))`,
    buyer_legal_name: (name, platformId) =>
      sql`t.buyer_external_id = any(array(${buyersNamed(platformId, name)}))`,
    days_past_due: (days) => pastDueCondition(days, today),
  },
  spread: {
    column: 'status',
    values: invoiceLifecycle.states,
    after: ['buyer_external_id', 'merchant_external_id', 'currency'],
  },
  counted: invoiceTotals.by,
});

function serviceCondition(name: (typeof SERVICE_FILTERS)[number], statuses: string[]): RawBuilder<boolean> {
  const column = sql.ref(`t.${name}`);
  const named = sql<boolean>`${column} = any(${statuses})`;
  return statuses.includes('none') ? sql`(${column} is null or ${named})` : named;
}

/** Days count from the due day, so a range of them is a range of due days. */
function pastDueCondition(range: string, today: string): RawBuilder<boolean> {
  const { gte, lte } = rangeOf(range);
  const dayAgo = (days: number) => dayOf(Math.max(0, Date.parse(today) / 1_000 - days * DAY_SECONDS));
  return sql`t.status = ${sql.lit(DUE)} and t.due_on between ${dayAgo(lte)} and ${dayAgo(gte)}`;
}

const DUE: InvoiceStatus = 'DUE';
