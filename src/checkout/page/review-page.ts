/** Everything once more, the consent, and the order. */
import { consentSentence, type Step } from '#modules/checkout';
import { type Child, flag, html, type Markup } from '../markup.ts';
import { addressLines } from './address.ts';
import { dueTable } from './due-table.ts';
import { describedBy, errorNote, errorOf, formStart, idOf, type Scene, stepPage } from './step-page.ts';

export function reviewPage(scene: Scene): string {
  const { view, speaker } = scene;
  const title = speaker.text('review.title');
  const { person } = view;
  const offer = view.offers.find(({ payment_term }) => payment_term === view.choice);
  return stepPage(scene, {
    title,
    at: 'review',
    step: 'review',
    content: html`<h1>${title}</h1>
<div class="facts">
${part(scene, 'company', 'review.company', companyFacts(scene))}
${
  person &&
  part(
    scene,
    'details',
    'review.contact',
    html`<p>${[person.firstName, person.lastName].join(' ')}</p>
<p class="soft"><bdi>${person.email}</bdi>${person.phone !== '' && html`<br><bdi dir="ltr">${person.phone}</bdi>`}</p>`,
  )
}
${part(scene, 'details', 'review.delivery', deliveryFacts(scene))}
${offer && part(scene, 'payment', 'review.payment', dueTable(offer, { isUpTo: offer.isUpTo, currency: view.order.currency }, speaker))}
</div>
${orderForm(scene)}`,
  });
}

function part(
  { view, speaker, place }: Scene,
  step: Step,
  name: 'review.company' | 'review.contact' | 'review.delivery' | 'review.payment',
  content: Child,
): Markup | null {
  if (!content) return null;
  const title = speaker.text(name);
  const change = speaker.text('common.change');
  const isAsked = view.steps.includes(step) && !(step === 'company' && view.isCompanyOnFile);
  return html`<section>
<h2>${title}</h2>
${isAsked && html`<a class="change" href="${place.folder}${step}" aria-label="${change}: ${title}">${change}</a>`}
<div class="fact">${content}</div>
</section>
`;
}

function companyFacts({ view, speaker }: Scene): Child {
  const { company } = view;
  if (!company) return view.companyName !== null && html`<p>${view.companyName}</p>`;
  const numbers = [company.vatId, company.registerId].filter((number) => number !== '');
  return html`<p>${company.legalName}</p>
<p class="soft">${company.tradingName !== '' && html`${company.tradingName}<br>`}${addressLines(company, speaker)}</p>
${numbers.length > 0 && html`<p class="soft"><bdi>${numbers.join(' · ')}</bdi></p>`}`;
}

function deliveryFacts({ view, speaker }: Scene): Child {
  const { delivery } = view;
  if (!delivery) return null;
  if (delivery.to === 'OTHER' && delivery.address)
    return html`<p>${addressLines(delivery.address, speaker)}</p>`;
  const same = delivery.to === 'COMPANY';
  return html`<p>${speaker.text(same ? 'details.delivery_same' : 'details.delivery_none')}</p>`;
}

function orderForm(scene: Scene): Markup {
  const { view, speaker, place, typed } = scene;
  const error = errorOf(scene, 'consent');
  const email = view.person?.email || view.notifiedEmail;
  return html`<form method="post" action="${place.folder}review" novalidate data-check data-required="${speaker.text('error.consent')}" class="order-form">
${formStart(scene)}
<input type="hidden" name="termsVersion" value="${view.termsVersion}">
<div class="field consent${error === null ? '' : ' bad'}">
<div class="pick"><input type="checkbox" id="${idOf('consent')}" name="consent" value="yes" required${flag(
    'checked',
    typed?.get('consent') === 'yes',
  )}${flag('invalid', error !== null)}${describedBy('consent', false, error)}>
<label for="${idOf('consent')}">${consentSentence(speaker, view.companyName)}</label></div>
${errorNote('consent', error)}<p><a href="${place.folder}terms">${speaker.text('review.terms')}</a></p>
</div>
<button class="main">${speaker.text('review.order')}</button>
${email && html`<p class="soft">${speaker.text('review.after', { email })}</p>`}
</form>`;
}
