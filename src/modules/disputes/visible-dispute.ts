/** Finds the dispute that a request names, if the caller may see its invoice. */
import { notFound } from '#kernel/problem';
import { findInvoice, type InvoiceRow, lockToSettle } from '#modules/invoices';
import { assertVisible } from '#operation/caller';
import type { Context } from '#operation/operation';
import { type DisputeRow, findDispute } from './dispute.queries.ts';

export interface NamedDispute {
  invoice: InvoiceRow;
  dispute: DisputeRow;
}

interface DisputeNames {
  external_id: string;
  dispute_external_id: string;
}

/** Throws NOT_FOUND for an unknown invoice or dispute, and for those of another merchant. */
export async function findVisibleDispute(
  { db, platformId, caller }: Context,
  { external_id, dispute_external_id }: DisputeNames,
): Promise<NamedDispute> {
  const invoice = await findInvoice(db, { platformId, externalId: external_id });
  if (!invoice) throw notFound();
  assertVisible(invoice, caller);
  const dispute = await findDispute(db, { platformId, externalId: dispute_external_id });
  if (dispute?.invoice_external_id !== external_id) throw notFound();
  return { invoice, dispute };
}

/** Like `findVisibleDispute`, but locks the dispute with its invoice and everything that a credit note changes. */
export async function lockVisibleDispute(context: Context, names: DisputeNames): Promise<NamedDispute> {
  const { platformId, db, caller } = context;
  const invoice = (await lockToSettle(context, [names.external_id])).get(names.external_id);
  if (!invoice) throw notFound();
  assertVisible(invoice, caller);
  const dispute = await findDispute(db, { platformId, externalId: names.dispute_external_id });
  if (dispute?.invoice_external_id !== names.external_id) throw notFound();
  return { invoice, dispute };
}
