/** What a settlement says about how the buyer pays: invoices paid, settlements reversed, and what became of defaults. */
import type { Currency } from '#kernel/currency';
import { localDayOf } from '#kernel/local-day';
import { recordDefaultChanges, recordPaidInvoices, reverseSettlements } from '#modules/facilities';
import type { ChangeContext } from '#operation/operation';
import type { InvoiceColumns } from './invoice.queries.ts';
import { latestInstalment } from './payment-layout.rules.ts';
import {
  amountOfAll,
  type Moment,
  type OwedChange,
  type OwingInvoice,
  type Settlement,
} from './settlement.rules.ts';

/** Records the facts of a settlement; `changed` is the invoice after it. */
export async function recordSettlementFacts(
  context: ChangeContext & Moment,
  { invoice }: OwingInvoice,
  change: OwedChange,
  settlement: Settlement,
  changed: InvoiceColumns,
): Promise<void> {
  const { db, platformId, now } = context;
  const ofInvoice = {
    buyerExternalId: invoice.buyer_external_id,
    invoiceExternalId: invoice.external_id,
    at: now,
  };
  if (invoice.status === 'CLOSED' && changed.status !== 'CLOSED')
    await reverseSettlements(db, platformId, [ofInvoice]);
  if (invoice.status !== 'CLOSED' && changed.status === 'CLOSED')
    await recordPaid(context, ofInvoice, settlement, sourceOf(change, changed), changed);
  const settledMinor = invoice.outstanding_amount - changed.outstanding_amount;
  if (invoice.defaulted_on === null || settledMinor === 0) return;
  await recordDefaultChanges(db, platformId, [
    {
      ...ofInvoice,
      ...defaultChangeOf(change, invoice.defaulted_on, localDayOf(now, context.timeZone)),
      sourceId: sourceOf(change, changed),
      amountMinor: settledMinor,
    },
  ]);
}

async function recordPaid(
  { db, platformId }: ChangeContext,
  ofInvoice: { buyerExternalId: string; invoiceExternalId: string; at: number },
  { installments, applied }: Settlement,
  paymentId: string,
  changed: InvoiceColumns,
): Promise<void> {
  const latest = latestInstalment(
    installments,
    applied.map(({ payment, allocated }) => ({
      paymentId: payment.external_id,
      paidOn: payment.paid_on,
      amountMinor: amountOfAll(allocated),
    })),
  );
  if (!latest) return;
  await recordPaidInvoices(db, platformId, [
    {
      ...ofInvoice,
      ...latest,
      paymentId,
      currency: changed.currency as Currency,
      amountMinor: changed.paid_amount,
    },
  ]);
}

/** The document of the change, with the version of the invoice: a payment can settle an invoice more than once. */
function sourceOf(change: OwedChange, changed: Pick<InvoiceColumns, 'version' | 'external_id'>): string {
  if ('payment' in change) return `${change.payment.external_id}/${changed.version}`;
  const document = change.cause === 'CREDIT_NOTE' ? change.creditNoteExternalId : changed.external_id;
  return `${document}/${changed.version}`;
}

/**
 * Money that came before the day of the default, and was heard of later, corrects the default, as do a credit note and a
 * refund: that amount was never in default. Later money pays it.
 */
function defaultChangeOf(change: OwedChange, defaultedOn: string, today: string) {
  if (!('payment' in change)) return { kind: 'CORRECTED' as const, changedOn: today };
  const { paid_on } = change.payment;
  if (change.cause === 'REVERSAL')
    return {
      kind: paid_on < defaultedOn ? ('CORRECTED' as const) : ('PAID' as const),
      changedOn: today,
    };
  return paid_on < defaultedOn
    ? { kind: 'CORRECTED' as const, changedOn: paid_on }
    : { kind: 'PAID' as const, changedOn: paid_on };
}
