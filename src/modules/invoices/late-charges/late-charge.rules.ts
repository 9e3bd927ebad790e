/** How a payment is split between an invoice and its late charges. Amounts are minor units of the invoice's currency. */
import type { LateChargeOrder } from '#modules/platforms';

export interface SplitPayment {
  invoiceMinor: number;
  chargesMinor: number;
}

/** Splits money between the outstanding amount of an invoice and its late charges. The rest settles neither. */
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

/** The part of the money that settles each charge, earliest first. Charges that get nothing are left out. */
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
