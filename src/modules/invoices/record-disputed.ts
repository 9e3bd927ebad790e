/** The disputed amount of an invoice, written to the invoice and to its buyer's overdue amount. */
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
  /** The part of `disputedMinor` that does not count as overdue. */
  pausedMinor: number;
}

/** The days of a dispute that has ended: from its first day to the day of its decision, which counts again. */
export interface EndedDays {
  from: string;
  until: string;
}

/**
 * Writes the sums to a locked invoice. Its status and version stay. The paused amount of a DUE invoice is not overdue. If the whole
 * amount was paused until a dispute ended, the invoice is judged for default later by the days of that dispute. Withdraws a waiting
 * reminder, because it states another amount. Locks the buyer.
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
