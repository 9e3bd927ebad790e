/**
 * What a payment, a reversal, a credit note or a refund makes of an invoice: its instalments, its status and its day. The
 * layout of money is computed again at every change from what is claimed and what was paid, so it depends on nothing else.
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

/** What changes what an invoice owes. Amounts are minor units of the invoice's currency. */
export type OwedChange =
  | {
      /** A new payment, or unapplied cash of an earlier one. */
      cause: 'PAYMENT' | 'APPLICATION';
      payment: PaymentRow;
      /** What of it goes to the invoice: at most what is outstanding. */
      amountMinor: number;
      /** The account of the platform that the money reached, where its bank has said so. */
      bankAccount?: string;
    }
  /** Everything that the payment settled of the invoice is owed again. */
  | { cause: 'REVERSAL'; payment: PaymentRow }
  /** Takes off goods. At most what is not credited yet. */
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
  /** The payments that settle some of it now. */
  applied: AppliedPayment[];
  /** What changes in the allocations. */
  allocations: Allocated[];
}

/** The instant of a change in unix seconds, and the time zone in which its days count. */
export type Moment = Pick<Context, 'now' | 'timeZone'>;

/** What the change makes of the invoice. Throws INVALID_STATUS_TRANSITION never: the caller has checked the status. */
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

/** What of each payment is for the invoice after the change, before it is known whether all of it is still claimed. */
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

/** Minor units of allocations, with fees. */
export const amountOfAll = (allocated: readonly Allocated[]): number =>
  allocated.reduce((sum, { feeMinor, goodsMinor }) => sum + feeMinor + goodsMinor, 0);

const allocatedTo = (allocated: readonly Allocated[], number: number) =>
  amountOfAll(allocated.filter(({ installment }) => installment === number));

/** Still owed of an instalment, in minor units. */
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

/** Whether the day on which the instalment is due has ended. */
function isPastDay({ due_on }: Pick<InstalmentRow, 'due_on'>, { now, timeZone }: Moment): boolean {
  return due_on < localDayOf(now, timeZone);
}

/** The next unpaid instalment, or the last one: the invoice is due when it is. */
export function nextDueOf(installments: readonly InstalmentRow[]): Pick<InvoiceColumns, 'due_at' | 'due_on'> {
  const { due_at, due_on } = (installments.find((each) => outstandingOf(each) > 0) ??
    installments.at(-1)) as InstalmentRow;
  return { due_at, due_on };
}

/** When an OPEN invoice turns DUE: at the end of its due day, or now if that has passed. Unix seconds. */
export function fallsDueAt({ due_on }: Pick<InvoiceColumns, 'due_on'>, { now, timeZone }: Moment): number {
  return Math.max(endOfLocalDay(due_on, timeZone), now);
}

/** An invoice defaults when it is more days past due (Capital Requirements Regulation, Article 178). */
const DEFAULT_AFTER_DAYS = 90;

/**
 * When a DUE invoice is judged for default: after its 90th day past due, or now if that has passed. Days on which all of it was
 * disputed do not count. Unix seconds.
 */
export function defaultsAt(
  { due_on }: Pick<InvoiceColumns, 'due_on'>,
  { now, timeZone }: Moment,
  disputedDays = 0,
): number {
  return Math.max(endOfLocalDay(dayLater(due_on, DEFAULT_AFTER_DAYS + disputedDays), timeZone), now);
}

/** The unpaid instalments of a DUE invoice, as its buyer owes them without what disputes pause. The day of later ones may be still to come. */
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
