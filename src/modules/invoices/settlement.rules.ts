/**
 * The effect of a payment, a reversal, a credit note or a refund on an invoice: its instalments, its status and its due day. The layout
 * of money is computed again at every change from the claims and the payments, and depends on nothing else.
 */
import { dayLater } from '#kernel/day';
import { endOfLocalDay, localDayOf } from '#kernel/local-day';
import type { OwedInstalment } from '#modules/buyers';
import type { Context } from '#operation/operation';
import { withoutDisputed } from './disputed-amount.rules.ts';
import type { InvoiceStatus, InvoiceTrigger } from './invoice.lifecycle.ts';
import type { InstalmentRow, InvoiceColumns } from './invoice.queries.ts';
import type { AppliedPayment, PaymentRow } from './payment.queries.ts';
import { type Allocated, allocationChanges, creditLatestFirst, layOut } from './payment-layout.rules.ts';

/** A change of what an invoice owes. Amounts are minor units of the invoice's currency. */
export type OwedChange =
  | {
      /** A new payment, or unapplied cash of an earlier one. */
      cause: 'PAYMENT' | 'APPLICATION';
      payment: PaymentRow;
      /** The part of the payment that goes to the invoice: at most the outstanding amount. */
      amountMinor: number;
      /** The platform's account that received the money, if its bank has reported it. */
      bankAccount?: string;
    }
  /** Everything that the payment settled of the invoice is owed again. */
  | { cause: 'REVERSAL'; payment: PaymentRow }
  /** Credits goods: at most the amount that is not credited yet. */
  | { cause: 'CREDIT_NOTE'; creditNoteExternalId: string; amountMinor: number }
  /** The invoice is undone. */
  | { cause: 'REFUND' };

/** An invoice with the payments that settle some of it, in the order in which they were applied. */
export interface OwingInvoice {
  invoice: InvoiceColumns & { installments: readonly InstalmentRow[] };
  applied: readonly AppliedPayment[];
}

export interface Settlement {
  /** Null if the status stays. */
  trigger: InvoiceTrigger | null;
  installments: InstalmentRow[];
  paidMinor: number;
  creditedMinor: number;
  /** The payments that settle a part of the invoice now. */
  applied: AppliedPayment[];
  /** The changes of the allocations. */
  allocations: Allocated[];
}

/** The instant of a change in unix seconds, and the time zone in which days are counted. */
export type Moment = Pick<Context, 'now' | 'timeZone'>;

/** The settlement that the change leads to. The caller has checked the status, so it never throws INVALID_STATUS_TRANSITION. */
export function settlementOf(
  { invoice, applied }: OwingInvoice,
  change: OwedChange,
  moment: Moment,
): Settlement {
  const credited = creditLatestFirst(
    invoice.installments,
    change.cause === 'CREDIT_NOTE' ? change.amountMinor : 0,
  );
  const claims = invoice.installments.map((each, index) => ({
    ...each,
    credited_amount: credited[index] as number,
  }));
  const creditedMinor = credited.reduce((sum, amount) => sum + amount, 0);
  const isCancelled = change.cause === 'REFUND' || creditedMinor === invoice.amount_gross;
  const money = moneyAfter(applied, change);
  const allocated = isCancelled
    ? []
    : layOut(
        claims,
        money.map(({ payment, amountMinor }) => ({ paymentId: payment.external_id, amountMinor })),
      );
  const installments = claims.map((each) => ({ ...each, paid_amount: allocatedTo(allocated, each.number) }));
  const paidMinor = installments.reduce((sum, { paid_amount }) => sum + paid_amount, 0);
  const before = applied.flatMap((each) => each.allocated);
  return {
    trigger: triggerOf(invoice.status, change, { installments, isCancelled }, moment),
    installments,
    paidMinor,
    creditedMinor,
    applied: money
      .map(({ payment }) => ({
        payment,
        allocated: allocated.filter(({ paymentId }) => paymentId === payment.external_id),
      }))
      .filter((each) => each.allocated.length > 0),
    allocations: allocationChanges(before, allocated),
  };
}

