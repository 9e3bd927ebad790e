/** How to pay: what each term costs and when it is due, and why another one is not offered. */
import type { Currency } from '#kernel/currency';
import type { PaymentTerm } from '#kernel/payment-term';
import type { Translator } from '#messages';
import type { OfferedTerm, TermOffer } from '#modules/facilities';
import { flag, html, type Markup } from '../markup.ts';
import { companyIn, errorNote, errorOf, formStart, idOf, type Scene, stepPage } from './step-page.ts';

export function paymentPage(scene: Scene): string {
  const { view, translator, links, typed } = scene;
  const title = translator.text('payment.title');
  const error = errorOf(scene, 'term');
  const chosen = typed?.get('term') ?? view.choice;
  return stepPage(scene, {
    title,
    at: 'payment',
    step: 'payment',
    content: html`<h1>${title}</h1>
${creditNotice(scene)}
<form method="post" action="${links.folder}payment" novalidate>
${formStart(scene)}
<fieldset class="plain${error === null ? '' : ' bad'}"><legend class="unseen">${translator.text('payment.offered')}</legend>
${errorNote('term', error)}
${view.offers.map((offer, index) => offerCard(scene, offer, { index, isChosen: offer.payment_term === chosen }))}
</fieldset>
${otherTerms(scene)}
<button class="main">${translator.text('common.continue')}</button>
</form>`,
  });
}

function creditNotice(scene: Scene): Markup | null {
  const { view, translator } = scene;
  if (view.credit === 'UNDER_REVIEW')
    return html`<p class="notice">${translator.text('payment.under_review')}</p>`;
  if (view.credit === 'OFFERED') return null;
  return html`<div class="notice"><h2>${translator.text('payment.refused_title')}</h2>
<p>${translator.text('payment.refused', { company: companyIn(scene) })}</p></div>`;
}

function offerCard(
  scene: Scene,
  offer: OfferedTerm,
  { index, isChosen }: { index: number; isChosen: boolean },
): Markup {
  const { view, translator } = scene;
  const term = offer.payment_term;
  const id = index === 0 ? idOf('term') : `${idOf('term')}-${index}`;
  return html`<div class="card offer">
<input type="radio" id="${id}" name="term" value="${term}" required${flag('checked', isChosen)} aria-describedby="${id}-fee ${id}-due">
<label for="${id}"><span class="name">${termName(term, translator)}</span></label>
<p class="fee" id="${id}-fee">${feeText(offer, offer.isUpTo, view.order.currency, translator)}</p>
<div class="soft" id="${id}-due">${dueOf(offer, translator)}</div>
${offer.installments.length > 1 && html`<div class="unfold">${instalmentList(offer, translator)}</div>`}
</div>
`;
}

export function termName(term: PaymentTerm, translator: Translator): string {
  const [, kind, count] = /^(DEFER|SPLIT)_(\d+)/.exec(term) ?? [];
  if (kind === 'DEFER') return translator.text('payment.DEFER', { days: Number(count) });
  if (kind === 'SPLIT') return translator.text('payment.SPLIT', { months: Number(count) });
  return translator.text('payment.PREPAYMENT');
}

/** @param isUpTo While the decision is under review nobody knows the fee, but it does not rise above this. */
export function feeText(
  { fee }: TermOffer,
  isUpTo: boolean,
  currency: Currency,
  translator: Translator,
): Markup {
  if (fee.gross === 0) return html`${translator.text('payment.no_fee')}`;
  const amount = translator.money(fee.gross, currency);
  const said = translator.text(isUpTo ? 'payment.fee_up_to' : 'payment.fee', { amount });
  if (fee.tax === 0) return html`${said}`;
  const tax = translator.text('payment.fee_tax', { tax: translator.money(fee.tax, currency) });
  return html`${said} <span class="soft">${tax}</span>`;
}

/** Of one payment the day and the amount; of several how many there are, and when the first of them is. */
function dueOf(offer: TermOffer, translator: Translator): Markup {
  const [first] = offer.installments;
  if (offer.payment_term === 'PREPAYMENT' || !first)
    return html`<p>${translator.text('payment.PREPAYMENT_hint')}</p>`;
  return html`<p>${translator.text('payment.due_on', {
    amount: translator.money(first.amount.value, first.amount.currency),
    date: translator.day(first.due_at),
  })}${offer.installments.length > 1 && ' …'}</p>`;
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

function otherTerms({ view, translator }: Scene): Markup | null {
  const { unavailable, platform } = view;
  if (unavailable.length === 0) return null;
  const items = unavailable.map(
    ({ term, reason }) => html`<div><dt>${termName(term, translator)}</dt>
<dd>${translator.text(`unavailable.${reason}`, { platform: platform.name })}</dd></div>
`,
  );
  return html`<details class="fold small"><summary>${translator.text('payment.other_show')}</summary>
<h2>${translator.text('payment.other_title')}</h2>
<dl class="reasons">${items}</dl></details>`;
}
