/** The lines of an order or an invoice: name, quantity and amount. */
import type { Translator } from '#messages';
import { html, type Markup } from './markup.ts';

export interface ItemLine {
  name: string;
  description: string | null;
  quantity: number;
  priceMinor: number;
}

/** The number of lines that fit next to a form; the others are collapsed. */
const LINES_SHOWN = 6;

export function itemLines(
  lines: readonly ItemLine[],
  translator: Translator,
  money: (minor: number | bigint) => string,
): Markup | null {
  if (lines.length === 0) return null;
  const items = lines.map((line) => lineOf(line, translator, money));
  const shown = items.length > LINES_SHOWN + 1 ? LINES_SHOWN : items.length;
  const more = items.slice(shown);
  return html`<ul class="lines">${items.slice(0, shown)}</ul>
${
  more.length > 0 &&
  html`<details class="more"><summary>${translator.text('order.more', { count: more.length })}</summary><ul class="lines">${more}</ul></details>`
}`;
}

function lineOf(
  { name, description, quantity, priceMinor }: ItemLine,
  translator: Translator,
  money: (minor: number | bigint) => string,
): Markup {
  const each = translator.text('order.line', { quantity, price: money(priceMinor) });
  return html`<li><div><p class="name">${name}</p>
${description !== null && html`<p class="soft">${description}</p>`}
${quantity !== 1 && html`<p class="soft"><bdi>${each}</bdi></p>`}</div>
<p class="amount"><bdi>${money(BigInt(quantity) * BigInt(priceMinor))}</bdi></p></li>
`;
}
