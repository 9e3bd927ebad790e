/** Which part of an invoice money settles: the earliest instalment first, and in it the fee before the goods. */
import { DAY_SECONDS } from '#kernel/day';
import type { InstalmentRow } from './invoice.queries.ts';

/** The claim of an instalment: its fee, and its goods less what is credited. */
export type InstalmentClaim = Pick<
  InstalmentRow,
  'number' | 'due_on' | 'amount' | 'fee_amount' | 'credited_amount'
>;

/** Money for an invoice. */
export interface MoneyForInvoice {
  paymentId: string;
  amountMinor: number;
}

/** The part of a payment that settles an instalment. Differences can be below 0. */
export interface Allocated {
  paymentId: string;
  installment: number;
  feeMinor: number;
  goodsMinor: number;
}

/**
 * Lays money on the claims of an invoice, one payment after another. The instalments are sorted by due day. Money that exceeds the
 * claims is not allocated, so the last payments lose it.
 */
export function layOut(claims: readonly InstalmentClaim[], money: readonly MoneyForInvoice[]): Allocated[] {
  const purses = money.map((each) => ({ ...each }));
  const takeFor = (slotMinor: number) => {
    const taken: { paymentId: string; amountMinor: number }[] = [];
    let openMinor = slotMinor;
    while (openMinor > 0 && purses[0]) {
      const [purse] = purses;
      const amountMinor = Math.min(openMinor, purse.amountMinor);
      if (amountMinor > 0) taken.push({ paymentId: purse.paymentId, amountMinor });
      openMinor -= amountMinor;
      purse.amountMinor -= amountMinor;
      if (purse.amountMinor === 0) purses.shift();
    }
    return taken;
  };
  return claims.flatMap(({ number, amount, fee_amount, credited_amount }) => {
    const fees = takeFor(fee_amount);
    const goods = takeFor(amount - credited_amount);
    return [...new Set([...fees, ...goods].map(({ paymentId }) => paymentId))].map((paymentId) => ({
      paymentId,
      installment: number,
      feeMinor: amountOf(fees, paymentId),
      goodsMinor: amountOf(goods, paymentId),
    }));
  });
}

const amountOf = (taken: readonly MoneyForInvoice[], paymentId: string) =>
  taken.find((each) => each.paymentId === paymentId)?.amountMinor ?? 0;

/** The differences between two layouts. Equal parts are left out. */
export function allocationChanges(before: readonly Allocated[], after: readonly Allocated[]): Allocated[] {
  const changes = new Map<string, Allocated>();
  const add = ({ paymentId, installment, feeMinor, goodsMinor }: Allocated, sign: 1 | -1) => {
    const key = `${paymentId}/${installment}`;
    const sum = changes.get(key) ?? { paymentId, installment, feeMinor: 0, goodsMinor: 0 };
    sum.feeMinor += sign * feeMinor;
    sum.goodsMinor += sign * goodsMinor;
    changes.set(key, sum);
  };
  for (const allocated of before) add(allocated, -1);
  for (const allocated of after) add(allocated, 1);
  return [...changes.values()].filter(({ feeMinor, goodsMinor }) => feeMinor !== 0 || goodsMinor !== 0);
}

/**
 * Credits goods, from the latest instalment backwards, so that what the buyer keeps is due as agreed. Returns the credited amount of
 * each instalment. The amount (minor units) is at most the amount that is not credited yet.
 */
export function creditLatestFirst(
  claims: readonly Pick<InstalmentClaim, 'amount' | 'credited_amount'>[],
  amountMinor: number,
): number[] {
  let leftMinor = amountMinor;
  return claims
    .toReversed()
    .map(({ amount, credited_amount }) => {
      const credited = Math.min(leftMinor, amount - credited_amount);
      leftMinor -= credited;
      return credited_amount + credited;
    })
    .reverse();
}

/** Days in the platform's calendar: the due day of an instalment, and the day of the last money for it. */
export interface SettledInstalment {
  dueOn: string;
  paidOn: string;
}

/**
 * The instalment that was paid the most days late: the invoice counts as late as this one. Lateness is judged by the days on which the
 * money came, regardless of when it was recorded. Returns undefined if nothing was paid.
 */
export function latestInstalment(
  claims: readonly InstalmentClaim[],
  money: readonly (MoneyForInvoice & { paidOn: string })[],
): SettledInstalment | undefined {
  const byDay = money.toSorted((a, b) => (a.paidOn < b.paidOn ? -1 : a.paidOn > b.paidOn ? 1 : 0));
  const dayOfPayment = new Map(byDay.map(({ paymentId, paidOn }) => [paymentId, paidOn]));
  const settled = new Map<number, string>();
  // Sorted by day, so the last payment of an instalment is the latest.
  for (const { paymentId, installment } of layOut(claims, byDay))
    settled.set(installment, dayOfPayment.get(paymentId) as string);
  return claims
    .flatMap(({ number, due_on }) => {
      const paidOn = settled.get(number);
      return paidOn === undefined ? [] : [{ dueOn: due_on, paidOn }];
    })
    .reduce<SettledInstalment | undefined>(
      (latest, each) => (latest === undefined || daysLate(each) > daysLate(latest) ? each : latest),
      undefined,
    );
}

const daysLate = ({ dueOn, paidOn }: SettledInstalment) =>
  (Date.parse(paidOn) - Date.parse(dueOn)) / (DAY_SECONDS * 1_000);
