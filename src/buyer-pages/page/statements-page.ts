/** The statements of account to download: as of now, and of recent months with an entry or a balance. */
import type { Translator } from '#messages';
import type { PageAccount, StatementOnPage } from '#modules/buyer-page';
import { html } from '#pages/markup';
import type { AccountScene } from '../browser-visit.ts';
import { accountPage } from './account-page.ts';

export function statementsPage(
  scene: AccountScene,
  account: PageAccount,
  statements: readonly StatementOnPage[],
): string {
  const { translator, links } = scene;
  const { text } = translator;
  const title = text('document.statement_title');
  const items = statements.map(
    (statement) =>
      html`<li><a href="${links.folder}statements/${statement.name}" download><bdi>${labelOf(statement, translator)}</bdi></a> <span class="soft">PDF</span></li>
`,
  );
  return accountPage(scene, account, {
    title,
    tab: 'invoices',
    isBelow: true,
    content: html`<h1>${title}</h1>
${items.length > 0 && html`<section class="card still"><ul class="links">${items}</ul></section>`}
<p class="onward"><a href="${links.folder}invoices">${text('account.title')}</a></p>`,
  });
}

function labelOf({ monthOn, at }: StatementOnPage, { text, day, locale }: Translator): string {
  if (monthOn === null) return text('account.as_of', { date: day(at) });
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return month.format(new Date(`${monthOn}T00:00:00Z`));
}
