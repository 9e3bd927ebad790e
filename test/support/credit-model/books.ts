/** The balances that the ledger must have, computed from the documents. A debit is positive. */
import type { Service } from './merchant-state.ts';
import { allocationsOf, appliedOf, creditedOf, feeOf, grossOf, paidOf, sumOf } from './owed.ts';
import { financingOf, financings } from './service-status.ts';
import type { Invoice, Model, Payment } from './state.ts';

/** The part of a payment that settles the fee of an invoice. */
const feePaidOf = (invoice: Invoice, payment: Payment) =>
  sumOf(allocationsOf(invoice, payment), ({ term_fee }) => term_fee);
const amountPaidOf = (invoice: Invoice, payment: Payment) =>
  sumOf(allocationsOf(invoice, payment), ({ amount }) => amount);

const standing = ({ payments }: Readonly<Model>) => payments.filter(({ isReversed }) => !isReversed);

/** The part of a payment that settles claims of the platform: fees, and the goods of financed invoices. */
const claimsPaidBy = (model: Readonly<Model>, payment: Payment) =>
  sumOf(model.invoices, (invoice) =>
    financingOf(model, invoice) ? amountPaidOf(invoice, payment) : feePaidOf(invoice, payment),
  );

/** The goods credited since the claim moved. */
const undoneOf = ({ invoice, base }: Service) =>
  (invoice.status === 'CANCELLED' ? grossOf(invoice) : creditedOf(invoice)) - (grossOf(invoice) - base);

/** The part of the written-off amount that was recovered. */
function recoveredOf(invoice: Invoice): number {
  const { status, writtenOff } = invoice;
  const claimed = status === 'CANCELLED' ? 0 : grossOf(invoice) - creditedOf(invoice);
  return writtenOff === 0 ? 0 : Math.max(0, goodsPaidOf(invoice) + writtenOff - claimed);
}

const goodsPaidOf = (invoice: Invoice) => Math.max(0, paidOf(invoice) - feeOf(invoice));

const receivableOf = ({ invoice, base, ...service }: Service) =>
  base -
  undoneOf({ invoice, base, ...service }) -
  goodsPaidOf(invoice) -
  invoice.writtenOff +
  recoveredOf(invoice);

/** The merchant's debt to the platform; negative if it has overpaid. */
export function merchantOwes(model: Readonly<Model>): number {
  const atMerchant = standing(model).filter(({ isAtPlatform }) => !isAtPlatform);
  const deducted = model.merchant.lines.filter(
    ({ kind, payout }) => kind === 'SET_OFF' && payout?.status !== 'CANCELLED',
  );
  return (
    sumOf(atMerchant, (each) => claimsPaidBy(model, each)) +
    sumOf(financings(model), (each) => undoneOf(each) - each.setOff) +
    sumOf(deducted, ({ amount }) => amount)
  );
}

/** The amount that buyers paid to the platform for the merchant's invoice, without amounts that are in payout lines. */
export function payableOf(model: Readonly<Model>, invoice: Invoice): number {
  const collected = model.merchant.lines.filter(
    (each) => each.kind === 'COLLECTED' && each.invoice === invoice,
  );
  const received = financingOf(model, invoice)
    ? 0
    : sumOf(
        standing(model).filter(({ isAtPlatform }) => isAtPlatform),
        (payment) => amountPaidOf(invoice, payment) - feePaidOf(invoice, payment),
      );
  return received - sumOf(collected, ({ amount }) => amount);
}

/** Balances by account, with its party if the trial balance names one. Balances of 0 are left out. */
export function balancesOf(model: Model): Record<string, number> {
  const { invoices, merchant, bankEntries } = model;
  const queued = bankEntries.filter(({ status }) => status === 'QUEUED');
  const charges = bankEntries.filter(({ status, isCharge }) => status === 'MATCHED' && isCharge);
  const live = invoices.filter(({ status }) => status !== 'CANCELLED');
  const atPlatform = standing(model).filter(({ isAtPlatform }) => isAtPlatform);
  const parts = live.flatMap((invoice) => invoice.parts);
  const financed = financings(model);
  const paidOut = merchant.payouts.filter(({ status }) => status === 'PAID');
  const unpaid = merchant.lines.filter(
    ({ kind, payout }) =>
      payout === null || (payout.status !== 'PAID' && !(kind === 'SET_OFF' && payout.status === 'CANCELLED')),
  );
  const balances = {
    'bank main':
      sumOf(atPlatform, ({ amount, difference }) => amount - difference) -
      sumOf(paidOut, ({ amount }) => amount) +
      sumOf([...queued, ...charges], ({ amount }) => amount),
    suspense: -sumOf(queued, ({ amount }) => amount),
    bank_charges: sumOf(atPlatform, ({ difference }) => difference) - sumOf(charges, ({ amount }) => amount),
    unapplied_cash: -sumOf(atPlatform, (each) => each.amount - appliedOf(invoices, each)),
    term_fee_receivable: sumOf(live, (each) => Math.max(0, feeOf(each) - paidOf(each))),
    term_fee_income: -sumOf(parts, ({ feeNet }) => feeNet),
    'fee_tax S': -sumOf(parts, ({ feeTax }) => feeTax) - sumOf(financed, ({ feeTax }) => feeTax),
    merchant_payable: -sumOf(invoices, (each) => payableOf(model, each)),
    merchant_setoff: merchantOwes(model),
    buyer_receivable: sumOf(financed, receivableOf),
    fee_income: -sumOf(financed, ({ feeNet }) => feeNet),
    payout_clearing: -sumOf(unpaid, ({ amount }) => amount),
    loss: sumOf(invoices, ({ writtenOff }) => writtenOff),
    recovery: -sumOf(invoices, recoveredOf),
  };
  return Object.fromEntries(Object.entries(balances).filter(([, balance]) => balance !== 0));
}
