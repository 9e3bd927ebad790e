/** The amounts that a buyer still owes, as the buyer's own page shows them. */
import { localDayOf } from '#kernel/local-day';
import type { Page } from '#operation/list';
import type { Context } from '#operation/operation';
import { findInvoices } from './invoice.queries.ts';
import type { Invoice } from './invoice.schemas.ts';
import { showInvoices } from './invoice-view.ts';
import { listOpenItemIds, type OwedSum, sumOpenItems } from './open-items.queries.ts';

export interface OpenItems {
  /** Earliest due first. */
  items: Invoice[];
  /** The sums of all items, not only of this page. */
  sums: OwedSum[];
}

/** The invoices, in any status, of which something is owed for the invoice or its late charges. */
export async function readOpenItems(
  { db, platformId, vault, now, timeZone }: Pick<Context, 'db' | 'platformId' | 'vault' | 'now' | 'timeZone'>,
  buyerExternalId: string,
  page: Page,
): Promise<OpenItems> {
  const [ids, sums] = await Promise.all([
    listOpenItemIds(db, platformId, buyerExternalId, page),
    sumOpenItems(db, platformId, buyerExternalId, localDayOf(now, timeZone)),
  ]);
  const rows = new Map((await findInvoices(db, platformId, ids)).map((row) => [row.external_id, row]));
  const inOrder = ids.flatMap((id) => rows.get(id) ?? []);
  return { items: await showInvoices(db, platformId, inOrder, { vault, now, timeZone }), sums };
}
