/** The page of the review step: all data, the consent, and the button that orders. */
import { type CheckoutStep, consentSentence } from '#modules/checkout';
import { describedBy, errorNote, errorOf, idOf } from '#pages/form-errors';
import { type Child, flag, html, type Markup } from '#pages/markup';
import { addressLines } from './address.ts';
import { dueTable } from './payment-term.ts';
import { formStart, type Scene, stepPage } from './step-page.ts';

export function reviewPage(scene: Scene): string {
  const { view, translator } = scene;
  const title = translator.text('review.title');
  const { person } = view;
  const offer = view.offers.find(({ payment_term }) => payment_term === view.choice);
  const shown = offer && { offer, isUpTo: offer.isUpTo, currency: view.order.currency };
  return stepPage(scene, {
    ...(shown && { agreed: shown }),
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
${part(scene, 'details', 'review.invoice', invoiceFacts(scene))}
${shown && part(scene, 'payment', 'review.payment', dueTable(shown, translator))}
</div>
${orderForm(scene)}`,
  });
}

function part(
  { view, translator, links }: Scene,
  step: CheckoutStep,
  name: `review.${'company' | 'contact' | 'delivery' | 'invoice' | 'payment'}`,
  content: Child,
): Markup | null {
  if (!content) return null;
  const title = translator.text(name);
  const change = translator.text('common.change');
  const isEditable = view.steps.includes(step) && !(step === 'company' && view.isCompanyOnFile);
  return html`<section>
<h2>${title}</h2>
${isEditable && html`<a class="change" href="${links.folder}${step}" aria-label="${change}: ${title}">${change}</a>`}
<div class="fact">${content}</div>
</section>
`;
}

function companyFacts({ view, translator }: Scene): Child {
  const { company } = view;
  if (!company) return view.companyName !== null && html`<p>${view.companyName}</p>`;
  const numbers = [company.vatId, company.registerId].filter((number) => number !== '');
  return html`<p>${company.legalName}</p>
<p class="soft">${company.tradingName !== '' && html`${company.tradingName}<br>`}${addressLines(company, translator)}</p>
${numbers.length > 0 && html`<p class="soft"><bdi>${numbers.join(' · ')}</bdi></p>`}`;
}

function deliveryFacts({ view, translator }: Scene): Child {
  const { delivery } = view;
  if (!delivery) return null;
  if (delivery.to === 'OTHER' && delivery.address)
    return html`<p>${addressLines(delivery.address, translator)}</p>`;
  const same = delivery.to === 'COMPANY';
  return html`<p>${translator.text(same ? 'details.delivery_same' : 'details.delivery_none')}</p>`;
}

function invoiceFacts({ view, translator }: Scene): Child {
  const { purchaseOrder, email, address } = view.invoice;
  if (purchaseOrder === '' && email === '' && address === null) return null;
  return html`${purchaseOrder !== '' && html`<p>${translator.text('field.purchase_order')}: <bdi>${purchaseOrder}</bdi></p>`}
${email !== '' && html`<p class="soft"><bdi>${email}</bdi></p>`}
${address && html`<p class="soft">${addressLines(address, translator)}</p>`}`;
}

function orderForm(scene: Scene): Markup {
  const { view, translator, links, typed } = scene;
  const error = errorOf(scene, 'consent');
  const email = view.person?.email || view.notifiedEmail;
  return html`<form method="post" action="${links.folder}review" novalidate class="order-form">
${formStart(scene)}
<input type="hidden" name="termsVersion" value="${view.termsVersion}">
<div class="field consent${error === null ? '' : ' bad'}">
<div class="pick"><input type="checkbox" id="${idOf('consent')}" name="consent" value="yes" required${flag(
    'checked',
    typed?.get('consent') === 'yes',
  )}${flag('invalid', error !== null)}${describedBy('consent', false, error)}>
<label for="${idOf('consent')}">${consentSentence(translator, view.companyName)}</label></div>
${errorNote('consent', error)}<p><a href="${links.folder}terms">${translator.text('review.terms')}</a></p>
</div>
<button class="main">${translator.text('review.order')}</button>
${email && html`<p class="soft">${translator.text('review.after', { email })}</p>`}
</form>`;
}
