/** The columns of an invoice after a settlement, with the transition and the event that report it. */
import { nextVersion } from '#kernel/changes';
import type { Transition } from '#kernel/lifecycle';
import { firstLookAt } from './dunning/first-look.rules.ts';
import type { InvoiceEvent } from './invoice.events.ts';
import type { InvoiceStatus, InvoiceTrigger } from './invoice.lifecycle.ts';
import type { InvoiceColumns } from './invoice.queries.ts';
import {
  defaultsAt,
  fallsDueAt,
  type Moment,
  nextDueOf,
  type OwedChange,
  type Settlement,
} from './settlement.rules.ts';
import { invoiceTransitionOf } from './transition-invoice.ts';

export interface SettledColumns {
  /** The invoice after the settlement, but with the computed amounts from before it. */
  columns: InvoiceColumns;
  /** Null if the status stays. */
  transition: Transition<InvoiceStatus, InvoiceTrigger> | null;
  /** Null if the event of the payment or credit note reports the change. */
  event: InvoiceEvent['type'] | null;
}

/** Returns the columns of the invoice after the settlement. */
export function settledColumns(
  invoice: InvoiceColumns,
  { cause }: OwedChange,
  settlement: Settlement,
  moment: Moment,
): SettledColumns {
  const { trigger, installments, applied } = settlement;
  const transition = trigger === null ? null : invoiceTransitionOf(invoice, trigger);
  const columns = {
    ...invoice,
    ...nextVersion(invoice, moment.now),
    ...nextDueOf(installments),
    status: transition?.to ?? invoice.status,
    paid_amount: settlement.paidMinor,
    credited_amount: settlement.creditedMinor,
    ...(trigger !== null && {
      paid_at: trigger === 'pay' ? Math.max(...applied.map(({ payment }) => payment.paid_at)) : null,
    }),
    // After a reversed payment, the outcome script no longer pays automatically.
    ...(cause === 'REVERSAL' && invoice.payment_script === 'pays-late' && { payment_script: null }),
  };
  return {
    columns: { ...columns, ...instantsOf(invoice, columns, moment) },
    transition,
    event: transition
      ? (transition.event as InvoiceEvent['type'])
      : cause === 'APPLICATION'
        ? 'INVOICE.UPDATED'
        : null,
  };
}

/** Only an OPEN invoice falls due and only a DUE one defaults. The buyer is reminded of both. */
function instantsOf(
  before: InvoiceColumns,
  after: InvoiceColumns,
  moment: Moment,
): Pick<InvoiceColumns, 'falls_due_at' | 'defaults_at' | 'dunning_at'> {
  const isOwed = after.status === 'OPEN' || after.status === 'DUE';
  const hasNewDay = before.status !== after.status || before.due_at !== after.due_at;
  return {
    falls_due_at:
      after.status !== 'OPEN' ? null : hasNewDay ? fallsDueAt(after, moment) : before.falls_due_at,
    defaults_at:
      after.status !== 'DUE' || before.defaulted_on !== null
        ? null
        : // Keeps the days that a dispute added.
          hasNewDay
          ? defaultsAt(after, moment)
          : (before.defaults_at ?? defaultsAt(after, moment)),
    dunning_at: !isOwed ? null : hasNewDay ? firstLookAt(after, moment.now) : before.dunning_at,
  };
}
