/**
 * The first half of the marketplace's year as a list of events by day. Every week has six orders, one in each lane: a merchant, a currency,
 * a payment term, and two buyers who alternate by week. Lanes are regular; `EXCEPTIONS` names every irregularity. `marketplace-books.ts`
 * derives the final books from this page.
 */
import {
  type Act,
  creditNote,
  type Lane,
  noonOf,
  ordered,
  pay,
  paymentsOf,
  post,
  recorded,
  type StoryPayment,
  toMerchant,
  toPlatform,
} from './marketplace-days.ts';

export const WEEKS = 25;
/** The half year ends at the midnight that begins this day: 2026-07-06. */
export const HALF_YEAR_ENDS_ON = 182;

/** Payments are the goods and the fee of the term: 1 % for 30 days, 2 % for SPLIT_3M, nothing for 14 days, plus 19 % tax. */
export const LANES: readonly Lane[] = [
  {
    // Fee 11.90 and 2.26 tax (19 % is 2.261).
    ...{ name: 'coffee', merchant: 'roastery', currency: 'EUR', term: 'DEFER_30D' },
    ...{ buyers: ['cafe-1', 'cafe-2'], net: 100_000, tax: 19_000 },
    invoices: [{ day: 1, net: 100_000, tax: 19_000, payments: [toPlatform(120_416, { day: 20 })] }],
  },
  {
    // No fee. Always paid early.
    ...{ name: 'beer', merchant: 'brewery', currency: 'EUR', term: 'DEFER_14D' },
    ...{ buyers: ['bar-1', 'bar-2'], net: 50_000, tax: 9_500 },
    invoices: [{ day: 1, net: 50_000, tax: 9_500, payments: [toMerchant(59_500, { day: 4 })] }],
  },
  {
    // Three instalments: 333.34, 333.33 and 333.33. Fee 20.00 and 3.80 tax, with the first.
    ...{ name: 'machines', merchant: 'roastery', currency: 'EUR', term: 'SPLIT_3M' },
    ...{ buyers: ['hotel-1', 'hotel-2'], net: 84_034, tax: 15_966 },
    invoices: [
      {
        ...{ day: 1, net: 84_034, tax: 15_966 },
        payments: [
          toPlatform(35_714, { month: 1 }),
          toPlatform(33_333, { month: 2 }),
          toPlatform(33_333, { month: 3 }),
        ],
      },
    ],
  },
  {
    // Fee 12.00 and 2.28 tax. A part in time, and the rest five days late.
    ...{ name: 'cakes', merchant: 'bakery', currency: 'GBP', term: 'DEFER_30D' },
    ...{ buyers: ['tearoom-1', 'tearoom-2'], net: 100_000, tax: 20_000 },
    invoices: [
      {
        ...{ day: 1, net: 100_000, tax: 20_000 },
        payments: [toPlatform(50_000, { day: 20 }), toPlatform(71_428, { day: 35 })],
      },
    ],
  },
  {
    // Fee 1,100 and 209 tax. ryokan-1 pays the platform, ryokan-2 the merchant.
    ...{ name: 'tea', merchant: 'tea-house', currency: 'JPY', term: 'DEFER_30D' },
    ...{ buyers: ['ryokan-1', 'ryokan-2'], net: 100_000, tax: 10_000 },
    invoices: [{ day: 1, net: 100_000, tax: 10_000, payments: [toPlatform(111_309, { day: 10 })] }],
  },
  {
    // Two deliveries with an invoice each. Fee 23.80 and 4.52 tax (19 % is 4.522): 15.00 and 2.85 fall to the first invoice
    // (150,000 of 238,000), 8.80 and 1.67 to the second.
    ...{ name: 'festivals', merchant: 'brewery', currency: 'EUR', term: 'DEFER_30D' },
    ...{ buyers: ['hall-1', 'hall-2'], net: 200_000, tax: 38_000 },
    invoices: [
      { day: 1, net: 126_050, tax: 23_950, payments: [toPlatform(151_785, { day: 21 })] },
      { day: 8, net: 73_950, tax: 14_050, payments: [toMerchant(89_047, { day: 28 })] },
    ],
  },
];

/** January is closed at noon on 2 February: from then on, nothing can be effective before this day. */
export const JANUARY = { closedOnDay: 28, until: '2026-01-31', openFromDay: 27 };

