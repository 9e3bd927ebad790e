/** The invoice of a list of its rows, without what else is shown of an invoice: its sums read all of its rows. */
import { notFound } from '#kernel/problem';
import { assertVisible } from '#operation/caller';
import type { Context } from '#operation/operation';
import { findInvoiceOwner, type InvoiceOwner } from './invoice.queries.ts';

/** Throws NOT_FOUND for an unknown invoice, and for one of another merchant. */
export async function findVisibleInvoice(
  { db, platformId, caller }: Pick<Context, 'db' | 'platformId' | 'caller'>,
  externalId: string,
): Promise<InvoiceOwner> {
  const invoice = await findInvoiceOwner(db, { platformId, externalId });
  if (!invoice) throw notFound();
  assertVisible(invoice, caller);
  return invoice;
}
