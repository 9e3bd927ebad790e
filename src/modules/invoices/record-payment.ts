/** Recording that money came for an invoice, and that it went back. */
import { randomUUID } from 'node:crypto';
import { RunAgain } from '#infra/database/transaction';
import { futureIssues } from '#kernel/clock-skew';
import { localDayOf } from '#kernel/local-day';
import { invalidRequest, notFound, type Problem, refusal } from '#kernel/problem';
import { blankToNull } from '#kernel/text';
import { listEntriesOfPayment, post, reversalOf } from '#modules/ledger';
import { recordEvents } from '#modules/webhooks';
import { assertPlatformWide, assertVisible, type Caller } from '#operation/caller';
import type { ChangeContext, Context } from '#operation/operation';
import type { InvoiceColumns, InvoiceRow } from './invoice.queries.ts';
import { paymentEvent } from './payment.events.ts';
import {
  findPayment,
  insertPayment,
  listInvoicesOfPayment,
  lockPayment,
  type PaymentRow,
  updateReversedPayment,
} from './payment.queries.ts';
import type { FullPayment, PaymentReceiver } from './payment.schemas.ts';
import { lockToSettle, type SettlingContext, settleInvoice } from './settle-invoice.ts';
import { invoiceGuardRefusal } from './transition-invoice.ts';

/** Locks one invoice to settle it. Throws NOT_FOUND, also for the invoice of a merchant that the caller may not see. */
export async function lockInvoiceToSettle(
  context: Pick<Context, 'db' | 'platformId' | 'caller'>,
  externalId: string,
): Promise<InvoiceRow> {
  const invoice = (await lockToSettle(context, [externalId])).get(externalId);
  if (!invoice) throw notFound();
  assertVisible(invoice, context.caller);
  return invoice;
}

/**
 * Records a payment (`amountMinor`) on a locked invoice. Throws IN_THE_FUTURE, INVALID_STATUS_TRANSITION for a cancelled
 * invoice, PAYMENT_EXCEEDS_OUTSTANDING for more than is owed to a merchant, and EXTERNAL_ID_ALREADY_EXISTS.
 */
export async function recordPayment(
  context: SettlingContext,
  invoice: InvoiceRow,
  amountMinor: number,
  request: FullPayment,
): Promise<{ payment: PaymentRow; invoice: InvoiceColumns }> {
  const { db, platformId, actor, now } = context;
  const issues = futureIssues(request.paid_at ?? now, now, 'body.paid_at');
  if (issues.length > 0) throw invalidRequest(issues);
  const receivedBy = request.received_by ?? 'MERCHANT';
  const refused = paymentRefusal(invoice, amountMinor, receivedBy);
  if (refused) throw (await isTaken(context, request.external_id)) ? paymentExists() : refused;
  const { outstanding_amount: outstandingMinor } = invoice;
  const settledMinor = Math.min(amountMinor, outstandingMinor);
  // A clock of the caller that is ahead does not make the money come later than now.
  const paidAt = Math.min(request.paid_at ?? now, now);
  const payment = await insertPayment(db, {
    platform_id: platformId,
    external_id: request.external_id ?? randomUUID(),
    created_at: now,
    updated_at: now,
    buyer_external_id: invoice.buyer_external_id,
    merchant_external_id: invoice.merchant_external_id,
    invoice_external_id: invoice.external_id,
    currency: invoice.currency,
    amount: amountMinor,
    paid_at: paidAt,
    paid_on: localDayOf(paidAt, context.timeZone),
    received_by: receivedBy,
    reference: blankToNull(request.reference),
    allocated_amount: settledMinor,
    actor,
  });
  if (!payment) throw paymentExists();
  const settled = await settleInvoice(context, invoice, {
    cause: 'PAYMENT',
    payment,
    amountMinor: settledMinor,
  });
  await recordEvents(db, [paymentEvent('INVOICE.PAYMENT.RECORDED', payment, settled)]);
  return { payment, invoice: settled };
}

function paymentRefusal(
  invoice: InvoiceRow,
  amountMinor: number,
  receivedBy: PaymentReceiver,
): Problem | null {
  if (invoice.status === 'CANCELLED')
    return invoiceGuardRefusal(invoice, 'pay', 'The invoice is cancelled, so nothing of it can be paid');
  const { outstanding_amount: outstandingMinor, currency } = invoice;
  if (receivedBy === 'PLATFORM' || amountMinor <= outstandingMinor) return null;
  return refusal('PAYMENT_EXCEEDS_OUTSTANDING', `Only ${outstandingMinor} of the invoice is still owed`, {
    ...{ requested: amountMinor, outstanding: outstandingMinor, currency },
  });
}

