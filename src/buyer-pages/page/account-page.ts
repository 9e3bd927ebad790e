/** The frame of the buyer's page once it is open: the company, the links between the pages, and the button to leave. */
import type { MessageKey } from '#messages';
import type { PageAccount } from '#modules/buyer-page';
import { errorSummary, type FieldLabels } from '#pages/form-errors';
import { pageFrame } from '#pages/frame';
import { type Child, html, type Markup } from '#pages/markup';
import type { AccountScene } from '../browser-visit.ts';

type Tab = 'invoices' | 'credit' | 'settings';

const TABS: readonly (readonly [Tab, MessageKey])[] = [
  ['invoices', 'account.invoices'],
  ['credit', 'account.credit'],
  ['settings', 'account.settings'],
];

export const FIELD_LABELS: FieldLabels = {
  code: 'code.field',
  language: 'common.language',
  formality: 'account.formality',
};

export interface AccountPage {
  title: string;
  tab: Tab;
  /** Whether the page is a sub-page of the tab's page. */
  isBelow?: boolean;
  /** The labels of the fields of its form. */
  labels?: FieldLabels;
  content: Child;
}

export function accountPage(
  scene: AccountScene,
  account: Pick<PageAccount, 'companyName'>,
  { title, tab, isBelow = false, labels = FIELD_LABELS, content }: AccountPage,
): string {
  const { around, translator, links, errors } = scene;
  return pageFrame({
    ...{ links, translator, title, platform: around.platform, isSandbox: around.isSandbox },
    hasErrors: errors.length > 0,
    nav: tabs(scene, tab, isBelow),
    secure: 'account.secure',
    content: html`${errorSummary(scene, labels)}
<p class="soft whose"><bdi>${account.companyName}</bdi></p>
${content}`,
    footer: html`<form method="post" action="${links.folder}leave"><button class="quiet">${translator.text('account.leave')}</button></form>`,
  });
}

function tabs({ translator, links, around }: AccountScene, here: Tab, isBelow: boolean): Markup {
  const items = TABS.map(([tab, name]) => {
    const current = tab === here ? html` aria-current="${isBelow ? 'true' : 'page'}"` : null;
    return html`<li><a href="${links.folder}${tab}"${current}>${translator.text(name)}</a></li>
`;
  });
  return html`<nav class="wide tabs" aria-label="${around.platform.name}"><ul>${items}</ul></nav>`;
}
