import type { Translator } from '#messages';
import type { Invoice } from '#modules/invoices';
import { html, type Markup } from '#pages/markup';
import { daysText } from './figures.ts';

/** The state of the invoice: overdue since a day, due on a day, paid or cancelled. */
export function stateOf(invoice: Invoice, translator: Translator): Markup {
  const { text, day } = translator;
  const { status, days_past_due: days, outstanding_amount: outstanding, due_at: dueAt } = invoice;
  if (status === 'CANCELLED')
    return html`<p class="state"><span class="tag over">${text('account.cancelled')}</span></p>`;
  if (outstanding === 0) return html`<p class="state"><span class="tag">${text('account.paid')}</span></p>`;
  const due = text('account.due_on', { date: day(dueAt) });
  if (days === null || days <= 0) return html`<p class="state">${due}</p>`;
  return html`<p class="state"><span class="tag late">${text('account.overdue')} · ${daysText(days, translator)}</span> <span>${due}</span></p>`;
}
