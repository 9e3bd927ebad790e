/** What of a payment goes to an invoice and what to its late charges. Amounts are minor units of the invoice's currency. */
import type { LateChargeOrder } from '#modules/platforms';

export interface SplitPayment {
  invoiceMinor: number;
  chargesMinor: number;
}

/** The split of money for an invoice that owes so much, beside so much of late charges. The rest is for neither. */
export function splitPayment(
  amountMinor: number,
  { owedMinor, chargedMinor }: { owedMinor: number; chargedMinor: number },
  order: LateChargeOrder,
): SplitPayment {
  if (order === 'CHARGES_FIRST') {
    const chargesMinor = Math.min(amountMinor, chargedMinor);
    return { chargesMinor, invoiceMinor: Math.min(amountMinor - chargesMinor, owedMinor) };
  }
  const invoiceMinor = Math.min(amountMinor, owedMinor);
  return { invoiceMinor, chargesMinor: Math.min(amountMinor - invoiceMinor, chargedMinor) };
}

/** What of the money settles each charge, the earliest first. Charges that get nothing are left out. */
export function settleEarliestFirst<Charge extends { outstanding_amount: number }>(
  charges: readonly Charge[],
  amountMinor: number,
): { charge: Charge; amountMinor: number }[] {
  let leftMinor = amountMinor;
  return charges
    .map((charge) => {
      const taken = Math.min(leftMinor, charge.outstanding_amount);
      leftMinor -= taken;
      return { charge, amountMinor: taken };
    })
    .filter((each) => each.amountMinor > 0);
}
