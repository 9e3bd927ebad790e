import { describe, expect, it } from 'vitest';
import { PAYMENT_TERMS } from '#kernel/payment-term';
import { translatorOf } from '#messages';
import type { CheckoutView } from '#modules/checkout';
import { paymentsOf } from '#modules/facilities';
import { offerOf, VIEWS } from '#test/checkout-views';
import { renderStep } from '../render-step.ts';

const GROSS_MINOR = VIEWS.payment.order.grossMinor;
const FEE_MINOR = 5_406;
const links = { root: '../', folder: '' };

const textOf = (view: CheckoutView) =>
  renderStep({ view, links }, view.step)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
const english = translatorOf('EN', 'NEUTRAL');
const money = (minor: number) => english.money(minor, 'EUR');

describe.each(PAYMENT_TERMS.slice(1))('%s with a fee', (term) => {
  const offer = offerOf(term, FEE_MINOR);
  const payments = paymentsOf(offer);
  const total = money(GROSS_MINOR + FEE_MINOR);
  const due = `The fee is included in the payment due on ${english.day(payments[0]?.dueAt ?? 0)}.`;

  it('has payments that sum to the amount and the fee, which the first one includes', () => {
    expect(payments.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(GROSS_MINOR + FEE_MINOR);
    const [first, ...more] = payments;
    expect(first?.amountMinor).toBe((offer.installments[0]?.amount.value ?? 0) + FEE_MINOR);
    expect(more.map(({ amountMinor }) => amountMinor)).toEqual(
      offer.installments.slice(1).map(({ amount }) => amount.value),
    );
  });

  it('shows the total to pay and when the fee is due: as an option, in the review and on the outcome', () => {
    const states = [
      { ...VIEWS.payment, offers: [offer] },
      { ...VIEWS.review, offers: [offer], choice: term },
      { ...VIEWS.confirmed, agreed: offer },
    ];
    for (const view of states) {
      expect(textOf(view)).toContain(total);
      expect(textOf(view)).toContain(due);
      for (const { amountMinor } of payments) expect(textOf(view)).toContain(money(amountMinor));
    }
  });

  it('adds the fee to the summary of the order once it is chosen', () => {
    const summary = `Pay later fee ${money(FEE_MINOR)} Total to pay ${total}`;
    expect(textOf({ ...VIEWS.review, offers: [offer], choice: term })).toContain(summary);
    expect(textOf({ ...VIEWS.payment, offers: [offer] })).not.toContain(summary);
  });

  it('is at most what is shown while the decision is under review', () => {
    const view = { ...VIEWS['payment-under-review'], offers: [{ ...offer, isUpTo: true }] };
    expect(textOf(view)).toContain(`Up to ${total}`);
  });
});

it('prepayment has no fee, and its total is the amount of the order', () => {
  const text = textOf({ ...VIEWS.review, choice: 'PREPAYMENT' });
  expect(text).toContain(`Total to pay ${money(GROSS_MINOR)}`);
  expect(text).not.toContain('Pay later fee');
});
