/** The page of one invoice: its amounts, payments and credit notes, how to pay, late charges, documents. */
import type { InvoiceOnPage } from '#modules/buyer-page';
import { itemLines } from '#pages/item-lines';
import { html, type Markup } from '#pages/markup';
import type { AccountScene } from '../browser-visit.ts';
import { accountPage } from './account-page.ts';
import { disputesSection } from './disputes-section.ts';
import { invoiceLabel, invoiceName } from './invoice-name.ts';
import { stateOf } from './invoice-state.ts';
import { lateChargesOf } from './late-charges.ts';
import { paymentSection } from './payment-section.ts';

/** @param isDisputed A dispute about it was just opened. */
export function invoicePage(
  scene: AccountScene,
  found: InvoiceOnPage,
  { isDisputed }: { isDisputed: boolean },
): string {
  const { translator, links } = scene;
  const { invoice, merchantName, details } = found;
  const title = invoiceName(invoice, translator);
  const notice = details.notice_of_assignment;
  return accountPage(
    scene,
    { companyName: invoice.buyer.legal_name ?? '' },
    {
      title,
      tab: 'invoices',
      isBelow: true,
      content: html`<h1>${invoiceLabel(invoice, translator)}</h1>
<p class="soft">${translator.text('order.seller', { merchant: merchantName })}</p>
${stateOf(invoice, translator)}
${isDisputed && html`<p class="notice" role="status">${translator.text('mail.dispute_opened_title')}</p>`}
${
  notice !== null &&
  html`<div class="notice">${notice.text.split('\n').map((line) => html`<p>${line}</p>`)}</div>`
}
${paymentSection(scene, found)}
<section class="card still" aria-labelledby="amounts"><h2 id="amounts">${translator.text('review.invoice')}</h2>
${lines(scene, found)}
${amounts(scene, found)}</section>
${lateChargesOf(found.charges, translator)}
${documents(scene, found)}
${disputesSection(scene, found)}
<p class="onward"><a href="${links.folder}invoices">${translator.text('account.title')}</a></p>`,
    },
  );
}

function lines({ translator }: AccountScene, { invoice }: InvoiceOnPage): Markup | null {
  const shown = invoice.line_items.map(({ name, description, quantity, price }) => ({
    ...{ name, description, quantity, priceMinor: price },
  }));
  return itemLines(shown, translator, (minor) => translator.money(minor, invoice.amount.currency));
}

/** From the amount of the invoice to the amount still to pay. */
function amounts({ translator }: AccountScene, found: InvoiceOnPage): Markup {
  const { invoice, payments, creditNotes } = found;
  const { text, day } = translator;
  const { amount, term_fee: fee, late_charges: late, installments } = invoice;
  const money = (minor: number) => translator.money(minor, amount.currency);
  const row = (name: string, value: string) => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>
`;
  const paid = payments.flatMap(({ paid_at, allocations, late_charge_allocations }) => {
    const ofInvoice = [...allocations, ...late_charge_allocations]
      .filter(({ invoice_external_id }) => invoice_external_id === invoice.external_id)
      .reduce((sum, each) => sum + each.amount, 0);
    return ofInvoice === 0 ? [] : [row(text('account.payment', { date: day(paid_at) }), money(-ofInvoice))];
  });
  const credited = creditNotes.map((note) =>
    row(text('account.credit_note', { number: note.external_id }), money(-note.amount.gross)),
  );
  const claimed = late.amount - late.waived_amount;
  const open = installments.filter((each) => each.outstanding_amount > 0);
  return html`<dl class="sums dues">${row(text('account.invoiced_on'), day(invoice.invoiced_at))}${row(text('order.net'), money(amount.net))}${row(text('order.tax'), money(amount.tax))}${row(text('order.total'), money(amount.gross))}${fee.gross > 0 && row(text('order.fee'), money(fee.gross))}${claimed > 0 && row(text('account.charges'), money(claimed))}${credited}${paid}
<div class="total"><dt>${text('account.still_to_pay')}</dt><dd><bdi>${money(invoice.outstanding_amount + late.outstanding_amount)}</bdi></dd></div></dl>
${
  open.length > 1 &&
  html`<h3>${text('outcome.pay_next')}</h3>
<dl class="sums dues">${open.map((each) => row(text('account.due_on', { date: day(each.due_at) }), money(each.outstanding_amount)))}</dl>`
}`;
}

/** Its files, and the documents sent about it, each in the language in which it was sent. */
function documents(
  { translator, links }: AccountScene,
  { invoice, files, sentDocuments }: InvoiceOnPage,
): Markup | null {
  if (files.length + sentDocuments.length === 0) return null;
  const at = `${links.folder}invoices/${invoice.external_id}`;
  const items = files.map(
    ({ external_id, name }) =>
      html`<li><a href="${at}/files/${external_id}" download><bdi>${name}</bdi></a></li>
`,
  );
  const sent = sentDocuments.map(
    ({ id, title, locale, sentAt }) =>
      html`<li><a href="${at}/documents/${id}" download><bdi lang="${locale}">${title}</bdi></a> <span class="soft">· <bdi>${translator.day(sentAt)}</bdi></span></li>
`,
  );
  return html`<section class="card still" aria-labelledby="documents"><h2 id="documents">${translator.text('account.documents')}</h2>
<ul class="links">${items}${sent}</ul></section>`;
}
