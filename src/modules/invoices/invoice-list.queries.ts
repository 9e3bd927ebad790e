/** Lists of invoices. Every filter and sort has its index. The totals that are asked for most are maintained. */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { DB, Invoices } from '#infra/database/schema';
import { DAY_SECONDS, dayOf } from '#kernel/day';
import { buyersNamed } from '#modules/buyers';
import { listPage, type Page, rangeOf } from '#operation/list';
import { sorted, within } from '#operation/list.queries';
import { findListTotal } from '#operation/list-counts.queries';
import type { InvoiceStatus } from './invoice.lifecycle.ts';
import { findInvoices, type InvoiceRow } from './invoice.queries.ts';

export const INVOICE_SORTS = [
  'created_at',
  'updated_at',
  'invoiced_at',
  'due_at',
  'amount_gross',
  'external_id',
] as const;

const LIST_FILTERS = [
  'external_id',
  'buyer_external_id',
  'merchant_external_id',
  'status',
  'currency',
  'invoice_number',
] as const;
const RANGE_FILTERS = ['created_at', 'updated_at', 'invoiced_at', 'due_at', 'amount_gross'] as const;
const SERVICE_FILTERS = ['financing_status', 'collection_status', 'insurance_status'] as const;

/** The filters by one of which the migration `counts_of_lists` counts. */
const COUNTED_FILTERS = ['status', 'currency', 'buyer_external_id', 'merchant_external_id'] as const;
const FILTERS: readonly (keyof InvoiceFilter)[] = [
  ...LIST_FILTERS,
  ...RANGE_FILTERS,
  ...SERVICE_FILTERS,
  'order_external_id',
  'buyer_legal_name',
  'days_past_due',
];

/** Of the service filters `none` is an invoice without the service. */
export type InvoiceFilter = {
  [F in (typeof LIST_FILTERS)[number] | (typeof SERVICE_FILTERS)[number]]?: string[];
} & {
  [F in (typeof RANGE_FILTERS)[number]]?: string;
} & {
  order_external_id?: string[];
  /** `*` stands for any text; case does not matter. */
  buyer_legal_name?: string;
  /** A range of days. */
  days_past_due?: string;
};

/** @param today The platform's calendar day: days past due are counted from it. */
export async function listInvoiceRows(
  db: Db,
  platformId: number,
  filter: InvoiceFilter,
  sort: string | undefined,
  page: Page,
  today: string,
) {
  const matching = filtered(
    db.selectFrom('invoices as i').where('i.platform_id', '=', platformId),
    platformId,
    filter,
    today,
  );
  const columns = Object.fromEntries(INVOICE_SORTS.map((name) => [name, sql.ref(`i.${name}`)]));
  const ids = sorted(matching, sort, columns, sql.ref('i.external_id'))
    .select('i.external_id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const [listed, total] = await Promise.all([ids, totalOf(db, platformId, filter, matching)]);
  const externalIds = listed.map(({ external_id }) => external_id);
  const rows = new Map(
    (await findInvoices(db, platformId, externalIds)).map((row) => [row.external_id, row]),
  );
  return listPage(
    externalIds.map((externalId) => rows.get(externalId) as InvoiceRow),
    total,
    page,
  );
}

/** The whole list, and one that is narrowed by one counted filter, cost no count of their rows. */
async function totalOf<O>(
  db: Db,
  platformId: number,
  filter: InvoiceFilter,
  matching: Matching<O>,
): Promise<number> {
  const [only, ...others] = FILTERS.filter((name) => filter[name] !== undefined);
  const column = COUNTED_FILTERS.find((name) => name === only);
  if (others.length === 0 && (only === undefined || column !== undefined))
    return findListTotal(db, platformId, {
      list: 'invoices',
      filter: column === undefined ? null : { column, values: filter[column] ?? [] },
    });
  const counted = matching.select((eb) => eb.fn.countAll<number>().as('total'));
  return (await counted.executeTakeFirstOrThrow()).total;
}

type Matching<O> = SelectQueryBuilder<DB & { i: Invoices }, 'i', O>;

function filtered<O>(
  query: Matching<O>,
  platformId: number,
  filter: InvoiceFilter,
  today: string,
): Matching<O> {
  const conditions: RawBuilder<boolean>[] = [
    ...LIST_FILTERS.flatMap((name) =>
      filter[name] ? [sql<boolean>`${sql.ref(`i.${name}`)} = any(${filter[name]})`] : [],
    ),
    ...RANGE_FILTERS.flatMap((name) =>
      filter[name] ? [sql<boolean>`${within(sql.ref(`i.${name}`), filter[name])}`] : [],
    ),
    ...SERVICE_FILTERS.flatMap((name) => (filter[name] ? [serviceCondition(name, filter[name])] : [])),
  ];
  const { order_external_id: orders, buyer_legal_name: name, days_past_due: days } = filter;
  // As arrays, which are found first: the planner would read all invoices to join them.
  if (orders)
    conditions.push(sql`i.external_id = any(array(select invoice_external_id::text from invoice_orders
      where platform_id = ${platformId} and order_external_id = any(${orders})))`);
  if (name !== undefined)
    conditions.push(sql`i.buyer_external_id = any(array(${buyersNamed(platformId, name)}))`);
  if (days !== undefined) conditions.push(pastDueCondition(days, today));
  return conditions.reduce<Matching<O>>((narrowed, condition) => narrowed.where(condition), query);
}

function serviceCondition(name: (typeof SERVICE_FILTERS)[number], statuses: string[]): RawBuilder<boolean> {
  const column = sql.ref(`i.${name}`);
  const named = sql<boolean>`${column} = any(${statuses})`;
  return statuses.includes('none') ? sql`(${column} is null or ${named})` : named;
}

/** Days count from the due day, so a range of them is a range of due days. */
function pastDueCondition(range: string, today: string): RawBuilder<boolean> {
  const { gte, lte } = rangeOf(range);
  const dayAgo = (days: number) => dayOf(Math.max(0, Date.parse(today) / 1_000 - days * DAY_SECONDS));
  return sql`i.status = ${sql.lit(DUE)} and i.due_on between ${dayAgo(lte)} and ${dayAgo(gte)}`;
}

const DUE: InvoiceStatus = 'DUE';
