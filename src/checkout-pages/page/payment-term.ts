/** The offer of a payment term on a page: its fee and its payments. */
import type { Currency } from '#kernel/currency';
import type { Translator } from '#messages';
import type { TermOffer } from '#modules/facilities';
import { html, type Markup } from '../markup.ts';

/** @param isUpTo The decision is under review, and the fee is an upper limit. */
export function feeText(
  { fee }: TermOffer,
  isUpTo: boolean,
  currency: Currency,
  translator: Translator,
): Markup {
  if (fee.gross === 0) return html`${translator.text('payment.no_fee')}`;
  const amount = translator.money(fee.gross, currency);
  const text = translator.text(isUpTo ? 'payment.fee_up_to' : 'payment.fee', { amount });
  if (fee.tax === 0) return html`${text}`;
  const tax = translator.text('payment.fee_tax', { tax: translator.money(fee.tax, currency) });
  return html`${text} <span class="soft">${tax}</span>`;
}

export function instalmentList({ installments }: TermOffer, translator: Translator): Markup {
  const items = installments.map(
    ({ due_at, amount }, index) =>
      html`<li>${translator.text('payment.instalment', {
        number: index + 1,
        amount: translator.money(amount.value, amount.currency),
        date: translator.day(due_at),
      })}</li>
`,
  );
  return html`<p class="name">${translator.text('payment.instalments')}</p>
<ul class="dues">${items}</ul>`;
}

/** The term, its fee, and the amount of each due date. */
export function dueTable(
  offer: TermOffer,
  { isUpTo, currency }: { isUpTo: boolean; currency: Currency },
  translator: Translator,
): Markup {
  const isPrepaid = offer.payment_term === 'PREPAYMENT';
  return html`<p class="name">${translator.paymentTerm(offer.payment_term)}</p>
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
