/**
 * The books at the end of the marketplace's year, derived only from both pages of the story and the books of the half year. Amounts are
 * minor units; a debit is positive.
 *
 * What is posted in the second half, in addition to the rules of `marketplace-books.ts`. A financed invoice: buyer_receivable has the
 * goods, against the fee of the service (fee_income, fee_tax), what the merchant owed (merchant_setoff), and the advance (payout_clearing).
 * From then on, payments for the buyer's goods do not belong to the merchant: money that the platform receives settles buyer_receivable,
 * and money that the merchant receives is its debt (merchant_setoff). Money of merchants goes from merchant_payable to payout_clearing, and
 * both kinds from there to the bank when the bank pays.
 *
 * Which weeks. An order of week w is made on day 7w, w = 26 … 50: 13 even weeks and 12 odd ones. The last day is 363. An advance
 * of an invoice of Tuesday is paid on Thursday.
 */
import { type BookBalance, inCurrency } from './marketplace-books.ts';

const eur = inCurrency('EUR');
const gbp = inCurrency('GBP');
const jpy = inCurrency('JPY');

/*
 * EUR: what the bank receives.
 * - coffee: weeks 19 and 24, and weeks 26 to 49: 26 payments of 120,416. Weeks 31, 33 and 35 come in one sum, week 40 without a
 *   reference, and week 37 is 40 short.
 * - machines of the half year: first instalments of weeks 22 to 24 (3 × 35,714), second ones of 18 to 24 (7 × 33,333), third ones
 *   of 13 to 24 (12 × 33,333).
 * - machines: as in the half year, which has the same days: 22 × 35,714 + 18 × 33,333 + 13 × 33,333. What bounces is paid again.
 * - festivals: first invoices of weeks 23 and 24 (2 × 151,785). Second ones of weeks 22, 23 and 24 go to the merchant.
 * - flowers: weeks 26 to 49 without 28 and 29: 22 payments of 120,416, of which week 33 is 11,900 less. 50,000 for week 28.
 * - 7,700 of a stranger; 6 charges of 1,000 go out.
 *
 * EUR: what the bank pays.
 * - roastery, collected: 4,481,771 of the half year; coffee of weeks 19, 24 and 26 to 48 (25 × 119,000, also of week 37); machines of
 *   the half year without fees: 3 × 33,334 + 19 × 33,333. Advances of machines: 25 × (100,000 - 1,190).
 * - brewery, collected: 3,300,000 of the half year, and 2 × 150,000. It owes 20,940 for fees and, from day 182, 1,047 more: the
 *   advance of week 26 is 58,792 (59,500 less the fee of 708) less 21,987. Then bars pay 59,500 a week to the brewery, and so do
 *   festivals with 1,047 on days 189 and 196. So it owes 60,547 when week 27 is accepted: 58,792 are kept of the advance, all of
 *   it, and 1,755 of the 150,000 of the same Thursday. From week 28 on nothing is left to pay out: 60,547 - 58,792 = 1,755 are
 *   carried over, and 708 more each week.
 * - greenhouse, fee of a service: 0.5 % and 0.01 % for each of 29 days of 119,000 are 940.1, so 940 and 179 tax: an advance of
 *   117,881. Week 26 is accepted a day later, with 28 days: 928.2, so 928 and 176 tax: 117,896. Week 27 (cancelled) and 31
 *   (rejected) are collected: 2 × 119,000. Week 29 comes back after it was paid out: the 119,000 are kept of the advance of week 30
 *   (all 117,881) and of what week 27 paid (1,119). Of week 33 11,900 come back, and are kept of week 35. So 20 full advances:
 *   weeks 28, 29, 32 to 34, and 36 to 50.
 */
const EUR: readonly BookBalance[] = [
  eur(
    'bank',
    'main',
    -520_011,
    '7,910,969 of the half year. In: coffee 26 × 120,416 - 40 = 3,130,776; machines 740,469 + 1,819,031; festivals 303,570; ' +
      'flowers 22 × 120,416 - 11,900 + 50,000 = 2,687,252; 7,700; charges - 6,000. Out: roastery 4,481,771 + 2,975,000 + 733,329 ' +
      '+ 2,470,250 = 10,660,350; brewery 3,300,000 + 300,000 + 36,805 - 1,755 = 3,635,050; greenhouse 20 × 117,881 + 117,896 ' +
      '+ 117,881 - 11,900 + 238,000 - 1,119 = 2,818,378',
  ),
  eur('bank_charges', '', 6_040, '6 × 1,000, and 40 missing of coffee of week 37'),
  eur('suspense', '', -7_700, 'the stranger'),
  eur(
    'buyer_receivable',
    'hotel-3',
    399_998,
    'weeks 40 and 42: 33,333; 44 and 46: 66,666; 48 and 50: 100,000',
  ),
  eur('buyer_receivable', 'hotel-4', 333_331, 'weeks 39, 41 and 43: 33,333; 45 and 47: 66,666; 49: 100,000'),
  eur('buyer_receivable', 'florist-1', 119_000, 'week 50'),
  eur('term_fee_receivable', 'cafe-1', 1_416, 'coffee of week 50'),
  eur('term_fee_receivable', 'hotel-3', 4_760, 'machines of weeks 48 and 50: 2 × 2,380'),
  eur('term_fee_receivable', 'hotel-4', 2_380, 'machines of week 49'),
  eur('term_fee_receivable', 'hall-2', 2_832, 'festivals of week 19: 1,785 and 1,047'),
  eur('term_fee_receivable', 'florist-1', 1_416, 'week 50'),
  eur('unapplied_cash', 'cafe-2', -5_000, 'coffee of week 3 was overpaid'),
  eur('merchant_setoff', 'brewery', 76_831, '1,755 after week 28, 22 × 708, and 59,500 for week 50'),
  eur('payout_clearing', '', -119_000, 'coffee of week 49, which came on the last day: paid out on day 366'),
  eur(
    'fee_income',
    '',
    -61_483,
    'machines 25 × 1,000; beer 25 × 595; flowers 928 + 22 × 940, for all but weeks 26, 27 and 31. A service that is settled by ' +
      'a credit note keeps its fee',
  ),
  eur(
    'term_fee_income',
    '',
    -246_680,
    '138,370 of the half year; 25 × (1,190 coffee + 2,000 machines) + 24 × 1,190: flowers without week 29',
  ),
  eur(
    'fee_tax',
    'S',
    -58_546,
    'terms: 26,283 + 25 × (226 + 380) + 24 × 226 = 46,857; services: machines 25 × 190, beer 25 × 113, flowers 176 + 22 × 179 = 11,689',
  ),
  eur('loss', '', 119_000, 'flowers of week 28, which hall-1 ordered'),
  eur('recovery', '', -48_584, '50,000 less the fee of 1,416'),
];