/** The limit of every buyer's facility, in minor units. That of cafe-1 covers two orders, so it is often exhausted. */
export const LIMITS: Record<Lane['currency'], number> = { EUR: 1_000_000, GBP: 1_000_000, JPY: 1_000_000 };
export const LIMIT_OF_CAFE_1 = 238_000;

/** Deviations from the plan: other amounts, payments that are never made, and additional acts. */
export const EXCEPTIONS = {
  /** By payment: another amount, or null for one that is never made. */
  amounts: {
    // 50.00 EUR and 500 JPY too much.
    'coffee-3-p1': 125_416,
    'tea-2-p1': 111_809,
    // After a credit note of 119.00.
    'coffee-13-p1': 108_516,
    // After a credit note of 100.00 took off the last instalment.
    'machines-5-p3': 23_333,
    // Never paid.
    'coffee-19-p1': null,
    'festivals-19-p1': null,
    'festivals-19-b-p1': null,
    // Credited before it was paid.
    'festivals-8-b-p1': null,
  } as Record<string, number | null>,
  /** By payment: the day of the story on which the money arrived, if it is recorded later. */
  paidOnDay: {
    // 30 January, recorded on 8 February, when January is closed.
    'coffee-2-p1': 25,
  } as Record<string, number>,
  acts: [
    // A price correction before any payment.
    creditNote(99, 'coffee-13', 'PRICE', 10_000, 1_900),
    // A bounced payment on a facility that the orders of weeks 6 and 8 have exhausted again. It is paid again nine days later.
    post(
      57,
      '/v1/invoices/coffee-4/payments/coffee-4-p1/reverse',
      { reason: 'The bank returned it' },
      { status: 200 },
    ),
    post(
      57,
      '/v1/orders',
      {
        ...{ external_id: 'too-much', buyer_external_id: 'cafe-1', merchant_external_id: 'roastery' },
        ...{ amount: { net: 1, gross: 1 }, payment_method: 'TRANSFER', payment_term: 'DEFER_30D' },
      },
      { status: 422, reason: 'FACILITY_EXCEEDED_AVAILABLE_AMOUNT' },
    ),
    pay(66, 'coffee-4', 'coffee-4-p2', { amount: 120_416, received_by: 'PLATFORM' }),
    // Goodwill on an invoice in instalments, after the first of them.
    creditNote(74, 'machines-5', 'GOODWILL', 8_403, 1_597),
    // Goods are returned after they were paid to the platform, and to the merchant.
    creditNote(80, 'cakes-6', 'RETURN', 16_667, 3_333),
    creditNote(60, 'beer-7', 'DAMAGED', 5_000, 950),
    // The second delivery never arrived; the order ends without it.
    creditNote(66, 'festivals-8-b', 'DUPLICATE', 73_950, 14_050),
    post(67, '/v1/orders/festivals-8/close', {}, { status: 200 }),
    // All goods are returned after they were paid to the platform, and to the merchant.
    creditNote(85, 'tea-10', 'RETURN', 100_000, 10_000),
    creditNote(90, 'tea-11', 'RETURN', 100_000, 10_000),
  ],
};

/** The payments of the half year, including those made after it. */
export const FIRST_PAYMENTS: readonly StoryPayment[] = LANES.flatMap((lane) =>
  Array.from({ length: WEEKS }, (_, week) =>
    paymentsOf(lane, week).map((payment) => received(payment, week)),
  ),
)
  .flat()
  .flatMap((payment) => {
    const { [payment.id]: minor = payment.minor } = EXCEPTIONS.amounts;
    return minor === null ? [] : [{ ...payment, minor }];
  });

/** ryokan-1 pays the platform, ryokan-2 the merchant. */
function received(payment: StoryPayment, week: number): StoryPayment {
  const isToMerchant = payment.id.startsWith('tea-') && week % 2 === 1;
  return isToMerchant ? { ...payment, receivedBy: 'MERCHANT' } : payment;
}

/** Everything that happens in the half year. */
export function firstActs(): Act[] {
  const regular = LANES.flatMap((lane) => Array.from({ length: WEEKS }, (_, week) => ordered(lane, week)));
  const payments = FIRST_PAYMENTS.filter(({ day }) => day < HALF_YEAR_ENDS_ON).map((payment) => {
    const paidOnDay = EXCEPTIONS.paidOnDay[payment.id];
    return recorded(payment, paidOnDay === undefined ? undefined : noonOf(paidOnDay));
  });
  return [...regular.flat(), ...payments, ...EXCEPTIONS.acts];
}
