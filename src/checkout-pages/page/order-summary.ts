/** The order next to every page: seller, lines and amounts. */
import type { Translator } from '#messages';
import type { OrderView } from '#modules/checkout';
import { itemLines } from '#pages/item-lines';
import { html, type Markup } from '#pages/markup';
import { amountText, type ShownOffer, totalText } from './payment-term.ts';

/**
 * On a phone, the summary is collapsed below a line with the total. That line is an empty `<details>`, and the style sheet
 * shows what follows it: one markup serves both widths without script.
 */
export function orderSummary(order: OrderView, agreed: ShownOffer | null, translator: Translator): Markup {
  const money = (minor: number | bigint) => translator.money(minor, order.currency);
  const toPay = agreed && agreed.offer.fee.gross > 0 ? totalText(agreed, translator) : null;
  const title = translator.text('order.title');
  return html`<aside class="order" aria-label="${title}">
<details><summary><span class="closed">${translator.text('order.show')}</span><span class="opened">${translator.text('order.hide')}</span><strong><bdi>${toPay ?? money(order.grossMinor)}</bdi></strong></summary></details>
<div class="paper">
<h2>${title}</h2>
<p class="soft">${translator.text('order.seller', { merchant: order.merchantName })}<br>${translator.text('order.number', { number: order.externalId })}</p>
${itemLines(order.lines, translator, money)}
<dl class="sums">
${otherAmounts(order, translator, money)}
<div><dt>${translator.text('order.net')}</dt><dd><bdi>${money(order.netMinor)}</bdi></dd></div>
<div><dt>${translator.text('order.tax')}</dt><dd><bdi>${money(order.taxMinor)}</bdi></dd></div>
<div${toPay === null && html` class="total"`}><dt>${translator.text('order.total')}</dt><dd><bdi>${money(order.grossMinor)}</bdi></dd></div>
${toPay !== null && feeRows(agreed as ShownOffer, toPay, translator)}
</dl>
${order.comment !== null && html`<p class="note"><strong>${translator.text('order.comment')}</strong> ${order.comment}</p>`}
</div>
</aside>`;
}

/** The fee, and the total with it. */
function feeRows(shown: ShownOffer, toPay: string, translator: Translator): Markup {
  const { offer } = shown;
  return html`<div><dt>${translator.text('order.fee')}</dt><dd><bdi>${amountText(shown, offer.fee.gross, translator)}</bdi></dd></div>
<div class="total"><dt>${translator.text('order.to_pay')}</dt><dd><bdi>${toPay}</bdi></dd></div>`;
}

/**
 * The difference to the net amount if the lines do not sum to it. Line prices may include tax or not. A difference above the
 * lines themselves is not shipping: the lines are incomplete.
 */
function otherAmounts(
  { lines, netMinor }: OrderView,
  translator: Translator,
  money: (minor: number | bigint) => string,
): Markup | null {
  if (lines.length === 0) return null;
  const sum = lines.reduce((total, line) => total + BigInt(line.quantity) * BigInt(line.priceMinor), 0n);
  if (sum >= netMinor) return null;
  const isListed = BigInt(netMinor) - sum <= sum;
  return html`<div><dt>${translator.text(isListed ? 'order.other' : 'order.unlisted')}</dt><dd><bdi>${money(BigInt(netMinor) - sum)}</bdi></dd></div>`;
}