/*
 * GBP. In: the half year's first part of week 24 (50,000) and rests of weeks 21 to 24 (4 × 71,428); first parts of weeks 26 to 49
 * (24 × 50,000), and rests of weeks 26 to 46 (21 × 71,428). Out: 2,645,716 of the half year, 48,572 + 4 × 71,428 collected, and
 * advances of 25 × (120,000 - 1,200). The fee is 1 %; the bakery owes its tax itself.
 */
const GBP: readonly BookBalance[] = [
  gbp('bank', 'main', -214_312, '2,699,988 + 335,712 + 1,200,000 + 1,499,988 - 2,980,000 - 2,970,000'),
  gbp('buyer_receivable', 'tearoom-3', 191_428, 'the rest of week 48, and week 50'),
  gbp('buyer_receivable', 'tearoom-4', 142_856, 'the rests of weeks 47 and 49'),
  gbp('term_fee_receivable', 'tearoom-3', 1_428, 'week 50'),
  gbp('unapplied_cash', 'tearoom-1', -20_000, 'goods of week 6 came back after they were paid'),
  gbp('fee_income', '', -30_000, '25 × 1,200'),
  gbp('term_fee_income', '', -60_000, '30,000 of the half year, and 25 × 1,200'),
  gbp('fee_tax', 'S', -11_400, '5,700 of the half year, and 25 × 228'),
];

/*
 * JPY. The fee is 1,100 of 110,000, outside the scope of tax: an advance of 108,900. Even weeks pay the platform, odd ones the
 * merchant. The tea house owes 14,399 at first, which is kept of week 26 (94,501). Weeks 27 and 28 are paid out in full, as week 27
 * pays (day 199) after week 28 is accepted. Then of each odd week everything is kept (108,900 of 111,309), and of the next even one
 * the other 2,409: 11 odd weeks from 29 on are paid out with nothing, and 11 even ones from 30 on with 106,491.
 */
const JPY: readonly BookBalance[] = [
  jpy(
    'bank',
    'main',
    90_832,
    '1,447,517 + 13 × 111,309, less 1,320,000 of the half year, 94,501, 2 × 108,900 and 11 × 106,491',
  ),
  jpy('merchant_setoff', 'tea-house', 111_309, 'what week 49 paid to the merchant'),
  jpy('unapplied_cash', 'ryokan-1', -111_809, 'as at the end of the half year'),
  jpy('fee_income', '', -27_500, '25 × 1,100'),
  jpy('term_fee_income', '', -52_800, '25,300 of the half year, and 25 × 1,100'),
  jpy('fee_tax', 'S', -10_032, '4,807 of the half year, and 25 × 209'),
];

export const YEAR_BOOKS = [...EUR, ...GBP, ...JPY];

/**
 * How many invoices end how: 175 of the half year, and 150. CANCELLED: 3, and flowers of week 29. DUE: both
 * festivals of week 19, flowers of week 28, and cakes of week 47, whose rest comes on day 364. OPEN: coffee of week 50, machines of
 * weeks 39 to 50, flowers of week 50, cakes of weeks 48 to 50. CLOSED is the rest.
 */
export const YEAR_INVOICES = { CANCELLED: 4, DUE: 4, OPEN: 1 + 12 + 1 + 3, CLOSED: 300 };

/**
 * CLOSED: of the half year all but festivals of week 19: 149. Then coffee 24, machines 13, beer 25, flowers 22 (all but
 * weeks 28, 29 and 50), cakes 21, tea 25. DISBURSED are those of financed invoices that are not paid: machines 12, flowers 3, cakes
 * 4. CONFIRMED: festivals of week 19, and coffee of week 50.
 */
export const YEAR_ORDERS = { CLOSED: 149 + 130, CONFIRMED: 2, DISBURSED: 19 };

/** 125 services. SETTLED: machines 13, beer 25, flowers 21 (all but weeks 27, 28, 31 and 50), cakes 21, tea 25. */
export const YEAR_SERVICES = { SETTLED: 105, PAID_OUT: 12 + 1 + 4, CANCELLED: 1, REJECTED: 1, DEFAULTED: 1 };
