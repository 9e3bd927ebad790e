/**
 * How an invoice's amount is divided: into instalments, and into its part of the fee agreed with the order. The parts sum to the whole,
 * in minor units.
 */
import { halfEven } from '#kernel/half-even';
import type { TermOffer } from '#modules/facilities';

type Fee = TermOffer['fee'];

/** Net and tax of a fee, in minor units. */
export interface FeePart {
  net: number;
  tax: number;
}

/** The amounts of an order that earlier invoices took, without cancelled invoices. */
export interface TakenBefore {
  amountMinor: number;
  fee: FeePart;
}

/**
 * The part of an order's agreed fee that falls to an invoice over `amountMinor` of it. Each invoice raises the total of the parts to
 * the proportion invoiced by then, so the parts of all invoices sum to the agreed fee, even if one was cancelled.
 */
export function feePartOf(
  fee: Pick<Fee, 'net' | 'tax'>,
  grossMinor: number,
  amountMinor: number,
  before: TakenBefore,
): FeePart {
  const untilNow = (feeMinor: number) =>
    Number(halfEven(BigInt(feeMinor) * BigInt(before.amountMinor + amountMinor), BigInt(grossMinor)));
  return {
    net: Math.max(0, untilNow(fee.net) - before.fee.net),
    tax: Math.max(0, untilNow(fee.tax) - before.fee.tax),
  };
}

/** The instalments of a part of an order, in proportion to the agreed instalments, with the remainder in the first. */
export function instalmentsOfPart(
  agreed: TermOffer['installments'],
  amountMinor: number,
  grossMinor: number,
): number[] {
  const parts = agreed.map(({ amount }) =>
    Number((BigInt(amount.value) * BigInt(amountMinor)) / BigInt(grossMinor)),
  );
  const remainderMinor = amountMinor - parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part, index) => (index === 0 ? part + remainderMinor : part));
}
