/** The facts of paying behaviour that settlements produce: paid invoices, reversed settlements and changes of defaults. */
import type { Currency } from '#kernel/currency';
import { localDayOf } from '#kernel/local-day';
import {
  type PaidInvoice,
  recordDefaultChanges,
  recordPaidInvoices,
  reverseSettlements,
} from '#modules/facilities';
import type { InvoiceColumns } from './invoice.queries.ts';
import type { SettledInvoiceChange, SettlingPlatform } from './invoice-settlement.ts';
import { latestInstalment } from './payment-layout.rules.ts';
import { amountOfAll, type OwedChange } from './settlement.rules.ts';

/** Records the facts of settlements. */
export async function recordSettlementFacts(
  { db, platformId, timeZone }: SettlingPlatform,
  changes: readonly SettledInvoiceChange[],
): Promise<void> {
  const isClosed = ({ status }: InvoiceColumns) => status === 'CLOSED';
  const reopened = changes.filter(({ invoice, settled }) => isClosed(invoice) && !isClosed(settled));
  const closed = changes.filter(({ invoice, settled }) => !isClosed(invoice) && isClosed(settled));
  const paid = closed.flatMap((each) => paidInvoiceOf(each) ?? []);
  const defaulted = changes.flatMap((each) => defaultChangeOf(each, timeZone) ?? []);
  if (reopened.length > 0) await reverseSettlements(db, platformId, reopened.map(factOf));
  if (paid.length > 0) await recordPaidInvoices(db, platformId, paid);
  if (defaulted.length > 0) await recordDefaultChanges(db, platformId, defaulted);
}

const factOf = ({ invoice, now }: SettledInvoiceChange) => ({
  buyerExternalId: invoice.buyer_external_id,
  invoiceExternalId: invoice.external_id,
  at: now,
});

function paidInvoiceOf(each: SettledInvoiceChange): PaidInvoice | undefined {
  const { settlement, change, settled } = each;
  const latest = latestInstalment(
    settlement.installments,
    settlement.applied.map(({ payment, allocated }) => ({
      paymentId: payment.external_id,
      paidOn: payment.paid_on,
      amountMinor: amountOfAll(allocated),
    })),
  );
  return (
    latest && {
      ...factOf(each),
      ...latest,
      paymentId: sourceOf(change, settled),
      currency: settled.currency as Currency,
      amountMinor: settled.paid_amount,
    }
  );
}

function defaultChangeOf(each: SettledInvoiceChange, timeZone: string) {
  const { invoice, change, settled, now } = each;
  const settledMinor = invoice.outstanding_amount - settled.outstanding_amount;
  if (invoice.defaulted_on === null || settledMinor === 0) return undefined;
  return {
    ...factOf(each),
    ...kindAndDayOf(change, invoice, localDayOf(now, timeZone)),
    sourceId: sourceOf(change, settled),
    amountMinor: settledMinor,
  };
}

/** The document of the change, with the version of the invoice: a payment can settle an invoice more than once. */
function sourceOf(change: OwedChange, changed: Pick<InvoiceColumns, 'version' | 'external_id'>): string {
  if ('payment' in change) return `${change.payment.external_id}/${changed.version}`;
  const document = change.cause === 'CREDIT_NOTE' ? change.creditNoteExternalId : changed.external_id;
  return `${document}/${changed.version}`;
}

/**
 * Money that came before the day of the default but was recorded later corrects the default, as credit notes and refunds do: that
 * amount was never in default. Later money pays the default, or recovers what was written off.
 */
function kindAndDayOf(change: OwedChange, invoice: InvoiceColumns, today: string) {
  if (!('payment' in change)) return { kind: 'CORRECTED' as const, changedOn: today };
  const { paid_on } = change.payment;
  const isCorrection = paid_on < (invoice.defaulted_on as string);
  const isRecovery = invoice.written_off_amount > 0;
  return {
    kind: isCorrection ? ('CORRECTED' as const) : isRecovery ? ('RECOVERED' as const) : ('PAID' as const),
    changedOn: change.cause === 'REVERSAL' ? today : paid_on,
  };
}
