/** Late charges, line by line: the amount, the days, the rate and the law. */
import type { Translator } from '#messages';
import type { LateCharge } from '#modules/invoices';
import { html, type Markup } from '#pages/markup';
import { daysText, rateText, spanText } from './figures.ts';

export function lateChargesOf(charges: readonly LateCharge[], translator: Translator): Markup | null {
  if (charges.length === 0) return null;
  return html`<section class="card still" aria-labelledby="charges"><h2 id="charges">${translator.text('account.charges')}</h2>
<dl class="sums dues">${charges.map((charge) => chargeOf(charge, translator))}</dl></section>`;
}

function chargeOf(charge: LateCharge, translator: Translator): Markup {
  const { kind, currency, amount, waived_amount: waived, computation } = charge;
  const money = (minor: number) => translator.money(minor, currency);
  const lines = computation.lines.map((line) => {
    const span = spanText(line.from, line.to, translator);
    const parts = [
      daysText(line.days, translator),
      money(line.amount),
      rateText(line.rate_basis_points, translator),
    ];
    return html`<div class="line"><dt class="soft">${span}<br><bdi>${parts.join(' · ')}</bdi></dt><dd class="soft"><bdi>${money(line.interest)}</bdi></dd></div>
`;
  });
  return html`<div><dt><strong>${translator.text(`account.${kind}`)}</strong><br><span class="soft">${computation.source}</span></dt><dd><bdi>${money(amount)}</bdi></dd></div>
${lines}${
  waived > 0 &&
  html`<div class="line"><dt>${translator.text('account.waived')}</dt><dd><bdi>${money(-waived)}</bdi></dd></div>
`
}`;
}
