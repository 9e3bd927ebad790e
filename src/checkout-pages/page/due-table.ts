/** What is to be paid when, once it is agreed on or about to be. */
import type { Currency } from '#kernel/currency';
import type { Translator } from '#messages';
import type { TermOffer } from '#modules/facilities';
import { html, type Markup } from '../markup.ts';
import { feeText, termName } from './payment-page.ts';

/** The term, its fee, and a line for each day on which something is due. */
export function dueTable(
  offer: TermOffer,
  { isUpTo, currency }: { isUpTo: boolean; currency: Currency },
  translator: Translator,
): Markup {
  const isPrepaid = offer.payment_term === 'PREPAYMENT';
  return html`<p class="name">${termName(offer.payment_term, translator)}</p>
<p class="soft">${translator.text('payment.method')} · ${feeText(offer, isUpTo, currency, translator)}</p>
${isPrepaid && html`<p class="soft">${translator.text('payment.PREPAYMENT_hint')}</p>`}
${
  !isPrepaid &&
  html`<dl class="sums dues">${offer.installments.map(
    ({ due_at, amount }) => html`<div><dt>${translator.day(due_at)}</dt>
<dd><bdi>${translator.money(amount.value, amount.currency)}</bdi></dd></div>
`,
  )}</dl>`
}`;
}
