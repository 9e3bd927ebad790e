/** `tradeline payment list|apply` */
import type { Currency } from '#kernel/currency';
import { StartRefused } from '#kernel/start-refused';
import {
  type ApplicationFault,
  applyPayment,
  findPayment,
  type InvoicePayment,
  listUnappliedPayments,
  showPayments,
} from '#modules/invoices';
import { LIMIT_MAX } from '#operation/list';
import { exactAmount, readAmount } from './amount-text.ts';
import { readArguments, WrongUsage } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { onPlatform } from './installation.ts';
import { ifGiven, isExternalId, reasonText, required } from './options.ts';
import { printDone, printItems } from './result.ts';
import { instant } from './table.ts';

export const paymentCommand = commandOf('payment', { list, apply });

const text = { type: 'string' } as const;
const BUYER_EXPECTED = "a buyer's external_id";

async function list(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, buyer: text } });
  const buyer = ifGiven(values.buyer, '--buyer', isExternalId, BUYER_EXPECTED);
  await onPlatform(values.platform, async ({ db, platform: { platform_id: platformId } }) => {
    const payments: InvoicePayment[] = [];
    for (let isMore = true; isMore; ) {
      const page = { limit: LIMIT_MAX, offset: payments.length };
      const rows = await listUnappliedPayments(db, platformId, { buyerExternalId: buyer, page });
      payments.push(...(await showPayments(db, platformId, rows)));
      isMore = rows.length === LIMIT_MAX;
    }
    printItems(values.json, payments, rowOf, 'There is no unapplied cash.');
  });
}

const rowOf = (payment: InvoicePayment) => ({
  buyer: payment.buyer_external_id,
  unapplied: exactAmount(payment.unapplied_amount, payment.currency),
  currency: payment.currency,
  payment: payment.external_id,
  invoice: payment.invoice_external_id,
  paid: instant(payment.paid_at),
  of: exactAmount(payment.amount, payment.currency),
});

async function apply(args: string[]): Promise<void> {
  const options = { platform: text, payment: text, invoice: text, amount: text, reason: text };
  const { values } = readArguments({ args, options });
  const payment = required(values.payment, '--payment', isExternalId, "a payment's external_id");
  const invoice = required(values.invoice, '--invoice', isExternalId, "an invoice's external_id");
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    const { platform_id: platformId, time_zone: timeZone } = on.platform;
    const found = await findPayment(on.db, { platformId, externalId: payment });
    const names = { payment, invoice, currency: found?.currency ?? 'EUR' };
    if (!found) throw refusalOf({ fault: 'NO_SUCH_PAYMENT' }, names);
    const { currency } = found;
    const amountMinor = values.amount === undefined ? null : amountOption(values.amount, currency);
    const applied = await asOperator(on, { role: 'FINANCE' }, async (operator) => {
      const application = { paymentExternalId: payment, invoiceExternalId: invoice, amountMinor };
      const answer = await applyPayment({ ...operator, timeZone }, application);
      if (answer.fault !== null) throw refusalOf(answer, names);
      const details = { invoice, amount: answer.amountMinor, currency };
      const audit = { action: 'PAYMENT_APPLIED', subject: `payment ${payment}`, reason, details };
      return { answer, audit };
    });
    const { status, outstanding_amount: outstanding } = applied.invoice;
    const amount = applied.amountMinor;
    const money = (minor: number) => `${exactAmount(minor, currency)} ${currency}`;
    printDone(
      values.json,
      { payment, invoice, amount, currency, invoice_status: status, outstanding_amount: outstanding },
      `${money(amount)} of the payment ${payment} settle the invoice ${invoice}, which is ${status} and owes ${money(outstanding)}.`,
    );
  });
}

function amountOption(value: string, currency: Currency): number {
  const minor = readAmount(value, '--amount', currency);
  if (minor === 0) throw new WrongUsage('--amount must be more than 0.');
  return minor;
}

/** One sentence on why the payment cannot settle the invoice. */
function refusalOf(
  found: ApplicationFault,
  { payment, invoice, currency }: { payment: string; invoice: string; currency: Currency },
): StartRefused {
  const money = (minor: number) => `${exactAmount(minor, currency)} ${currency}`;
  const sentence = () => {
    switch (found.fault) {
      case 'NO_SUCH_PAYMENT':
        return `There is no payment ${payment}.`;
      case 'NO_SUCH_INVOICE':
        return `There is no invoice ${invoice}.`;
      case 'NOTHING_UNAPPLIED':
        return `The payment ${payment} has no unapplied cash: tradeline payment list shows the payments that have some.`;
      case 'OTHER_BUYER':
        return `The payment ${payment} belongs to the buyer ${found.paidBy}, but the invoice ${invoice} to ${found.owedBy}.`;
      case 'OTHER_CURRENCY':
        return `The payment ${payment} is in ${currency}, but the invoice ${invoice} is in ${found.owedIn}.`;
      case 'NOT_OWED':
        return `The invoice ${invoice} is ${found.status}: nothing is owed on it.`;
      case 'MORE_THAN_UNAPPLIED':
        return `Only ${money(found.unappliedMinor)} of the payment ${payment} are unapplied.`;
      case 'MORE_THAN_OWED':
        return `Only ${money(found.outstandingMinor)} of the invoice ${invoice} are still owed.`;
    }
  };
  return new StartRefused(sentence());
}
