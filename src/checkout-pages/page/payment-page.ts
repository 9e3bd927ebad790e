/** The page of the payment step: the offered terms with fees and due dates, and the reasons for the others. */
import type { Translator } from '#messages';
import { type OfferedTerm, paymentsOf } from '#modules/facilities';
import { errorNote, errorOf, idOf } from '#pages/form-errors';
import { flag, html, type Markup } from '#pages/markup';
import { arranged, preselectedOf } from './offer-choice.ts';
import { amountText, feeDue, feeText, instalmentList, type ShownOffer, totalText } from './payment-term.ts';
import { refusalReasons } from './refusal.ts';
import { companyIn, formStart, type Scene, stepPage } from './step-page.ts';

export function paymentPage(scene: Scene): string {
  const { view, translator, links, typed } = scene;
  const title = translator.text('payment.title');
  const error = errorOf(scene, 'term');
  const chosen = typed?.get('term') ?? view.choice ?? preselectedOf(view.offers)?.payment_term ?? null;
  const { shown, folded } = arranged(view.offers, chosen);
  const card = (offer: OfferedTerm) =>
    offerCard(scene, offer, { isFirst: offer === shown[0], isChosen: offer.payment_term === chosen });
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
${shown.map(card)}
${
  folded.length > 0 &&
  html`<details class="fold small"><summary>${translator.text('payment.more')}</summary>
${folded.map(card)}</details>`
}
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
  { isFirst, isChosen }: { isFirst: boolean; isChosen: boolean },
): Markup {
  const { view, translator } = scene;
  const term = offer.payment_term;
  // Links of errors lead to the first card.
  const id = isFirst ? idOf('term') : `${idOf('term')}-${term}`;
  const shown: ShownOffer = { offer, isUpTo: offer.isUpTo, currency: view.order.currency };
  return html`<div class="card offer">
<input type="radio" id="${id}" name="term" value="${term}" required${flag('checked', isChosen)} aria-describedby="${id}-fee ${id}-due">
<label for="${id}"><span class="name">${translator.paymentTerm(term)}</span></label>
<p class="fee" id="${id}-fee"><bdi>${totalText(shown, translator)}</bdi></p>
<div class="soft" id="${id}-due">${dueOf(shown, translator)}</div>
${offer.installments.length > 1 && html`<div class="unfold">${instalmentList(shown, translator)}</div>`}
</div>
`;
}

/** The amount and the day of the first payment, with an ellipsis if more follow, and when the fee is due. */
function dueOf(shown: ShownOffer, translator: Translator): Markup {
  const { offer } = shown;
  const [first, ...more] = paymentsOf(offer);
  if (offer.payment_term === 'PREPAYMENT' || !first)
    return html`<p>${translator.text('payment.PREPAYMENT_hint')}</p>
<p>${feeText(shown, translator)}</p>`;
  const due = feeDue(shown, translator);
  return html`<p>${translator.text('payment.due_on', {
    amount: amountText(shown, first.amountMinor, translator),
    date: translator.day(first.dueAt),
  })}${more.length > 0 && ' …'}</p>
<p>${feeText(shown, translator)}${due !== null && ` · ${due}`}</p>`;
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
