import { describe, expect, it } from 'vitest';
import type { PaymentTerm } from '#kernel/payment-term';
import { offerOf } from '#test/checkout-views';
import { arranged, preselectedOf } from './offer-choice.ts';

const offersOf = (fees: Partial<Record<PaymentTerm, number>>) =>
  Object.entries(fees).map(([term, fee]) => offerOf(term as PaymentTerm, fee));
const termsOf = (offers: { payment_term: string }[]) => offers.map(({ payment_term }) => payment_term);

const OFFERS = offersOf({
  PREPAYMENT: 0,
  DEFER_7D: 0,
  DEFER_14D: 0,
  DEFER_21D: 900,
  DEFER_30D: 1_700,
  SPLIT_3M: 4_000,
});

describe('the preselected offer', () => {
  it('is the longest one without a fee', () => {
    expect(preselectedOf(OFFERS)?.payment_term).toBe('DEFER_14D');
    expect(preselectedOf(offersOf({ PREPAYMENT: 0, DEFER_30D: 10 }))?.payment_term).toBe('PREPAYMENT');
  });
});

describe('the payment page', () => {
  it('shows three offers in their order, with the preselected one, and folds the others', () => {
    const { shown, folded } = arranged(OFFERS, 'DEFER_14D');
    expect(termsOf(shown)).toEqual(['PREPAYMENT', 'DEFER_14D', 'DEFER_30D']);
    expect(termsOf(folded)).toEqual(['DEFER_7D', 'DEFER_21D', 'SPLIT_3M']);
  });

  it.each(termsOf(OFFERS))('shows %s once it is chosen', (term) => {
    const { shown, folded } = arranged(OFFERS, term);
    expect(termsOf(shown)).toContain(term);
    expect(shown).toHaveLength(3);
    expect([...termsOf(shown), ...termsOf(folded)].sort()).toEqual(termsOf(OFFERS).sort());
  });

  it('folds nothing where three or fewer are offered', () => {
    expect(arranged(OFFERS.slice(0, 3), null).folded).toEqual([]);
    expect(arranged([], null)).toEqual({ shown: [], folded: [] });
  });
});
