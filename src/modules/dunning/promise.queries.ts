/** Promises to pay: the stops of single invoices that buyers requested. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { CursorPage } from '#operation/list';
import { type ListContext, type ListTable, listRows } from '#operation/list-table.queries';
import { type DunningStopRow, stopsTable } from './dunning-stop.queries.ts';

/** A promise to pay. */
export type PromiseRow = DunningStopRow &
  Record<'external_id' | 'until_on', string> & { promised_amount: number };

const ofInvoice = (platformId: number, invoiceExternalId: string) => sql`
  s.platform_id = ${platformId} and s.scope = 'INVOICE' and s.scope_external_id = ${invoiceExternalId}
    and s.cause = 'PROMISE'`;

const PROMISES: ListTable<{ invoice: string }> = {
  table: 'dunning_stops',
  key: 'ordinal',
  of: 'invoice',
  sort: 'ordinal',
  values: [],
  ranges: [],
  conditions: {
    invoice: (externalId) =>
      sql`t.scope = 'INVOICE' and t.cause = 'PROMISE' and t.scope_external_id = ${externalId}`,
  },
};

/** The promises of an invoice, the earliest first. */
export async function listPromisesOfInvoice(context: ListContext, invoice: string, page: CursorPage) {
  return listRows<{ invoice: string }, PromiseRow>(context, PROMISES, { invoice }, page, stopsTable.of('t'));
}

/** Undefined for an unknown promise, and for one of another invoice. The lock of the invoice also protects the promise. */
export async function findPromise(
  db: Db,
  platformId: number,
  { invoiceExternalId, externalId }: { invoiceExternalId: string; externalId: string },
): Promise<PromiseRow | undefined> {
  const { rows } = await sql<PromiseRow>`
    select ${stopsTable.of('s')} from dunning_stops s
    where ${ofInvoice(platformId, invoiceExternalId)} and s.external_id = ${externalId}`.execute(db);
  return rows[0];
}
