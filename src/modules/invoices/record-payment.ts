/** Records money that came for invoices. */
import { randomUUID } from 'node:crypto';
import { futureIssues } from '#kernel/clock-skew';
import { localDayOf } from '#kernel/local-day';
import { invalidRequest, notFound, orProblem, Problem, refusal } from '#kernel/problem';
import { blankToNull } from '#kernel/text';
import type { LateChargeOrder } from '#modules/platforms';
import { assertPlatformWide, assertVisible, type Caller } from '#operation/caller';
import type { Context } from '#operation/operation';
import type { InvoiceColumns, InvoiceRow } from './invoice.queries.ts';
import type {
  InvoiceSettlement,
  SettledInvoiceChange,
  SettlingContext,
  SettlingPlatform,
} from './invoice-settlement.ts';
import { findChargeOrder } from './late-charges/charge-order.ts';
import type { ChargeAllocation } from './late-charges/late-charge.queries.ts';
import { type SplitPayment, splitPayment } from './late-charges/late-charge.rules.ts';
import { payLateCharges } from './late-charges/settle-late-charges.ts';
import { paymentEvent } from './payment.events.ts';
import {
  type AllocationRow,
  findTakenPaymentIds,
  insertPayments,
  type NewPayment,
  type PaymentRow,
} from './payment.queries.ts';
import type { FullPayment, PaymentReceiver } from './payment.schemas.ts';
import { lockToSettle, settleInvoices } from './settle-invoices.ts';
import type { Settlement } from './settlement.rules.ts';
import { invoiceGuardRefusal } from './transition-invoice.ts';

/** Locks one invoice to settle it. Throws NOT_FOUND, also for an invoice of a merchant that the caller may not see. */
export async function lockInvoiceToSettle(
  context: Pick<Context, 'db' | 'platformId' | 'caller'>,
  externalId: string,
): Promise<InvoiceRow> {
  const invoice = (await lockToSettle(context, [externalId])).get(externalId);
  if (!invoice) throw notFound();
  assertVisible(invoice, context.caller);
  return invoice;
}

/** Money for a locked invoice. */
export interface MoneyReceived {
  invoice: InvoiceRow;
  amountMinor: number;
  request: FullPayment;
  /** The order that the buyer paid in advance. */
  orderExternalId?: string;
  /** The buyer pays the invoice, regardless of the platform's order of charges. */
  isForInvoice?: boolean;
  /** The platform's account that received the money, if its bank has reported it. */
  bankAccount?: string;
  actor: string;
  /** Unix seconds. */
  now: number;
}

export interface RecordedPayment {
  payment: PaymentRow;
  /** The allocations to the invoice. */
  allocations: AllocationRow[];
  /** The allocations to late charges of the invoice. */
  chargeAllocations: ChargeAllocation[];
  /** The invoice after the payment. */
  invoice: InvoiceColumns;
}

/**
 * Records payments on locked invoices, at most one on each. Returns, in the same order, the payment or the problem that refused it;
 * nothing of a refused payment is written. The problems are IN_THE_FUTURE, INVALID_STATUS_TRANSITION for a cancelled invoice,
 * PAYMENT_EXCEEDS_OUTSTANDING for more than is owed to a merchant, and EXTERNAL_ID_ALREADY_EXISTS.
 */
export async function recordPayments(
  platform: SettlingPlatform,
  received: readonly MoneyReceived[],
): Promise<(RecordedPayment | Problem)[]> {
  const order = await findChargeOrder(
    platform,
    received.map(({ invoice }) => invoice),
  );
  const splits = received.map((money) => splitOf(money, order));
  const drafts = received.map((money, index) =>
    orProblem(() => newPaymentOf(money, splits[index] as SplitPayment, platform.timeZone)),
  );
  const inserted = await insertPayments(
    platform.db,
    platform.platformId,
    drafts.filter((draft): draft is NewPayment => !(draft instanceof Problem)),
  );
  const payments = drafts.map((draft) =>
    draft instanceof Problem ? undefined : inserted.get(draft.external_id),
  );
  const changes = await settleInvoices(
    platform,
    received.flatMap((money, index) => settlementsOf(money, splits[index] as SplitPayment, payments[index])),
  );
  const ofCharges = await payLateCharges(
    platform,
    received.flatMap(({ invoice, actor, now }, index) => {
      const payment = payments[index];
      const amountMinor = splits[index]?.chargesMinor as number;
      return payment
        ? [{ invoiceExternalId: invoice.external_id, payment, cause: 'PAYMENT', amountMinor, actor, now }]
        : [];
    }),
  );
  const taken = await takenAmongRefused(platform, received, drafts);
  const changeOf = new Map(changes.map((each) => [each.invoice.external_id, each]));
  return received.map(({ invoice, request }, index) => {
    const [draft, payment] = [drafts[index], payments[index]];
    if (draft instanceof Problem) return taken.has(request.external_id) ? paymentExists() : draft;
    if (!payment) return paymentExists();
    const { settled, settlement } = changeOf.get(invoice.external_id) as SettledInvoiceChange;
    return {
      payment,
      allocations: allocationsOf(payment, invoice, settlement),
      chargeAllocations: ofCharges.filter(({ paymentId }) => paymentId === payment.external_id),
      invoice: settled,
    };
  });
}

