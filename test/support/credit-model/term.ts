/** The agreement of an order: its instalments, and the fee for its term in the price table of the model's platform. */
import { type Claim, DAY_SECONDS, endOfDay, type Order, type Term } from './state.ts';

/** Basis points of the gross amount. */
export const FEES = { DEFER_30D: 110, SPLIT_3M: 255 } as const;
export const FEE_TAX = 1_900;
const BASIS_POINTS = 10_000;

/** Whole minor units, half to even. */
export function divided(amount: number, by: number): number {
  const rest = amount % by;
  const down = (amount - rest) / by;
  return rest * 2 > by || (rest * 2 === by && down % 2 === 1) ? down + 1 : down;
}

/** The fee that the buyer agreed to. */
function feeOfOrder({ term, gross }: Order): { net: number; tax: number } {
  const net = divided(gross * (FEES[term as keyof typeof FEES] ?? 0), BASIS_POINTS);
  return { net, tax: divided(net * FEE_TAX, BASIS_POINTS) };
}

/** The part of the fee for the next `amount` of the order, after `invoiced` has taken `taken`. */
export function feePartOf(order: Order, amount: number, taken: { net: number; tax: number }) {
  const fee = feeOfOrder(order);
  const untilNow = (whole: number) => divided(whole * (order.invoiced + amount), order.gross);
  return {
    feeNet: Math.max(0, untilNow(fee.net) - taken.net),
    feeTax: Math.max(0, untilNow(fee.tax) - taken.tax),
  };
}

const MONTHS: Partial<Record<Term, number>> = { SPLIT_3M: 3 };
export const isSplit = ({ term }: Order) => term !== null && MONTHS[term] !== undefined;

/** The last second of the same day some months later, or of the last day of that month. */
function monthsLater(at: number, months: number): number {
  const from = new Date(at * 1_000);
  const day = (ofMonth: number) =>
    Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, ofMonth) / 1_000;
  const nextMonth = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 1) / 1_000;
  return Math.min(endOfDay(day(from.getUTCDate())), nextMonth) - 1;
}

/** The instalments of the whole order. */
export function agreedClaims({ term, gross, orderedAt }: Order): Omit<Claim, 'fee'>[] {
  const months = MONTHS[term as Term];
  if (months === undefined)
    return [{ dueAt: orderedAt + (term === 'PREPAYMENT' ? 0 : 30 * DAY_SECONDS), goods: gross }];
  const part = Math.floor(gross / months);
  return Array.from({ length: months }, (_, index) => ({
    dueAt: monthsLater(orderedAt, index + 1),
    goods: index === 0 ? gross - part * (months - 1) : part,
  }));
}
