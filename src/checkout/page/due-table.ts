/** What is to be paid when, once it is agreed on or about to be. */
import type { Currency } from '#kernel/currency';
import type { Speaker } from '#messages';
import type { TermOffer } from '#modules/facilities';
import { html, type Markup } from '../markup.ts';
import { feeOf, termName } from './payment-page.ts';

/** The term, its fee, and a line for each day on which something is due. */
export function dueTable(
  offer: TermOffer,
  { isUpTo, currency }: { isUpTo: boolean; currency: Currency },
  speaker: Speaker,
): Markup {
  const isPrepaid = offer.payment_term === 'PREPAYMENT';
  return html`<p class="name">${termName(offer.payment_term, speaker)}</p>
<p class="soft">${speaker.text('payment.method')} · ${feeOf(offer, isUpTo, currency, speaker)}</p>
${isPrepaid && html`<p class="soft">${speaker.text('payment.PREPAYMENT_hint')}</p>`}
${
  !isPrepaid &&
  html`<dl class="sums dues">${offer.installments.map(
    ({ due_at, amount }) => html`<div><dt>${speaker.day(due_at)}</dt>
<dd><bdi>${speaker.money(amount.value, amount.currency)}</bdi></dd></div>
`,
  )}</dl>`
}`;
}
