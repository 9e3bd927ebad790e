/** Promises to pay: the stops of single invoices that buyers asked for. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { Page } from '#operation/list';
import { type DunningStopRow, stopsTable } from './dunning-stop.queries.ts';

/** A promise to pay. */
export type PromiseRow = DunningStopRow &
  Record<'external_id' | 'until_on', string> & { promised_amount: number };

const ofInvoice = (platformId: number, invoiceExternalId: string) => sql`
  s.platform_id = ${platformId} and s.scope = 'INVOICE' and s.scope_external_id = ${invoiceExternalId}
    and s.cause = 'PROMISE'`;

/** The promises of an invoice, the earliest first. */
export async function listPromisesOfInvoice(
  db: Db,
  platformId: number,
  invoiceExternalId: string,
  { limit, offset }: Page,
): Promise<{ rows: PromiseRow[]; total: number }> {
  const of = ofInvoice(platformId, invoiceExternalId);
  const [{ rows }, counted] = await Promise.all([
    sql<PromiseRow>`
      select ${stopsTable.of('s')} from dunning_stops s where ${of}
      order by s.created_at, s.ordinal limit ${limit} offset ${offset}`.execute(db),
    sql<{ total: number }>`select count(*)::int as total from dunning_stops s where ${of}`.execute(db),
  ]);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

/** Undefined for an unknown promise, and for one of another invoice. The lock of its invoice is its own. */
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
