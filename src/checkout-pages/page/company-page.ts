/** The page of the company step: a search in the registry, and a form to enter the company by hand. */
import { LEGAL_FORMS } from '#kernel/fields';
import type { Translator } from '#messages';
import type { CheckoutView, CompanyEntry, CompanySearch } from '#modules/checkout';
import { countriesOf, countryField, optionsOf, selectField, textField } from '#pages/field';
import { errorNote, errorOf, idOf } from '#pages/form-errors';
import { flag, html, type Markup } from '#pages/markup';
import { addressFields, addressLines } from './address.ts';
import { companyResults } from './company-results.ts';
import { formStart, type Scene, stepPage } from './step-page.ts';

export interface CompanyPage {
  scene: Scene;
  /** Null before a search. */
  search: CompanySearch | null;
  /** The input of the search form. */
  searched: { country: string; query: string };
}

export function companyPage({ scene, search, searched }: CompanyPage): string {
  const { view, translator } = scene;
  const title = translator.text('company.title');
  return stepPage(scene, {
    title,
    at: 'company',
    step: 'company',
    content: html`<h1>${title}</h1>
${
  view.isCompanyOnFile
    ? onFile(scene)
    : html`${chosen(scene)}
${searchForm(scene, searched)}
${search && companyResults(scene, search)}
${manualForm(scene)}`
}`,
  });
}

/** Shows a company on file. Only the platform can change it. */
function onFile(scene: Scene): Markup {
  const { view, translator } = scene;
  return html`${view.company && companyCard(scene, view.company)}
<p class="soft">${translator.text('company.on_file', { platform: view.platform.name })}</p>
${goOn(scene)}`;
}

/** The company that was earlier chosen from the registry. */
function chosen(scene: Scene): Markup | null {
  const { company } = scene.view;
  if (!company || !isChosen(scene)) return null;
  return html`${companyCard(scene, company)}
${goOn(scene)}
<h2>${scene.translator.text('company.search_again')}</h2>`;
}

/** Whether the chosen company is complete: with an incomplete one, this step is not done. */
function isChosen({ view, typed }: Scene): boolean {
  return typeof view.company?.businessId === 'string' && view.step !== 'company' && typed === null;
}

function goOn({ view, translator, links }: Scene): Markup | null {
  const next = view.steps[view.steps.indexOf('company') + 1];
  if (next === undefined || view.step === 'company') return null;
  return html`<p><a class="main" href="${links.folder}${next}">${translator.text('common.continue')}</a></p>`;
}

function companyCard({ translator }: Scene, company: CompanyEntry): Markup {
  const numbers = [company.vatId, company.registerId].filter((number) => number !== '');
  return html`<div class="card still">
${company.businessId !== null && html`<p class="tag">${translator.text('company.chosen')}</p>`}
<p class="name">${company.legalName}</p>
<p class="soft">${addressLines(company, translator)}</p>
${numbers.length > 0 && html`<p class="soft"><bdi>${numbers.join(' · ')}</bdi></p>`}
</div>`;
}

/** With script, the field suggests companies during typing. Without script, the button opens a page with the results. */
function searchForm(scene: Scene, searched: CompanyPage['searched']): Markup {
  const { translator, links } = scene;
  const error = errorOf(scene, 'query');
  const options = optionsOf(countriesOf(translator), searched.country);
  const companies = scene.view.sandbox?.companies ?? [];
  return html`<form class="search" role="search" method="get" action="${links.folder}company/search" data-search="${links.folder}company/search">
<p class="soft">${translator.text('company.search_hint')}</p>
${
  companies.length > 0 &&
  html`<p class="soft">${translator.text('company.sandbox', { companies: listed(companies, translator) })}</p>
`
}<div class="field">
<label for="search-country">${translator.text('field.country')}</label>
<select id="search-country" name="country" autocomplete="country">
${options}</select>
</div>
<div class="field${error === null ? '' : ' bad'}">
<label for="${idOf('query')}">${translator.text('company.search_field')}</label>
<div class="combo"><input id="${idOf('query')}" name="query" type="text" value="${searched.query}" autocomplete="organization" spellcheck="false" enterkeyhint="search"${flag(
    'invalid',
    error !== null,
  )}><button>${translator.text('company.search')}</button>
<ul id="found" role="listbox" aria-label="${translator.text('company.search_field')}" hidden></ul></div>
${errorNote('query', error)}<p class="unseen" role="status" data-found></p>
</div>
</form>
<form method="post" action="${links.folder}company" id="choose" hidden>
${formStart(scene)}
<input type="hidden" name="businessId">
</form>`;
}

/** Each name is isolated, so that its direction does not reorder the list. */
function listed(names: readonly string[], { locale }: Translator): string {
  return new Intl.ListFormat(locale, { type: 'unit' }).format(names.map((name) => `\u2068${name}\u2069`));
}

const NOTHING: CompanyEntry = {
  legalName: '',
  legalForm: '',
  tradingName: '',
  country: '',
  street: '',
  house: '',
  additional: '',
  postcode: '',
  city: '',
  vatId: '',
  registerId: '',
  businessId: null,
};

function manualForm(scene: Scene): Markup {
  const { view, translator, links, typed, errors } = scene;
  // Also completes a company for which the registry lacks fields.
  const isByHand = view.company !== null && (view.company.businessId === null || !isChosen(scene));
  const known = isByHand && view.company ? view.company : NOTHING;
  const isOpen = isByHand || (typed !== null && errors.length > 0);
  const forms = LEGAL_FORMS.map((form) => ({ value: form, text: translator.text(`legal_form.${form}`) }));
  const legalForm = typed?.get('legalForm') ?? known.legalForm;
  return html`<details class="fold" id="manual"${flag('open', isOpen)}>
<summary><span>${translator.text('company.manual')}</span> <span class="soft">${translator.text('company.manual_hint')}</span></summary>
<form method="post" action="${links.folder}company" novalidate>
${formStart(scene)}
<fieldset class="plain"><legend>${translator.text('company.manual_title')}</legend>
${countryField(scene, { name: 'country', value: known.country || searchCountry(view), autocomplete: 'billing country' })}
${textField(scene, { name: 'legalName', label: 'field.legal_name', hint: translator.text('field.legal_name_hint'), value: known.legalName, autocomplete: 'organization' })}
${selectField(scene, { name: 'legalForm', label: 'field.legal_form', value: known.legalForm }, optionsOf(forms, legalForm), translator.text('field.legal_form_choose'))}
${textField(scene, { name: 'tradingName', label: 'field.trading_name', value: known.tradingName, isOptional: true })}
${addressFields(scene, known, { section: 'billing', withCountry: false })}
<div class="fields">
${textField(scene, { name: 'vatId', label: 'field.vat_id', value: known.vatId, isOptional: true })}
${textField(scene, { name: 'registerId', label: 'field.register_id', value: known.registerId, isOptional: true })}
</div>
</fieldset>
<button class="main">${translator.text('common.continue')}</button>
</form>
</details>`;
}

/** The company's country, else the platform's, which most buyers share. */
export function searchCountry({ platform, company }: CheckoutView): string {
  return company?.country || platform.country;
}
