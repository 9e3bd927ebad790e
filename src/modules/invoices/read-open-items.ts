/** What a buyer still owes, as its own page shows it. */
import { localDayOf } from '#kernel/local-day';
import type { Page } from '#operation/list';
import type { Context } from '#operation/operation';
import { findInvoices } from './invoice.queries.ts';
import type { Invoice } from './invoice.schemas.ts';
import { showInvoices } from './invoice-view.ts';
import { listOpenItemIds, type OwedSum, sumOpenItems } from './open-items.queries.ts';

export interface OpenItems {
  /** The first due first. */
  items: Invoice[];
  /** Of all, not only of this page. */
  sums: OwedSum[];
}

/** The invoices of which something is owed, or of whose late charges, in any status. */
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
