/** Lists of invoices. Every filter and sort has its index. The most requested totals are maintained. */
import { type RawBuilder, sql } from 'kysely';
import { DAY_SECONDS, dayOf } from '#kernel/day';
import { findBuyersNamed, hasLegalNameLike } from '#modules/buyers';
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

/** In the service filters, `none` matches invoices without the service. */
export type InvoiceFilter = {
  [F in (typeof VALUES)[number] | (typeof SERVICE_FILTERS)[number]]?: string[];
} & {
  [F in (typeof RANGES)[number]]?: string;
} & {
  order_external_id?: string[];
  /** `*` matches any text; case is ignored. */
  buyer_legal_name?: string;
  /** A range of days. */
  days_past_due?: string;
};

/** @param today The platform's calendar day, from which days past due are counted. */
export async function listInvoiceRows(
  context: ListContext,
  filter: InvoiceFilter,
  page: CursorPage,
  today: string,
) {
  const named = await byNamedBuyers(context, filter);
  const { keys, listed } = await listKeys(context, invoicesOn(today, named), named, page);
  const rows = await findInvoices(context.db, context.platformId, keys);
  return { listed, rows: inOrderOf(keys, rows, (row) => row.external_id) };
}

/** If more buyers than this have the name, they are not looked up before their invoices. */
const NAMED_BUYERS_MAX = 1_000;

/**
 * Replaces the name in the filter with the buyers who have it, if they are few, so that an index finds their invoices. If many buyers
 * have the name, many invoices match, and a scan of all invoices soon fills a page.
 */
async function byNamedBuyers(
  { db, platformId }: ListContext,
  { buyer_legal_name: name, buyer_external_id: requested, ...filter }: InvoiceFilter,
): Promise<InvoiceFilter> {
  const ofBuyers = requested && { buyer_external_id: requested };
  if (name === undefined) return { ...filter, ...ofBuyers };
  const named = await findBuyersNamed(db, platformId, name, NAMED_BUYERS_MAX + 1);
  if (named.length > NAMED_BUYERS_MAX) return { ...filter, ...ofBuyers, buyer_legal_name: name };
  return { ...filter, buyer_external_id: requested ? named.filter((id) => requested.includes(id)) : named };
}

export const invoiceTotals = {
  list: 'invoices',
  by: [['status'], ['currency'], ['status', 'buyer_external_id'], ['status', 'merchant_external_id']],
} as const;

/** Filters that most invoices can pass: their pages are read in the order of all invoices. */
const seldomNarrow = (filter: InvoiceFilter): (keyof InvoiceFilter)[] => [
  'buyer_legal_name',
  ...SERVICE_FILTERS.filter((name) => filter[name]?.includes('none')),
];

const invoicesOn = (today: string, filter: InvoiceFilter): ListTable<InvoiceFilter> => ({
  table: 'invoices',
  key: 'external_id',
  values: VALUES,
  ranges: RANGES,
  conditions: {
    ...Object.fromEntries(
      SERVICE_FILTERS.map((name) => [name, (statuses: string[]) => serviceCondition(name, statuses)]),
    ),
    // An array is evaluated first. With a join, the planner would read all invoices.
    order_external_id: (orders, platformId) =>
      sql`t.external_id = any(array(select invoice_external_id::text from invoice_orders
        where platform_id = ${platformId} and order_external_id = any(${orders})))`,
    // The offset keeps the planner from reading all buyers for a join.
    buyer_legal_name: (name, platformId) =>
      sql`exists (select from buyers b where b.platform_id = ${platformId} and b.external_id = t.buyer_external_id
        and ${hasLegalNameLike(name)} offset 0)`,
    days_past_due: (days) => pastDueCondition(days, today),
  },
  spread: {
    column: 'status',
    values: invoiceLifecycle.states,
    after: ['buyer_external_id', 'merchant_external_id', 'currency', ...seldomNarrow(filter)],
  },
  counted: invoiceTotals.by,
});

function serviceCondition(name: (typeof SERVICE_FILTERS)[number], statuses: string[]): RawBuilder<boolean> {
  const column = sql.ref(`t.${name}`);
  const named = sql<boolean>`${column} = any(${statuses})`;
  return statuses.includes('none') ? sql`(${column} is null or ${named})` : named;
}

/** Days are counted from the due day, so a range of days past due is a range of due days. */
function pastDueCondition(range: string, today: string): RawBuilder<boolean> {
  const { gte, lte } = rangeOf(range);
  const dayAgo = (days: number) => dayOf(Math.max(0, Date.parse(today) / 1_000 - days * DAY_SECONDS));
  return sql`t.status = ${sql.lit(DUE)} and t.due_on between ${dayAgo(lte)} and ${dayAgo(gte)}`;
}

const DUE: InvoiceStatus = 'DUE';
