/** The model of overdue invoices. */
import { dueAtOf, outstandingOf } from './owed.ts';
import { DAY_SECONDS, endOfDay, type Invoice } from './state.ts';

/** The due day ends without payment. */
export function fallDue(invoice: Invoice, at: number): void {
  Object.assign(invoice, { status: 'DUE', fallsDueAt: null });
  judgeLater(invoice, at);
}

/** A DUE invoice is judged after 90 days past due, and at each later change. */
export function judgeLater(invoice: Invoice, now: number): void {
  const isJudged = invoice.status === 'DUE' && !invoice.isDefaulted;
  const ends = endOfDay(dueAtOf(invoice)) + 90 * DAY_SECONDS;
  invoice.judgedAt = isJudged ? Math.max(ends, now) : null;
}

/** An invoice up to this amount is not a default. Minor units. */
const MATERIALITY = 10_000;

/** When the invoice becomes a default in its current state; null if never. */
export const defaultsAtOf = (invoice: Invoice) =>
  outstandingOf(invoice) > MATERIALITY ? invoice.judgedAt : null;

export function becomeDefault(invoice: Invoice): void {
  Object.assign(invoice, { isDefaulted: true, judgedAt: null });
}