/** Records one payment on a locked invoice. Throws the problems that `recordPayments` returns. */
export async function recordPayment(
  { actor, now, ...platform }: SettlingContext,
  invoice: InvoiceRow,
  amountMinor: number,
  request: FullPayment,
): Promise<RecordedPayment> {
  const [recorded] = await recordPayments(platform, [{ invoice, amountMinor, request, actor, now }]);
  if (recorded instanceof Problem) throw recorded;
  return recorded as RecordedPayment;
}

function splitOf(
  { invoice, amountMinor, isForInvoice }: MoneyReceived,
  order: LateChargeOrder,
): SplitPayment {
  const owed = { owedMinor: invoice.outstanding_amount, chargedMinor: invoice.late_charges.outstanding };
  return splitPayment(amountMinor, owed, isForInvoice ? 'PRINCIPAL_FIRST' : order);
}

function newPaymentOf(
  { invoice, amountMinor, request, orderExternalId, actor, now }: MoneyReceived,
  { invoiceMinor, chargesMinor }: SplitPayment,
  timeZone: string,
): NewPayment {
  const issues = futureIssues(request.paid_at ?? now, now, 'body.paid_at');
  if (issues.length > 0) throw invalidRequest(issues);
  const receivedBy = request.received_by ?? 'MERCHANT';
  assertPayable(invoice, amountMinor, receivedBy);
  // If the caller's clock is ahead, the money still came no later than now.
  const paidAt = Math.min(request.paid_at ?? now, now);
  return {
    external_id: request.external_id ?? randomUUID(),
    created_at: now,
    updated_at: now,
    buyer_external_id: invoice.buyer_external_id,
    merchant_external_id: invoice.merchant_external_id,
    invoice_external_id: invoice.external_id,
    order_external_id: orderExternalId ?? null,
    currency: invoice.currency,
    amount: amountMinor,
    paid_at: paidAt,
    paid_on: localDayOf(paidAt, timeZone),
    received_by: receivedBy,
    reference: blankToNull(request.reference),
    allocated_amount: invoiceMinor + chargesMinor,
    actor,
  };
}

function assertPayable(invoice: InvoiceRow, amountMinor: number, receivedBy: PaymentReceiver): void {
  if (invoice.status === 'CANCELLED')
    throw invoiceGuardRefusal(invoice, 'pay', 'The invoice is cancelled, so it cannot be paid');
  const { outstanding_amount, late_charges, currency } = invoice;
  const outstandingMinor = outstanding_amount + late_charges.outstanding;
  if (receivedBy === 'PLATFORM' || amountMinor <= outstandingMinor) return;
  throw refusal('PAYMENT_EXCEEDS_OUTSTANDING', `Only ${outstandingMinor} of the invoice is still owed`, {
    ...{ requested: amountMinor, outstanding: outstandingMinor, currency },
  });
}

function settlementsOf(
  { invoice, bankAccount, actor, now }: MoneyReceived,
  { invoiceMinor: amountMinor }: SplitPayment,
  payment: PaymentRow | undefined,
): InvoiceSettlement[] {
  if (!payment) return [];
  const change = { cause: 'PAYMENT', payment, amountMinor, ...(bankAccount && { bankAccount }) } as const;
  const documentEvent = (settled: InvoiceColumns) =>
    paymentEvent('INVOICE.PAYMENT.RECORDED', payment, settled);
  return [{ invoice, change, actor, now, documentEvent }];
}

/** Finds refused payments that exist: a caller who repeats a request learns this, and not that nothing is owed any more. */
async function takenAmongRefused(
  { db, platformId }: SettlingPlatform,
  received: readonly MoneyReceived[],
  drafts: readonly (NewPayment | Problem)[],
): Promise<Set<string | undefined>> {
  const refused = received.flatMap(({ request }, index) => {
    const draft = drafts[index];
    // A problem without a reason means that the request itself is wrong.
    const isRefused = draft instanceof Problem && draft.reason !== undefined;
    return isRefused ? (request.external_id ?? []) : [];
  });
  return refused.length === 0 ? new Set() : findTakenPaymentIds(db, platformId, refused);
}

/** A new payment settles what changes in the allocations. */
const allocationsOf = (payment: PaymentRow, invoice: InvoiceRow, { allocations }: Settlement) =>
  allocations
    .filter(({ paymentId }) => paymentId === payment.external_id)
    .map((each) => ({ ...each, invoiceExternalId: invoice.external_id }));

function paymentExists(): Problem {
  return refusal('EXTERNAL_ID_ALREADY_EXISTS', 'A payment with this external_id already exists');
}

/** A key restricted to a merchant cannot record money on the platform's bank account. Throws MERCHANT_NOT_ALLOWED. */
export function assertMayReceive(caller: Caller, receivedBy: PaymentReceiver | null | undefined): void {
  if (receivedBy === 'PLATFORM') assertPlatformWide(caller);
}
