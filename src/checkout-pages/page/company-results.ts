/** The companies that a search found: as a list of buttons, and as options of the suggestions. */
import type { Translator } from '#messages';
import type { CompanySearch, FoundCompany } from '#modules/checkout';
import { html, type Markup } from '#pages/markup';
import { addressLine } from './address.ts';
import { formStart, type Scene } from './step-page.ts';

export function companyResults(scene: Scene, search: CompanySearch): Markup {
  const { translator, links } = scene;
  const { found } = search;
  return html`<section class="results" aria-labelledby="results">
<h2 id="results" tabindex="-1">${countOf(search, translator)}</h2>
${found.length === 0 && html`<p class="soft">${translator.text('company.results_none')}</p>`}
${
  found.length > 0 &&
  html`<form method="post" action="${links.folder}company">
${formStart(scene)}
<ul class="found">${found.map((company) => choiceOf(company, translator))}</ul>
</form>`
}
${search.total > found.length && html`<p class="soft">${translator.text('company.results_more', { count: found.length })}</p>`}
</section>`;
}

function choiceOf(company: FoundCompany, translator: Translator): Markup {
  return html`<li><button name="businessId" value="${company.businessId}">
<span class="unseen">${translator.text('company.choose', { company: company.legalName })}</span>
<span class="name" aria-hidden="true">${company.legalName}</span>
${details(company, translator)}</button></li>
`;
}

function details(company: FoundCompany, translator: Translator): Markup {
  return html`${company.tradingName !== null && html`<span class="soft">${company.tradingName}</span>`}
<span class="soft">${addressLine(company.address, translator)}</span>
${company.identifiers.length > 0 && html`<span class="soft"><bdi>${company.identifiers.join(' · ')}</bdi></span>`}`;
}

/** The fragment for the script: the options, and the count that a screen reader announces. */
export function companySuggestions(search: CompanySearch, translator: Translator): string {
  const options = search.found.map(
    (
      company,
      index,
    ) => html`<li role="option" id="found-${index}" data-business="${company.businessId}" aria-selected="false">
<span class="name">${company.legalName}</span>
${details(company, translator)}</li>
`,
  );
  const none = search.found.length === 0 && translator.text('company.results_none');
  return String(html`<p>${countOf(search, translator)}${none && `. ${none}`}</p>
<ul>${options}</ul>`);
}

function countOf({ found, total }: CompanySearch, translator: Translator): string {
  return translator.text('company.results', { count: Math.max(total, found.length) });
}