/** The part of each payment for the invoice after the change, before it is known whether all of it is still claimed. */
function moneyAfter(
  applied: readonly AppliedPayment[],
  change: OwedChange,
): { payment: PaymentRow; amountMinor: number }[] {
  const money = applied.map(({ payment, allocated }) => ({ payment, amountMinor: amountOfAll(allocated) }));
  const isChanged = ({ payment }: { payment: PaymentRow }) =>
    'payment' in change && payment.external_id === change.payment.external_id;
  if (change.cause === 'REVERSAL') return money.filter((each) => !isChanged(each));
  if (change.cause !== 'PAYMENT' && change.cause !== 'APPLICATION') return money;
  const before = money.find(isChanged);
  if (!before) return [...money, change];
  before.amountMinor += change.amountMinor;
  return money;
}

/** The sum of allocations in minor units, with fees. */
export const amountOfAll = (allocated: readonly Allocated[]): number =>
  allocated.reduce((sum, { feeMinor, goodsMinor }) => sum + feeMinor + goodsMinor, 0);

const allocatedTo = (allocated: readonly Allocated[], number: number) =>
  amountOfAll(allocated.filter(({ installment }) => installment === number));

/** The outstanding amount of an instalment, in minor units. */
export function outstandingOf({ amount, fee_amount, paid_amount, credited_amount }: InstalmentRow): number {
  return amount + fee_amount - paid_amount - credited_amount;
}

function triggerOf(
  status: InvoiceStatus,
  { cause }: OwedChange,
  after: { installments: readonly InstalmentRow[]; isCancelled: boolean },
  moment: Moment,
): InvoiceTrigger | null {
  if (after.isCancelled) return cause === 'REFUND' ? 'refund' : 'credit';
  const next = after.installments.find((each) => outstandingOf(each) > 0);
  if (!next) return status === 'CLOSED' ? null : 'pay';
  const isPastDue = isPastDay(next, moment);
  if (status === 'CLOSED') return isPastDue ? 'reopen_due' : 'reopen';
  return status === 'DUE' && !isPastDue ? 'cure' : null;
}

/** Whether the due day of the instalment has ended. */
function isPastDay({ due_on }: Pick<InstalmentRow, 'due_on'>, { now, timeZone }: Moment): boolean {
  return due_on < localDayOf(now, timeZone);
}

/** The next unpaid instalment, or else the last one. It determines when the invoice is due. */
export function nextDueOf(installments: readonly InstalmentRow[]): Pick<InvoiceColumns, 'due_at' | 'due_on'> {
  const { due_at, due_on } = (installments.find((each) => outstandingOf(each) > 0) ??
    installments.at(-1)) as InstalmentRow;
  return { due_at, due_on };
}

/** When an OPEN invoice turns DUE: at the end of its due day, or now if that has passed. Unix seconds. */
export function fallsDueAt({ due_on }: Pick<InvoiceColumns, 'due_on'>, { now, timeZone }: Moment): number {
  return Math.max(endOfLocalDay(due_on, timeZone), now);
}

/** An invoice defaults when it is more days past due than this (Capital Requirements Regulation, Article 178). */
const DEFAULT_AFTER_DAYS = 90;

/**
 * When a DUE invoice is judged for default: after its 90th day past due, or now if that has passed. Days on which the invoice was fully
 * disputed do not count. Unix seconds.
 */
export function defaultsAt(
  { due_on }: Pick<InvoiceColumns, 'due_on'>,
  { now, timeZone }: Moment,
  disputedDays = 0,
): number {
  return Math.max(endOfLocalDay(dayLater(due_on, DEFAULT_AFTER_DAYS + disputedDays), timeZone), now);
}

/** The unpaid instalments of a DUE invoice, without the amounts that disputes pause. Later ones may not be due yet. */
export function owedInstalments(
  invoice: Pick<
    InvoiceColumns,
    'platform_id' | 'external_id' | 'buyer_external_id' | 'currency' | 'paused_amount'
  >,
  installments: readonly InstalmentRow[],
): OwedInstalment[] {
  const owed = withoutDisputed(installments.map(outstandingOf), invoice.paused_amount);
  return installments
    .map((each, index) => ({
      platformId: invoice.platform_id,
      buyerExternalId: invoice.buyer_external_id,
      invoiceExternalId: invoice.external_id,
      installment: each.number,
      dueAt: each.due_at,
      currency: invoice.currency,
      outstandingMinor: owed[index] as number,
    }))
    .filter(({ outstandingMinor }) => outstandingMinor > 0);
}
