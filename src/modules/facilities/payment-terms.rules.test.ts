import { describe, expect, it } from 'vitest';
import { PAYMENT_TERMS } from '#kernel/payment-term';
import { facilityRow } from '#test/facilities';
import type { Standing } from './credit.rules.ts';
import type { FacilityRow } from './facility.queries.ts';
import { DEFAULT_LIMIT_POLICY } from './limit-policy.rules.ts';
import {
  merchantFeeOf,
  noDearer,
  offeredTerms,
  paymentsOf,
  type TermOffer,
  termOf,
} from './payment-terms.rules.ts';

const DAY = 86_400;
/** The start of a day in UTC. */
const NOW = 20_412 * DAY;
const PURCHASE = { grossMinor: 10_000, currency: 'EUR', orderedAt: NOW } as const;

const GRANTED = facilityRow(NOW);
const PENDING: FacilityRow = {
  ...GRANTED,
  status: 'PENDING',
  total_amount: 0,
  available_amount: 0,
  price_class: null,
  expires_at: null,
};

const having = (facility: FacilityRow | null, more: Partial<Standing> = {}): Standing => ({
  timeZone: 'UTC',
  facility,
  limitPolicy: DEFAULT_LIMIT_POLICY,
  overdue: [],
  increaseDecisionId: null,
  ...more,
});
const settings = (max_payment_term = 120, term_fee_payer = 'BUYER') => ({ max_payment_term, term_fee_payer });
const offered = (standing: Standing, daysMax = 120) =>
  offeredTerms(standing, settings(daysMax), PURCHASE, NOW);
const reasonsOf = (standing: Standing) => new Set(offered(standing).unavailable.map(({ reason }) => reason));

describe('what a checkout offers', () => {
  it('is what an order would be placed on, if the facility is granted', () => {
    const standing = having(GRANTED);
    const { offers, unavailable } = offered(standing);
    expect(
      [...offers.map((offer) => offer.payment_term), ...unavailable.map(({ term }) => term)].sort(),
    ).toEqual([...PAYMENT_TERMS].sort());
    for (const { isUpTo, ...offer } of offers) {
      expect(isUpTo).toBe(false);
      expect({ offer }).toEqual(termOf(offer.payment_term, standing, settings(), PURCHASE, NOW));
    }
  });

  it('is every term of the dearest class, at most at its price, while a person decides', () => {
    const { offers, unavailable } = offered(having(PENDING));
    expect(offers.map(({ payment_term, fee, isUpTo }) => [payment_term, fee.gross, isUpTo])).toEqual([
      ['PREPAYMENT', 0, false],
      ['DEFER_3D', 30, true],
      ['DEFER_7D', 60, true],
      ['DEFER_14D', 120, true],
      ['DEFER_21D', 175, true],
      ['DEFER_30D', 250, true],
    ]);
    expect(new Set(unavailable.map(({ reason }) => reason))).toEqual(
      new Set(['PRICE_CLASS', 'TERM_TOO_LONG']),
    );
  });

  it('is never longer than the platform allows', () => {
    expect(offered(having(PENDING), 7).offers.map(({ payment_term }) => payment_term)).toEqual([
      ...['PREPAYMENT', 'DEFER_3D', 'DEFER_7D'],
    ]);
  });

  it.each<[string, Standing, string]>([
    ['without a facility', having(null), 'NO_ACTIVE_FACILITY'],
    ['with a refused one', having({ ...PENDING, status: 'REJECTED' }), 'NO_ACTIVE_FACILITY'],
    ['with one in another currency', having({ ...PENDING, currency: 'GBP' }), 'FACILITY_CURRENCY_CONFLICT'],
    [
      'in arrears',
      having(PENDING, {
        overdue: [{ due_at: NOW - 60 * DAY, currency: 'EUR', outstanding_amount: 500_000 }],
      }),
      'BUYER_OVERDUE',
    ],
  ])('is only prepayment for a buyer %s', (_, standing, reason) => {
    expect(offered(standing).offers.map(({ payment_term }) => payment_term)).toEqual(['PREPAYMENT']);
    expect(reasonsOf(standing)).toEqual(new Set([reason, 'TERM_TOO_LONG']));
  });
});

describe('a fee that the merchant pays', () => {
  const of = (payer: string) => offeredTerms(having(GRANTED), settings(120, payer), PURCHASE, NOW).offers;
  const none = { net: 0, tax: 0, gross: 0 };

  it('is the one that the buyer would pay, who sees none', () => {
    const [byBuyer, byMerchant] = [of('BUYER'), of('MERCHANT')];
    expect(byMerchant.map(merchantFeeOf)).toEqual(byBuyer.map(({ fee }) => fee));
    expect(byBuyer.some(({ fee }) => fee.gross > 0)).toBe(true);
    expect(byMerchant.map(({ fee }) => fee)).toEqual(byMerchant.map(() => none));
    expect(byBuyer.map(merchantFeeOf)).toEqual(byBuyer.map(() => none));
    expect(byMerchant.flatMap(paymentsOf)).toEqual(
      byBuyer.map((offer) => ({ ...offer, fee: none })).flatMap(paymentsOf),
    );
  });

  it.each<[string, string, string]>([
    ['BUYER', 'BUYER', 'BUYER'],
    ['BUYER', 'MERCHANT', 'BUYER'],
    ['MERCHANT', 'BUYER', 'MERCHANT'],
    ['MERCHANT', 'MERCHANT', 'MERCHANT'],
  ])(
    'agreed to be paid by the %s, is lowered by a decision under %s, and paid by the %s',
    (before, after, pays) => {
      const paying = (payer: string, gross: number) => {
        const fee = { net: gross, tax: 0, gross };
        const offer = of(payer).at(-1) as TermOffer;
        return payer === 'MERCHANT'
          ? { ...offer, fee: none, merchant_fee: fee }
          : { ...offer, fee, merchant_fee: none };
      };
      const agreed = paying(before, 250);
      expect(noDearer(agreed, paying(after, 110))).toEqual(paying(pays, 110));
      expect(noDearer(agreed, paying(after, 900))).toEqual(agreed);
    },
  );

  it('is none in what was agreed before there was the setting', () => {
    const { merchant_fee: _, ...stored } = of('BUYER').at(-1) as TermOffer;
    const agreed: TermOffer = stored;
    expect(merchantFeeOf(agreed)).toEqual(none);
    expect(noDearer(agreed, { ...agreed, fee: none })).toEqual({ ...agreed, fee: none, merchant_fee: none });
  });
});
