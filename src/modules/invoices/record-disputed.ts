/** What open disputes contest of an invoice, written where the invoice and its buyer's overdue amount are read. */
import { calendarDaysBetween } from '#kernel/local-day';
import { unpausedOf } from './disputed-amount.rules.ts';
import { withdrawReminders } from './dunning/follow-dunnings.ts';
import { followOverdue } from './follow-overdue.ts';
import type { InvoiceRow } from './invoice.queries.ts';
import { updateInvoice } from './invoice-changes.queries.ts';
import type { SettlingContext } from './invoice-settlement.ts';
import { defaultsAt } from './settlement.rules.ts';

/** The sums of an invoice's open disputes, in minor units. */
export interface DisputedSums {
  disputedMinor: number;
  /** What of it does not count as overdue. */
  pausedMinor: number;
}

/** The days of a dispute that has ended: from the first until the one of its decision, which counts again. */
export interface EndedDays {
  from: string;
  until: string;
}

/**
 * Writes the sums of a locked invoice, whose status and version stay. A DUE invoice counts as overdue without what is paused. If
 * nothing of it counted until a dispute has ended, it is judged for default as many days later. Withdraws a waiting reminder,
 * which asks for another amount. Locks the buyer.
 */
export async function recordDisputed(
  { db, platformId, now, timeZone }: Pick<SettlingContext, 'db' | 'platformId' | 'now' | 'timeZone'>,
  invoice: InvoiceRow,
  { disputedMinor, pausedMinor }: DisputedSums,
  ended?: EndedDays,
): Promise<void> {
  const changed = await updateInvoice(db, platformId, invoice.external_id, {
    disputed_amount: disputedMinor,
    paused_amount: pausedMinor,
    ...(ended && { defaults_at: judgedAt(invoice, ended, { now, timeZone }) }),
  });
  await withdrawReminders(db, platformId, [invoice.external_id]);
  if (invoice.status === 'DUE')
    await followOverdue(db, [{ invoice: changed, installments: invoice.installments }]);
}

function judgedAt(
  invoice: InvoiceRow,
  { from, until }: EndedDays,
  moment: { now: number; timeZone: string },
): number | null {
  const { status, due_on, defaulted_on, defaults_at } = invoice;
  if (status !== 'DUE' || defaulted_on !== null) return defaults_at;
  if (unpausedOf(invoice) > 0) return defaults_at ?? defaultsAt(invoice, moment);
  const first = from > due_on ? from : due_on;
  return defaultsAt(invoice, moment, Math.max(0, calendarDaysBetween(first, until)));
}
