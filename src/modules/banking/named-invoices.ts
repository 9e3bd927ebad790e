/** The amounts owed by the invoices that a payment names. */
import { findLimitPolicies } from '#modules/facilities';
import { listOpenLateCharges, type PayableInvoice } from '#modules/invoices';
import { findPlatform } from '#modules/platforms';
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

/** The amounts owed for late charges. */
export interface ChargesOwed {
  /** By invoice, for those that have late charges. Minor units. */
  ofInvoices: ReadonlyMap<string, number>;
  /** Whether money settles late charges before their invoice. */
  areFirst: boolean;
}

/** The amounts owed for the late charges of the invoices. Reads the platform only if an invoice has some. */
export async function findChargesOwed(
  { db, platformId }: MatchingContext,
  invoices: readonly PayableInvoice[],
): Promise<ChargesOwed> {
  const ofInvoices = new Map<string, number>();
  const ids = invoices.map(({ external_id }) => external_id);
  const open = ids.length === 0 ? [] : await listOpenLateCharges(db, platformId, ids);
  for (const { invoice_external_id: id, outstanding_amount } of open)
    ofInvoices.set(id, (ofInvoices.get(id) ?? 0) + outstanding_amount);
  const platform = open.length === 0 ? undefined : await findPlatform(db, platformId);
  return { ofInvoices, areFirst: platform?.late_charge_order === 'CHARGES_FIRST' };
}

/** A residue closes its invoice. There is none if the late charges of the invoice are settled first. */
export function namedInvoices(
  invoices: readonly PayableInvoice[],
  residues: ReadonlyMap<string, number>,
  { ofInvoices, areFirst }: ChargesOwed,
): NamedInvoice[] {
  return invoices.map((invoice) => {
    const chargesMinor = ofInvoices.get(invoice.external_id) ?? 0;
    const isPaidLast = areFirst && chargesMinor > 0;
    return {
      externalId: invoice.external_id,
      paymentReference: invoice.payment_reference,
      invoiceNumber: invoice.invoice_number,
      status: invoice.status,
      currency: invoice.currency,
      outstandingMinor: invoice.outstanding_amount,
      chargesMinor,
      residueMinor: isPaidLast ? 0 : (residues.get(invoice.buyer_external_id) ?? 0),
    };
  });
}
