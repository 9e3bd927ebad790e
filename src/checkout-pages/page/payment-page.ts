/** The page of the payment step: the offered terms with fees and due dates, and the reasons for the others. */
import type { Translator } from '#messages';
import type { OfferedTerm } from '#modules/facilities';
import { flag, html, type Markup } from '../markup.ts';
import { feeText, instalmentList } from './payment-term.ts';
import { refusalReasons } from './refusal.ts';
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
<p>${translator.text('payment.refused', { company: companyIn(scene) })}</p>
${refusalReasons(scene)}</div>`;
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
<label for="${id}"><span class="name">${translator.paymentTerm(term)}</span></label>
<p class="fee" id="${id}-fee">${feeText(offer, offer.isUpTo, view.order.currency, translator)}</p>
<div class="soft" id="${id}-due">${dueOf(offer, translator)}</div>
${offer.installments.length > 1 && html`<div class="unfold">${instalmentList(offer, translator)}</div>`}
</div>
`;
}

/** The amount and the day of the first payment, with an ellipsis if more follow. */
function dueOf(offer: OfferedTerm, translator: Translator): Markup {
  const [first] = offer.installments;
  if (offer.payment_term === 'PREPAYMENT' || !first)
    return html`<p>${translator.text('payment.PREPAYMENT_hint')}</p>`;
  return html`<p>${translator.text('payment.due_on', {
    amount: translator.money(first.amount.value, first.amount.currency),
    date: translator.day(first.due_at),
  })}${offer.installments.length > 1 && ' …'}</p>`;
}

function otherTerms({ view, translator }: Scene): Markup | null {
  const { unavailable, platform } = view;
  if (unavailable.length === 0) return null;
  const items = unavailable.map(
    ({ term, reason }) => html`<div><dt>${translator.paymentTerm(term)}</dt>
<dd>${translator.text(`unavailable.${reason}`, { platform: platform.name })}</dd></div>
`,
  );
  return html`<details class="fold small"><summary>${translator.text('payment.other_show')}</summary>
<h2>${translator.text('payment.other_title')}</h2>
<dl class="reasons">${items}</dl></details>`;
}
