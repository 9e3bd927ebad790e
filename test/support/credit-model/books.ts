/** The balances that the ledger must have, counted from the documents. A debit is positive. */
import { allocationsOf, appliedOf, feeOf, paidOf, sumOf } from './owed.ts';
import type { Model, Payment } from './state.ts';

/** What of a payment settles fees, on all invoices. */
const feePaidBy = ({ invoices }: Model, payment: Payment) =>
  sumOf(invoices, (invoice) => sumOf(allocationsOf(invoice, payment), ({ term_fee }) => term_fee));

/** By account, with its party where the trial balance names one; those of 0 are left out. */
export function balancesOf(model: Model): Record<string, number> {
  const { invoices } = model;
  const live = invoices.filter(({ status }) => status !== 'CANCELLED');
  const payments = model.payments.filter(({ isReversed }) => !isReversed);
  const atPlatform = payments.filter(({ isAtPlatform }) => isAtPlatform);
  const atMerchant = payments.filter(({ isAtPlatform }) => !isAtPlatform);
  const partsOfLive = live.flatMap(({ parts }) => parts);
  const balances = {
    'bank main': sumOf(atPlatform, ({ amount }) => amount),
    unapplied_cash: -sumOf(atPlatform, (each) => each.amount - appliedOf(invoices, each)),
    term_fee_receivable: sumOf(live, (each) => Math.max(0, feeOf(each) - paidOf(each))),
    term_fee_income: -sumOf(partsOfLive, ({ feeNet }) => feeNet),
    'fee_tax S': -sumOf(partsOfLive, ({ feeTax }) => feeTax),
    merchant_payable: -sumOf(atPlatform, (each) => appliedOf(invoices, each) - feePaidBy(model, each)),
    merchant_setoff: sumOf(atMerchant, (each) => feePaidBy(model, each)),
  };
  return Object.fromEntries(Object.entries(balances).filter(([, balance]) => balance !== 0));
}
