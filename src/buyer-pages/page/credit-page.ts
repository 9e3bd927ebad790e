/** The page of the credit limit: its amount, its uses, and why there is none. */
import type { Currency } from '#kernel/currency';
import type { MessageKey } from '#messages';
import type { CreditDetails, PageAccount } from '#modules/buyer-page';
import type { Facility } from '#modules/facilities';
import { type Child, html, type Markup } from '#pages/markup';
import type { AccountScene } from '../browser-visit.ts';
import { accountPage } from './account-page.ts';
import { invoiceLabel } from './invoice-name.ts';

export function creditPage(scene: AccountScene, account: PageAccount, credit: CreditDetails): string {
  const { translator } = scene;
  const { facility } = credit;
  const title = translator.text('account.credit');
  const hasLimit = facility !== null && facility.total_amount > 0;
  const status = statusOf(credit);
  return accountPage(scene, account, {
    title,
    tab: 'credit',
    content: html`<h1>${title}</h1>
${status !== null && html`<p class="lead">${translator.text(status)}</p>`}
${refusalOf(scene, account, credit)}
${hasLimit && limitOf(scene, facility)}
${hasLimit && usesOf(scene, { ...credit, facility })}`,
  });
}

/** The credit of a buyer with a facility. */
type UsedCredit = CreditDetails & { facility: Facility };
type MoreUses = CreditDetails['invoices']['more'];

/** The message about a limit that cannot be used; null for one that can. */
function statusOf({ facility, refusal }: CreditDetails): MessageKey | null {
  switch (facility?.status) {
    case undefined:
      return 'unavailable.NO_ACTIVE_FACILITY';
    case 'REJECTED':
      return 'reason.NOT_POSSIBLE_NOW';
    case 'PENDING':
      return 'reason.NEEDS_REVIEW';
    case 'FROZEN':
      return 'unavailable.FACILITY_FROZEN';
    case 'EXPIRED': {
      const isRenewed = refusal === null && facility.pending_actions.some(({ type }) => type === 'RENEWAL');
      return isRenewed ? 'account.limit_renewing' : 'unavailable.FACILITY_EXPIRED';
    }
    case 'ACTIVE':
      return refusal === null ? null : 'mail.limit_expiring_title';
  }
}

function limitOf({ translator }: AccountScene, facility: Facility): Markup {
  const { currency, status, expires_at: expiresAt } = facility;
  const rows = [
    ['account.credit', facility.total_amount],
    ['account.used', facility.used_amount],
    ['account.reserved', facility.pending_orders_amount],
  ] as const;
  return html`<section class="card still"><dl class="sums">${rows.map(
    ([name, minor]) =>
      html`<div><dt>${translator.text(name)}</dt><dd><bdi>${translator.money(minor, currency)}</bdi></dd></div>
`,
  )}<div class="total"><dt>${translator.text('account.available')}</dt><dd><bdi>${translator.money(facility.available_amount, currency)}</bdi></dd></div></dl>
${expiresAt !== null && status !== 'EXPIRED' && html`<p class="soft">${translator.text('account.valid_until', { date: translator.day(expiresAt) })}</p>`}</section>`;
}

function usesOf(
  { translator, links }: AccountScene,
  { invoices, orders, facility }: UsedCredit,
): Markup | null {
  const { text, money } = translator;
  if (invoices.items.length + orders.items.length === 0) return null;
  const row = (name: Child, minor: number, currency: Currency) =>
    html`<div><dt>${name}</dt><dd><bdi>${money(minor, currency)}</bdi></dd></div>
`;
  const ofInvoices = invoices.items.map((invoice) =>
    row(
      html`<a href="${links.folder}invoices/${invoice.external_id}">${invoiceLabel(invoice, translator)}</a>`,
      invoice.credit_used,
      invoice.currency,
    ),
  );
  const ofOrders = orders.items.map(({ external_id, reserved_amount, currency }) =>
    row(text('order.number', { number: external_id }), reserved_amount, currency),
  );
  const more = (key: 'account.more_invoices' | 'account.more_orders', { count, amountMinor }: MoreUses) =>
    count > 0 && row(text(key, { count }), amountMinor, facility.currency);
  return html`<section class="card still" aria-labelledby="uses"><h2 id="uses">${text('account.uses')}</h2>
<dl class="sums dues">${ofInvoices}${more('account.more_invoices', invoices.more)}${ofOrders}${more('account.more_orders', orders.more)}</dl></section>`;
}

/** The reasons, and a review by a person, as in the checkout. */
function refusalOf(
  { translator, links }: AccountScene,
  { email, reviewDays }: PageAccount,
  { facility, refusal }: CreditDetails,
): Markup | null {
  if (refusal === null) return null;
  const { text } = translator;
  const { reasons, review } = refusal;
  // The text above already says that no limit is possible.
  const listed = reasons
    .filter((code) => code !== 'NOT_POSSIBLE_NOW' || facility?.status !== 'REJECTED')
    .map(
      (code) => html`<li>${text(`reason.${code}`)}</li>
`,
    );
  return html`<div class="refusal">
${listed.length > 0 && html`<p id="reasons"><strong>${text('refused.reasons')}</strong></p><ul aria-labelledby="reasons">${listed}</ul>`}
${review === 'DECIDED' && html`<p>${text('refused.decided')}</p>`}
${review === 'ASKED' && html`<p role="status">${text('refused.asked', { email })}</p>`}
${
  review === 'POSSIBLE' &&
  html`<p>${text('refused.person', { days: reviewDays })}</p>
<form method="post" action="${links.folder}credit/review"><button class="main">${text('refused.ask')}</button></form>`
}
</div>`;
}
