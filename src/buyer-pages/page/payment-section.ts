/** How to pay an invoice: the details of the transfer to copy, and a code that fills them in. */
import { groupedIban } from '#kernel/iban';
import type { InvoiceOnPage } from '#modules/buyer-page';
import { epcQrOf, transferAmountOf } from '#modules/invoices';
import { html, type Markup } from '#pages/markup';
import type { AccountScene } from '../browser-visit.ts';
import { qrCode } from './qr-code.ts';

/** Null if nothing is owed. */
export function paymentSection(
  { translator, around }: AccountScene,
  { details, invoice, now }: InvoiceOnPage,
): Markup | null {
  const amountMinor = transferAmountOf(details, invoice.late_charges.outstanding_amount, now);
  if (amountMinor === 0) return null;
  const { beneficiary, currency, payment_reference: reference, payment_method: method } = details;
  const title = html`<h2 id="pay">${translator.text('account.pay')}</h2>`;
  const section = (content: Markup) =>
    html`<section class="card still" aria-labelledby="pay">${title}
${content}</section>`;
  if (method === 'DEBIT') return section(html`<p>${translator.text('account.debit')}</p>`);
  if (beneficiary === null)
    return section(
      html`<p>${translator.text('transfer.no_account', { platform: around.platform.name })}</p>`,
    );
  const label = translator.text('account.qr');
  const payload = epcQrOf({ beneficiary, amountMinor, currency, reference });
  const facts: [string, string][] = [
    [translator.text('transfer.holder'), beneficiary.name],
    ['IBAN', groupedIban(beneficiary.iban)],
    ...(beneficiary.bic === null ? [] : [['BIC', beneficiary.bic] as [string, string]]),
    [translator.text('transfer.reference'), reference],
  ];
  return section(html`<dl class="sums dues transfer"><div class="total"><dt>${translator.text('order.to_pay')}</dt><dd><bdi>${translator.money(amountMinor, currency)}</bdi></dd></div>
${facts.map(
  ([name, value]) => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>
`,
)}</dl>
${payload !== null && html`<div class="scan">${qrCode(payload, label)}<p class="soft">${label}</p></div>`}`);
}
