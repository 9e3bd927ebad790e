/** The page of the details step: the person who orders, and the delivery address. */
import type { DeliveryEntry, PersonEntry } from '#modules/checkout';
import { optionalMark, radioGroup, textField } from '#pages/field';
import { describedBy, errorNote, errorOf, fieldName, idOf } from '#pages/form-errors';
import { flag, html, type Markup } from '#pages/markup';
import { addressFields, addressLines } from './address.ts';
import { searchCountry } from './company-page.ts';
import { formStart, type Scene, stepPage } from './step-page.ts';

const NO_PERSON: PersonEntry = { salutation: '', firstName: '', lastName: '', email: '', phone: '' };
const NO_ADDRESS = { street: null, house: null, postcode: null, city: null, additional: null };

export function detailsPage(scene: Scene): string {
  const { view, translator, links } = scene;
  const title = translator.text('details.title');
  return stepPage(scene, {
    title,
    at: 'details',
    step: 'details',
    content: html`<h1>${title}</h1>
${company(scene)}
<form method="post" action="${links.folder}details" novalidate>
${formStart(scene)}
${person(scene, view.person ?? NO_PERSON)}
${delivery(scene, view.delivery ?? { to: 'COMPANY', address: null })}
${invoice(scene)}
<p class="notice">${translator.text('details.check_notice', { platform: view.platform.name })}</p>
<button class="main">${translator.text('common.continue')}</button>
</form>`,
  });
}

/** The entered company, while it can be changed. On a phone, this is the only link to it. */
function company({ view, translator, links }: Scene): Markup | null {
  if (view.isCompanyOnFile || view.companyName === null) return null;
  const change = translator.text('common.change');
  const title = translator.text('review.company');
  return html`<p class="chosen"><span><span class="soft">${title}</span> <strong>${view.companyName}</strong></span> <a href="${links.folder}company" aria-label="${change}: ${title}">${change}</a></p>`;
}

function person(scene: Scene, known: PersonEntry): Markup {
  const { translator } = scene;
  const salutations = (['MS', 'MR', 'OTHER'] as const).map((value) => ({
    value,
    text: translator.text(`salutation.${value}`),
  }));
  return html`<fieldset class="plain"><legend>${translator.text('details.contact')}</legend>
${radioGroup(scene, { name: 'salutation', legend: 'field.salutation', chosen: known.salutation, choices: salutations, isOptional: true })}
<div class="fields">
${textField(scene, { name: 'firstName', label: 'field.first_name', value: known.firstName, autocomplete: 'given-name' })}
${textField(scene, { name: 'lastName', label: 'field.last_name', value: known.lastName, autocomplete: 'family-name' })}
</div>
${textField(scene, { name: 'email', label: 'field.email', hint: translator.text(scene.view.steps.includes('code') ? 'details.email_hint' : 'field.email_hint'), value: known.email, type: 'email', inputmode: 'email', autocomplete: 'email' })}
${textField(scene, { name: 'phone', label: 'field.phone', hint: translator.text('field.phone_hint'), value: known.phone, type: 'tel', inputmode: 'tel', autocomplete: 'tel', isOptional: true })}
</fieldset>`;
}

/** The other address below its choice is unfolded by the style sheet alone. */
function delivery(scene: Scene, known: DeliveryEntry): Markup {
  const { view, translator, typed } = scene;
  const chosen = typed?.get('to') ?? known.to;
  const error = errorOf(scene, 'to');
  const radio = (value: DeliveryEntry['to'], text: string, id: string) =>
    html`<input type="radio" id="${id}" name="to" value="${value}"${flag('checked', chosen === value)} required${describedBy('to', false, error)}><label for="${id}">${text}</label>`;
  return html`<fieldset class="plain"><legend>${translator.text('details.delivery')}</legend>
<div class="stack">
<div class="pick">${radio('COMPANY', translator.text('details.delivery_same'), idOf('to'))}
${view.company && html`<p class="soft">${addressLines(view.company, translator)}</p>`}</div>
<div class="pick">${radio('OTHER', translator.text('details.delivery_other'), 'to-other')}
<div class="unfold">
${addressFields(scene, known.address ?? { ...NO_ADDRESS, country: searchCountry(view) }, { section: 'shipping' })}
</div></div>
<div class="pick">${radio('NOWHERE', translator.text('details.delivery_none'), 'to-nowhere')}</div>
</div>
${errorNote('to', error)}</fieldset>`;
}

/** Folded, because few buyers need it. Open if a field has a value or an error. */
function invoice(scene: Scene): Markup {
  const { view, translator, typed, errors } = scene;
  const { purchaseOrder, email, address } = view.invoice;
  const isElsewhere = typed === null ? address !== null : typed.get('billedElsewhere') === 'yes';
  const isFilled = purchaseOrder !== '' || email !== '' || isElsewhere;
  const isWrong = errors.some((error) => /^(purchaseOrder|invoiceEmail|billing)/.test(fieldName(error)));
  return html`<details class="fold inform"${flag('open', isFilled || isWrong)}>
<summary>${translator.text('details.invoice')} ${optionalMark(translator)}</summary>
<fieldset class="plain"><legend class="unseen">${translator.text('details.invoice')}</legend>
${textField(scene, { name: 'purchaseOrder', label: 'field.purchase_order', value: purchaseOrder, isOptional: true })}
${textField(scene, { name: 'invoiceEmail', label: 'field.invoice_email', value: email, type: 'email', inputmode: 'email', autocomplete: 'work email', isOptional: true })}
<div class="pick"><input type="checkbox" id="${idOf('billedElsewhere')}" name="billedElsewhere" value="yes"${flag('checked', isElsewhere)}>
<label for="${idOf('billedElsewhere')}">${translator.text('details.billing_other')}</label>
<div class="unfold">
${addressFields(scene, address ?? { ...NO_ADDRESS, country: searchCountry(view) }, { section: 'billing', prefix: 'billing' })}
</div></div>
</fieldset></details>`;
}
