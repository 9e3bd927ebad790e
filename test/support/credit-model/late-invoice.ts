/** The model of invoices that are not paid in time. */
import { dueAtOf, outstandingOf } from './owed.ts';
import { DAY_SECONDS, endOfDay, type Invoice } from './state.ts';

/** The end of its day, without payment. */
export function fallDue(invoice: Invoice, at: number): void {
  Object.assign(invoice, { status: 'DUE', fallsDueAt: null });
  judgeLater(invoice, at);
}

/** A DUE invoice is judged when 90 days past due are over, and whenever it changes after that. */
export function judgeLater(invoice: Invoice, now: number): void {
  const isJudged = invoice.status === 'DUE' && !invoice.isDefaulted;
  const ends = endOfDay(dueAtOf(invoice)) + 90 * DAY_SECONDS;
  invoice.judgedAt = isJudged ? Math.max(ends, now) : null;
}

/** Up to this an invoice is no default. Minor units. */
const MATERIALITY = 10_000;

/** When it is a default as it is now; null if never. */
export const defaultsAtOf = (invoice: Invoice) =>
  outstandingOf(invoice) > MATERIALITY ? invoice.judgedAt : null;

export function becomeDefault(invoice: Invoice): void {
  Object.assign(invoice, { isDefaulted: true, judgedAt: null });
}
