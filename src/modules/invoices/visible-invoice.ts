/** The invoice to which a list of rows belongs, read without the sums that the API shows: these read all rows of the invoice. */
import { notFound } from '#kernel/problem';
import { assertVisible } from '#operation/caller';
import type { Context } from '#operation/operation';
import { findInvoiceOwner, type InvoiceOwner } from './invoice.queries.ts';

/** Throws NOT_FOUND for an unknown invoice and for an invoice of another merchant. */
export async function findVisibleInvoice(
  { db, platformId, caller }: Pick<Context, 'db' | 'platformId' | 'caller'>,
  externalId: string,
): Promise<InvoiceOwner> {
  const invoice = await findInvoiceOwner(db, { platformId, externalId });
  if (!invoice) throw notFound();
  assertVisible(invoice, caller);
  return invoice;
}
