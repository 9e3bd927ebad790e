/** The amounts owed by the invoices that a payment names. */
import { findLimitPolicies } from '#modules/facilities';
import { listOpenLateCharges, type PayableInvoice } from '#modules/invoices';
import type { MatchingContext } from './banking-context.ts';
import type { NamedInvoice } from './matching.rules.ts';

/** The residue for each buyer: how much a payment may be short. */
export async function findResidues(
  { db, platformId, now }: MatchingContext,
  invoices: readonly PayableInvoice[],
): Promise<ReadonlyMap<string, number>> {
  const buyers = [...new Set(invoices.map(({ buyer_external_id }) => buyer_external_id))];
  if (buyers.length === 0) return new Map();
  const policies = await findLimitPolicies(
    db,
    buyers.map((buyerExternalId) => ({ platformId, buyerExternalId, at: now })),
  );
  return new Map(buyers.map((buyer, index) => [buyer, policies[index]?.overdueResidueAmountMinor ?? 0]));
}

/** The amount owed for the late charges of each invoice that has some. */
export async function findChargesOwed(
  { db, platformId }: MatchingContext,
  invoices: readonly PayableInvoice[],
): Promise<ReadonlyMap<string, number>> {
  const owed = new Map<string, number>();
  if (invoices.length === 0) return owed;
  const ids = invoices.map(({ external_id }) => external_id);
  for (const { invoice_external_id: id, outstanding_amount } of await listOpenLateCharges(
    db,
    platformId,
    ids,
  ))
    owed.set(id, (owed.get(id) ?? 0) + outstanding_amount);
  return owed;
}

export function namedInvoices(
  invoices: readonly PayableInvoice[],
  residues: ReadonlyMap<string, number>,
  charges: ReadonlyMap<string, number> = new Map(),
): NamedInvoice[] {
  return invoices.map((invoice) => ({
    externalId: invoice.external_id,
    paymentReference: invoice.payment_reference,
    invoiceNumber: invoice.invoice_number,
    status: invoice.status,
    currency: invoice.currency,
    outstandingMinor: invoice.outstanding_amount,
    chargesMinor: charges.get(invoice.external_id) ?? 0,
    residueMinor: residues.get(invoice.buyer_external_id) ?? 0,
  }));
}
