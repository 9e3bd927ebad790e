/** The lists of invoices: the open ones, the first due first, and the settled ones. */
import type { MessageKey, Translator } from '#messages';
import type { ItemList, ListedItem, PageAccount } from '#modules/buyer-page';
import type { Invoice, OwedSum } from '#modules/invoices';
import { html, type Markup } from '#pages/markup';
import type { AccountScene } from '../browser-visit.ts';
import { accountPage } from './account-page.ts';
import { invoiceLabel } from './invoice-name.ts';
import { stateOf } from './invoice-state.ts';

export function openItemsPage(
  scene: AccountScene,
  account: PageAccount,
  list: ItemList & { sums: OwedSum[] },
): string {
  const { translator, links } = scene;
  const title = translator.text('account.title');
  return accountPage(scene, account, {
    title,
    tab: 'invoices',
    content: html`<h1>${title}</h1>
${list.sums.length === 0 ? html`<p class="lead">${translator.text('account.nothing')}</p>` : sumsOf(scene, list.sums)}
${itemsOf(scene, list, 'invoices')}
<p class="onward"><a href="${links.folder}past">${translator.text('account.settled')}</a></p>
<p class="onward"><a href="${links.folder}statements">${translator.text('document.statement_title')}</a></p>`,
  });
}

export function settledItemsPage(scene: AccountScene, account: PageAccount, list: ItemList): string {
  const { translator, links } = scene;
  const title = translator.text('account.settled');
  return accountPage(scene, account, {
    title,
    tab: 'invoices',
    isBelow: true,
    content: html`<h1>${title}</h1>
${list.items.length === 0 && html`<p class="lead">${translator.text('account.nothing_settled')}</p>`}
${itemsOf(scene, list, 'past')}
<p class="onward"><a href="${links.folder}invoices">${translator.text('account.title')}</a></p>`,
  });
}

/** The amount owed in each currency, with the overdue part and the late charges. */
function sumsOf({ translator }: AccountScene, sums: readonly OwedSum[]): Markup {
  const rows = sums.map(({ currency, principal, overdue, lateCharges }) => {
    const total = BigInt(principal) + BigInt(lateCharges);
    const part = (key: MessageKey, minor: number) =>
      minor > 0 &&
      html`<div><dt>${translator.text(key)}</dt><dd><bdi>${translator.money(minor, currency)}</bdi></dd></div>
`;
    return html`<div class="total"><dt>${translator.text('order.to_pay')}</dt><dd><bdi>${translator.money(total, currency)}</bdi></dd></div>
${part('account.overdue', overdue)}${part('account.charges', lateCharges)}`;
  });
  return html`<dl class="sums owed">${rows}</dl>`;
}

function itemsOf(scene: AccountScene, { items, page, hasMore }: ItemList, at: string): Markup {
  const { translator, links } = scene;
  const pageLink = (number: number, key: 'account.previous' | 'account.next') =>
    html`<a class="quiet" href="${links.folder}${at}?page=${number + 1}">${translator.text(key)}</a>`;
  return html`${items.length > 0 && html`<ul class="items">${items.map((item) => itemOf(scene, item))}</ul>`}
${
  (page > 0 || hasMore) &&
  html`<p class="row ways">${page > 0 && pageLink(page - 1, 'account.previous')}${hasMore && pageLink(page + 1, 'account.next')}</p>`
}`;
}

function itemOf(scene: AccountScene, { invoice, merchantName }: ListedItem): Markup {
  const { translator, links } = scene;
  const { late_charges: charges, outstanding_amount: outstanding, amount } = invoice;
  const owed = outstanding + charges.outstanding_amount;
  return html`<li class="card item">
<h2><a href="${links.folder}invoices/${invoice.external_id}">${invoiceLabel(invoice, translator)}</a></h2>
<p class="amount"><bdi>${translator.money(owed > 0 ? owed : amount.gross, amount.currency)}</bdi></p>
<p class="soft"><bdi>${merchantName}</bdi></p>
${stateOf(invoice, translator)}
${owed > 0 && partsOf(invoice, translator)}
</li>
`;
}

/** The parts of the amount owed for an invoice, if there is more than one. */
function partsOf(invoice: Invoice, { text, day, money }: Translator): Markup | null {
  const { late_charges: charges, installments, amount } = invoice;
  const open = installments.filter((each) => each.outstanding_amount > 0);
  if (open.length <= 1 && charges.outstanding_amount === 0) return null;
  const row = (name: string, minor: number) =>
    html`<div><dt>${name}</dt><dd><bdi>${money(minor, amount.currency)}</bdi></dd></div>
`;
  const nameOf = (dueAt: number) =>
    open.length === 1 ? text('review.invoice') : text('account.due_on', { date: day(dueAt) });
  return html`<dl class="sums dues">${open.map((each) => row(nameOf(each.due_at), each.outstanding_amount))}${
    charges.outstanding_amount > 0 && row(text('account.charges'), charges.outstanding_amount)
  }</dl>`;
}
