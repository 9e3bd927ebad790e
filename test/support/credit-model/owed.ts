/** The claimed, paid, credited and outstanding amounts of an invoice, recomputed from its facts each time. */
import type { Invoice, Payment } from './state.ts';

export const sumOf = <T>(list: readonly T[], amountOf: (each: T) => number) =>
  list.reduce((sum, each) => sum + amountOf(each), 0);

export const grossOf = ({ net, tax }: Invoice) => net + tax;
export const feeOf = ({ parts }: Invoice) => sumOf(parts, ({ feeNet, feeTax }) => feeNet + feeTax);
export const paidOf = ({ money }: Invoice) => sumOf(money, ({ amount }) => amount);
export const creditedOf = ({ notes }: Invoice) => sumOf(notes, ({ gross }) => gross);

export function outstandingOf(invoice: Invoice): number {
  if (invoice.status === 'CANCELLED') return 0;
  return grossOf(invoice) + feeOf(invoice) - creditedOf(invoice) - paidOf(invoice);
}

/** The credit that an invoice uses. Money covers the fee first, which uses no credit. */
export function creditUsedOf(invoice: Invoice): number {
  if (invoice.status === 'CANCELLED') return 0;
  const onCredit =
    invoice.financedCredit +
    sumOf(invoice.parts, ({ order, amount }) => (order.term === 'PREPAYMENT' ? 0 : amount));
  const paidGoods = Math.max(0, paidOf(invoice) - feeOf(invoice));
  return Math.min(onCredit, grossOf(invoice) - creditedOf(invoice) - paidGoods);
}

/** The remaining claim of each instalment. Credit notes reduce the last one first. */
function creditedClaims(invoice: Invoice) {
  let left = creditedOf(invoice);
  return invoice.claims
    .toReversed()
    .map((claim) => {
      const credited = Math.min(left, claim.goods);
      left -= credited;
      return { ...claim, credited };
    })
    .reverse();
}

/** The instalments: money pays the earliest one first. */
export function instalmentsOf(invoice: Invoice) {
  let left = paidOf(invoice);
  return creditedClaims(invoice).map(({ dueAt, goods, fee, credited }) => {
    const claimed = goods + fee - credited;
    const paid = Math.min(left, claimed);
    left -= paid;
    return { dueAt, amount: goods + fee, fee, paid, credited, outstanding: claimed - paid };
  });
}

/** When the next unpaid instalment is due; when all are paid, the last one. */
export function dueAtOf(invoice: Invoice): number {
  const instalments = instalmentsOf(invoice);
  const next = instalments.find(({ outstanding }) => outstanding > 0) ?? instalments.at(-1);
  return next?.dueAt ?? 0;
}

const overlap = (from: number, to: number, start: number, end: number) =>
  Math.max(0, Math.min(to, end) - Math.max(from, start));

/** The part of a payment that pays each instalment of the invoice. It comes after the payments that were applied earlier. */
export function allocationsOf(invoice: Invoice, payment: Payment) {
  const nth = invoice.money.findIndex((each) => each.payment === payment);
  const from = sumOf(invoice.money.slice(0, Math.max(0, nth)), ({ amount }) => amount);
  const to = from + (invoice.money[nth]?.amount ?? 0);
  let end = 0;
  return creditedClaims(invoice)
    .map(({ goods, fee, credited }, index) => {
      const start = end;
      end += fee + goods - credited;
      return {
        installment: index + 1,
        amount: overlap(from, to, start, end),
        term_fee: overlap(from, to, start, start + fee),
      };
    })
    .filter(({ amount }) => amount > 0);
}

/** The part of a payment that settles an invoice. */
export const appliedOf = (invoices: readonly Invoice[], payment: Payment) =>
  sumOf(invoices, ({ money }) => money.find((each) => each.payment === payment)?.amount ?? 0);