/** Who sends a payment again hears that it exists, and not that nothing is owed any more. */
async function isTaken(
  { db, platformId }: Pick<Context, 'db' | 'platformId'>,
  externalId: string | undefined,
): Promise<boolean> {
  return externalId !== undefined && (await findPayment(db, { platformId, externalId })) !== undefined;
}

function paymentExists(): Problem {
  return refusal('EXTERNAL_ID_ALREADY_EXISTS', 'A payment with this external_id already exists');
}

/** A key restricted to a merchant knows nothing of the platform's bank account. Throws MERCHANT_NOT_ALLOWED. */
export function assertMayReceive(caller: Caller, receivedBy: PaymentReceiver | null | undefined): void {
  if (receivedBy === 'PLATFORM') assertPlatformWide(caller);
}

/**
 * Reverses a payment that was recorded on the invoice: everything that it settles is owed again, on other invoices too, and
 * the rest of it is not the buyer's any more. Throws NOT_FOUND, MERCHANT_NOT_ALLOWED and PAYMENT_ALREADY_REVERSED.
 */
export async function reversePayment(
  context: SettlingContext & { caller: Caller },
  { invoiceExternalId, externalId }: { invoiceExternalId: string; externalId: string },
  reason: string,
): Promise<PaymentRow> {
  const { db, platformId, now } = context;
  const key = { platformId, externalId };
  const found = await findPayment(db, key);
  if (!found || found.invoice_external_id !== invoiceExternalId) throw notFound();
  assertVisible(found, context.caller);
  assertMayReceive(context.caller, found.received_by as PaymentReceiver);
  const { invoices, payment, settledIds } = await lockSettledByPayment(context, found);
  if (payment.reversed_at !== null)
    throw refusal('PAYMENT_ALREADY_REVERSED', 'The payment was reversed before', {
      reversed_at: payment.reversed_at,
    });
  const reversed = await updateReversedPayment(db, payment, {
    at: Math.max(payment.updated_at, now),
    reason,
  });
  await reverseEntries(context, reversed);
  let recordedOn: InvoiceColumns = invoices.get(invoiceExternalId) as InvoiceRow;
  for (const externalId of settledIds) {
    const invoice = invoices.get(externalId) as InvoiceRow;
    const settled = await settleInvoice(context, invoice, { cause: 'REVERSAL', payment });
    if (externalId === invoiceExternalId) recordedOn = settled;
  }
  await recordEvents(db, [paymentEvent('INVOICE.PAYMENT.REVERSED', reversed, recordedOn)]);
  return reversed;
}

/**
 * Locks the invoice on which a payment was recorded and all others that it settles, then the payment. If money of it was
 * applied to another invoice in between, the transaction runs again: to lock that one now would be out of order.
 */
async function lockSettledByPayment(
  context: SettlingContext,
  { external_id: externalId, invoice_external_id }: PaymentRow,
): Promise<{ invoices: Map<string, InvoiceRow>; payment: PaymentRow; settledIds: string[] }> {
  const key = { platformId: context.platformId, externalId };
  const expected = new Set([invoice_external_id, ...(await listInvoicesOfPayment(context.db, key))]);
  const invoices = await lockToSettle(context, [...expected].sort());
  const payment = (await lockPayment(context.db, key)) as PaymentRow;
  const settledIds = await listInvoicesOfPayment(context.db, key);
  if (settledIds.some((each) => !expected.has(each)))
    throw new RunAgain('The payment settles further invoices');
  return { invoices, payment, settledIds };
}

/** Posts the opposite of every entry about the payment. */
async function reverseEntries(
  { db, platformId, actor, now }: ChangeContext,
  { external_id }: PaymentRow,
): Promise<void> {
  const entries = await listEntriesOfPayment(db, platformId, external_id);
  const reversed = new Set(entries.map(({ reverses_entry }) => reverses_entry));
  await post(
    db,
    platformId,
    entries
      .filter(({ entry_id, reverses_entry }) => reverses_entry === null && !reversed.has(entry_id))
      .map((entry) => reversalOf(entry, { cause: 'PAYMENT_REVERSED', effectiveAt: now, actor })),
  );
}
