import { DAY_SECONDS, dayMonthsLater } from './day.ts';
import { lastSecondOf, localDayOf } from './local-day.ts';

/** When a purchase is paid: before delivery, some days after it, or in monthly instalments. */
export const PAYMENT_TERMS = [
  'PREPAYMENT',
  'DEFER_3D',
  'DEFER_7D',
  'DEFER_14D',
  'DEFER_21D',
  'DEFER_30D',
  'DEFER_45D',
  'DEFER_60D',
  'DEFER_75D',
  'DEFER_90D',
  'DEFER_120D',
  'SPLIT_3M',
  'SPLIT_6M',
] as const;
export type PaymentTerm = (typeof PAYMENT_TERMS)[number];

export const PAYMENT_METHODS = ['CASH', 'CARD', 'TRANSFER', 'DEBIT'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** Whether the term needs a facility. Every term but prepayment does. */
export function isOnCredit(term: PaymentTerm): boolean {
  return term !== 'PREPAYMENT';
}

export interface Instalment {
  /** Unix seconds. */
  dueAt: number;
  amountMinor: number;
}

/**
 * The instalments of an amount ordered at an instant (unix seconds): one after the given days, or equal monthly parts
 * on the same day of the month in the time zone (or its last day), with the remainder in the first. A monthly part is
 * due at the last second of its day.
 */
export function instalmentsOf(
  term: PaymentTerm,
  grossMinor: number,
  orderedAt: number,
  timeZone: string,
): Instalment[] {
  if (term === 'PREPAYMENT') return [{ dueAt: orderedAt, amountMinor: grossMinor }];
  const [, kind, count] = /^(DEFER|SPLIT)_(\d+)[DM]$/.exec(term) as unknown as [string, string, string];
  if (kind === 'DEFER') return [{ dueAt: orderedAt + Number(count) * DAY_SECONDS, amountMinor: grossMinor }];
  const parts = Number(count);
  const remainderMinor = grossMinor % parts;
  const partMinor = (grossMinor - remainderMinor) / parts;
  const orderedOn = localDayOf(orderedAt, timeZone);
  return Array.from({ length: parts }, (_, index) => ({
    dueAt: lastSecondOf(dayMonthsLater(orderedOn, index + 1), timeZone),
    amountMinor: index === 0 ? partMinor + remainderMinor : partMinor,
  }));
}
