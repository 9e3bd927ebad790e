/** The page of the settings: the language and formality of mails and pages, and the contacts on file. */
import { FORMALITIES } from '#kernel/language';
import type { PageAccount } from '#modules/buyer-page';
import { optionsOf, selectField } from '#pages/field';
import { languageOptions } from '#pages/frame';
import { html, type Markup } from '#pages/markup';
import type { AccountScene } from '../browser-visit.ts';
import { accountPage } from './account-page.ts';

export function settingsPage(
  scene: AccountScene,
  account: PageAccount,
  { isSaved }: { isSaved: boolean },
): string {
  const { translator, links, around, typed } = scene;
  const { text } = translator;
  const title = text('account.settings');
  const blank = text('field.legal_form_choose');
  const formalities = FORMALITIES.map((value) => ({ value, text: text(`account.${value}`) }));
  const formality = typed?.get('formality') ?? around.formality;
  const language = typed?.get('language') ?? around.language;
  return accountPage(scene, account, {
    title,
    tab: 'settings',
    content: html`<h1>${title}</h1>
${isSaved && html`<p class="notice" role="status">${text('account.saved')}</p>`}
<form method="post" action="${links.folder}settings">
<p class="soft">${text('account.settings_hint', { company: account.companyName })}</p>
${selectField(scene, { name: 'language', label: 'common.language', value: language }, languageOptions(language), blank)}
${selectField(scene, { name: 'formality', label: 'account.formality', value: formality }, optionsOf(formalities, formality), blank)}
<button class="main">${text('account.save')}</button>
</form>
${contacts(scene, account)}`,
  });
}

function contacts({ translator, around }: AccountScene, { contacts: known }: PageAccount): Markup | null {
  const { text } = translator;
  const named = known.flatMap(({ first_name, last_name, email }) => {
    const name = [first_name, last_name].filter((part) => part).join(' ');
    return name === '' && email === null ? [] : [{ name, email }];
  });
  if (named.length === 0) return null;
  return html`<section class="card still" aria-labelledby="contacts"><h2 id="contacts">${text('review.contact')}</h2>
<ul class="links">${named.map(
    ({
      name,
      email,
    }) => html`<li>${name !== '' && html`<bdi>${name}</bdi>`}${name !== '' && email !== null && html`<br>`}${email !== null && html`<bdi class="soft">${email}</bdi>`}</li>
`,
  )}</ul>
<p class="soft">${text('company.on_file', { platform: around.platform.name })}</p></section>`;
}
