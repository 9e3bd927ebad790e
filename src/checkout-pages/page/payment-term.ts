/** The offer of a payment term on a page: its fee, its payments and their sum. */
import type { Currency } from '#kernel/currency';
import type { Instalment } from '#kernel/payment-term';
import type { Translator } from '#messages';
import { paymentsOf, type TermOffer } from '#modules/facilities';
import { html, type Markup } from '#pages/markup';

/** An offer as it is shown. */
export interface ShownOffer {
  offer: TermOffer;
  /** The decision is under review, and the fee is an upper limit. */
  isUpTo: boolean;
  currency: Currency;
}

export function feeText({ offer: { fee }, isUpTo, currency }: ShownOffer, translator: Translator): Markup {
  if (fee.gross === 0) return html`${translator.text('payment.no_fee')}`;
  const amount = translator.money(fee.gross, currency);
  const text = translator.text(isUpTo ? 'payment.fee_up_to' : 'payment.fee', { amount });
  if (fee.tax === 0) return html`${text}`;
  return html`${text} ${translator.text('payment.fee_tax', { tax: translator.money(fee.tax, currency) })}`;
}

/** The sum of all payments. */
export function totalText(shown: ShownOffer, translator: Translator): string {
  const totalMinor = paymentsOf(shown.offer).reduce((total, { amountMinor }) => total + amountMinor, 0);
  return amountText(shown, totalMinor, translator);
}

/** An amount that includes the fee. */
export function amountText(
  { offer, isUpTo, currency }: ShownOffer,
  amountMinor: number,
  translator: Translator,
): string {
  const amount = translator.money(amountMinor, currency);
  return isUpTo && offer.fee.gross > 0 ? translator.text('payment.up_to', { amount }) : amount;
}

/** When the fee is due; null if there is none. */
export function feeDue({ offer }: ShownOffer, translator: Translator): string | null {
  const [first] = paymentsOf(offer);
  if (offer.fee.gross === 0 || !first) return null;
  return translator.text('payment.fee_due', { date: translator.day(first.dueAt) });
}

export function instalmentList(shown: ShownOffer, translator: Translator): Markup {
  const items = paymentsOf(shown.offer).map(
    ({ dueAt, amountMinor }, index) =>
      html`<li>${translator.text('payment.instalment', {
        number: index + 1,
        amount: firstText(shown, index, amountMinor, translator),
        date: translator.day(dueAt),
      })}</li>
`,
  );
  return html`<p class="name">${translator.text('payment.instalments')}</p>
<ul class="dues">${items}</ul>`;
}

/** The term, its fee, the amount of each due date, and their sum. */
export function dueTable(shown: ShownOffer, translator: Translator): Markup {
  const { offer } = shown;
  const isPrepaid = offer.payment_term === 'PREPAYMENT';
  const due = feeDue(shown, translator);
  return html`<p class="name">${translator.paymentTerm(offer.payment_term)}</p>
<p class="soft">${translator.text('payment.method')} · ${feeText(shown, translator)}</p>
${isPrepaid && html`<p class="soft">${translator.text('payment.PREPAYMENT_hint')}</p>`}
${due !== null && html`<p class="soft">${due}</p>`}
<dl class="sums dues">${!isPrepaid && paymentsOf(offer).map((payment, index) => dueRow(shown, payment, index, translator))}
<div class="total"><dt>${translator.text('order.to_pay')}</dt><dd><bdi>${totalText(shown, translator)}</bdi></dd></div></dl>`;
}

function dueRow(
  shown: ShownOffer,
  { dueAt, amountMinor }: Instalment,
  index: number,
  translator: Translator,
): Markup {
  return html`<div><dt>${translator.day(dueAt)}</dt>
<dd><bdi>${firstText(shown, index, amountMinor, translator)}</bdi></dd></div>
`;
}

/** Only the first payment includes the fee. */
function firstText(shown: ShownOffer, index: number, amountMinor: number, translator: Translator): string {
  return index === 0
    ? amountText(shown, amountMinor, translator)
    : translator.money(amountMinor, shown.currency);
}
