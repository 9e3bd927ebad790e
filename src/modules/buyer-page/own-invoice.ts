import { Problem } from '#kernel/problem';
import { getInvoice, type Invoice } from '#modules/invoices';
import type { Context } from '#operation/operation';
import { runOperation } from '#operation/run-operation';

/** Null for an unknown invoice, and for one of another buyer. */
export async function findOwnInvoice(
  context: Context,
  buyerExternalId: string,
  externalId: string,
): Promise<Invoice | null> {
  const input = { params: { external_id: externalId } };
  const invoice = await nullIfMissing(runOperation(getInvoice, { context, input }));
  return invoice?.buyer_external_id === buyerExternalId ? invoice : null;
}

/** Null if the read throws NOT_FOUND. */
export async function nullIfMissing<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof Problem && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
