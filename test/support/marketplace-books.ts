/**
 * The books at the end of the first half of the marketplace's year, derived from the story's page alone. Amounts are minor units; a debit
 * is positive.
 *
 * What is posted. A new invoice charges its part of the term fee: term_fee_receivable, against term_fee_income and fee_tax. A payment
 * covers the fee first. Money that the platform receives is debited to the bank: the fee settles term_fee_receivable, goods belong to the
 * merchant (merchant_payable, because no invoice is financed), and the excess belongs to the buyer (unapplied_cash). Of money that the
 * merchant receives, only the fee is posted, which the merchant owes (merchant_setoff). A credit note for paid goods returns the money to
 * the buyer, if the platform had it: merchant_payable against unapplied_cash. An invoice that is credited in full claims no fee either.
 *
 * Which weeks. An order of week w is made on day 7w, w = 0 … 24, and the last day is 181.
 */
export interface BookBalance {
  currency: 'EUR' | 'GBP' | 'JPY';
  account: string;
  party: string;
  amount: number;
  /** The derivation of the amount. */
  because: string;
}

export const inCurrency =
  (currency: BookBalance['currency']) =>
  (account: string, party: string, amount: number, because: string): BookBalance => ({
    ...{ currency, account, party, amount, because },
  });
const eur = inCurrency('EUR');
const gbp = inCurrency('GBP');
const jpy = inCurrency('JPY');

/*
 * EUR. Payments that come:
 * - coffee: day 20 after the order, so of weeks 0 to 23; week 19 never pays: 23 payments. Week 4 pays, the bank returns it, and
 *   it pays again: once in the end. Week 3 pays 5,000 more, and week 13 pays 11,900 less because they were credited.
 * - beer: all 25 go to the merchant, and there is no fee: nothing is posted. The same is true of its credit note.
 * - machines: instalments fall 1, 2 and 3 months after the order, and the last day is 5 July. First ones of orders until 5 June
 *   (weeks 0 to 21: 22 payments), second ones until 5 May (weeks 0 to 17: 18), third ones until 5 April (weeks 0 to 12: 13).
 *   The third of week 5 is 10,000 less because they were credited.
 * - festivals, first invoice: day 21, so weeks 0 to 22 without 19: 22 payments. Second invoice: day 28, so weeks 0 to 21 without
 *   8 (credited) and 19: 20 payments, to the merchant.
 */
const EUR = [
  eur(
    'bank',
    'main',
    7_910_969,
    'coffee 23 × 120,416 + 5,000 - 11,900 = 2,762,668; machines 22 × 35,714 + 18 × 33,333 + 13 × 33,333 - 10,000 = 1,809,031; ' +
      'festivals 22 × 151,785 = 3,339,270',
  ),
  eur('term_fee_receivable', 'cafe-1', 1_416, 'coffee of week 24, not due yet'),
  eur('term_fee_receivable', 'cafe-2', 1_416, 'coffee of week 19, missing'),
  eur('term_fee_receivable', 'hotel-1', 4_760, 'machines of weeks 22 and 24: 2 × 2,380'),
  eur('term_fee_receivable', 'hotel-2', 2_380, 'machines of week 23'),
  eur(
    'term_fee_receivable',
    'hall-1',
    3_879,
    'first invoice of week 24: 1,785; second ones of 22 and 24: 2 × 1,047',
  ),
  eur(
    'term_fee_receivable',
    'hall-2',
    5_664,
    'first invoices of weeks 19 and 23: 2 × 1,785; second ones of the same weeks: 2 × 1,047',
  ),
  eur('merchant_setoff', 'brewery', 20_940, 'fees in what the merchant received: 20 × 1,047'),
  eur('unapplied_cash', 'cafe-2', -5_000, 'coffee of week 3 was overpaid'),
  eur(
    'merchant_payable',
    'roastery',
    -4_481_771,
    'coffee 23 × 119,000 - 11,900 = 2,725,100; machines 22 × 33,334 + 18 × 33,333 + 13 × 33,333 - 10,000 = 1,756,671',
  ),
  eur('merchant_payable', 'brewery', -3_300_000, 'goods of the first festival invoices: 22 × 150,000'),
  eur(
    'term_fee_income',
    '',
    -138_370,
    '25 orders in each lane: 25 × (1,190 + 2,000 + 2,380) = 139,250, without 880 of the credited invoice of week 8',
  ),
  eur('fee_tax', 'S', -26_283, '25 × (226 + 380 + 452) = 26,450, without 167 of the same invoice'),
];

/*
 * GBP. The first part comes on day 20 (weeks 0 to 23: 24 payments of 50,000, of which 1,428 are the fee and 48,572 goods), the
 * rest on day 35 (weeks 0 to 20: 21 payments of 71,428).
 */
const GBP = [
  gbp('bank', 'main', 2_699_988, '24 × 50,000 + 21 × 71,428'),
  gbp('term_fee_receivable', 'tearoom-1', 1_428, 'week 24'),
  gbp('unapplied_cash', 'tearoom-1', -20_000, 'goods of week 6 came back after they were paid'),
  gbp(
    'merchant_payable',
    'bakery',
    -2_645_716,
    '24 × 48,572 + 21 × 71,428 = 2,665,716, without the 20,000 that came back',
  ),
  gbp('term_fee_income', '', -30_000, '25 × 1,200'),
  gbp('fee_tax', 'S', -5_700, '25 × 228'),
];

/*
 * JPY. All 25 pay on day 10: 13 in even weeks to the platform, 12 in odd weeks to the merchant. Weeks 10 and 11 are credited in
 * full after that, so the fee is owed for 23 orders.
 */
const JPY = [
  jpy('bank', 'main', 1_447_517, '13 × 111,309, and 500 too much in week 2'),
  jpy(
    'merchant_setoff',
    'tea-house',
    14_399,
    'fees in what the merchant received: 11 × 1,309; that of week 11 is not owed',
  ),
  jpy('unapplied_cash', 'ryokan-1', -111_809, 'week 10 came back: 111,309 with the fee; 500 of week 2'),
  jpy('merchant_payable', 'tea-house', -1_320_000, '12 × 110,000: even weeks without 10'),
  jpy('term_fee_income', '', -25_300, '23 × 1,100'),
  jpy('fee_tax', 'S', -4_807, '23 × 209'),
];

export const HALF_YEAR_BOOKS: readonly BookBalance[] = [...EUR, ...GBP, ...JPY];

/**
 * The bank when January is closed. Days 0 to 26: coffee and the first festivals of week 0, cakes of week 0 in part, and tea of
 * week 0 and, with 500 too much, of week 2. The payment of coffee-2 came on day 25 and is recorded on day 34: January does not
 * have it.
 */
export const BANK_OF_JANUARY = { EUR: 120_416 + 151_785, GBP: 50_000, JPY: 111_309 + 111_809 };

/**
 * How many invoices end how: 150 orders, and a second invoice for each of the 25 festivals. CANCELLED: the credited
 * ones of weeks 8, 10 and 11. DUE: coffee of week 19, both festivals of week 19, and cakes of week 21, which pay on day 182. OPEN:
 * coffee of week 24; machines of weeks 13 to 24; cakes of weeks 22 to 24; first festivals of weeks 23 and 24, second ones of 22 to
 * 24. CLOSED is the rest.
 */
export const HALF_YEAR_INVOICES = {
  CANCELLED: 3,
  DUE: 4,
  OPEN: 1 + 12 + 3 + 2 + 3,
  CLOSED: 147,
};

/**
 * CLOSED orders have all their invoices paid: coffee 23, beer 25, machines 13, cakes 21, tea 25 (those of weeks 10 and 11 were
 * paid before they were credited), festivals of weeks 0 to 21 without 19, where week 8 was closed short: 21.
 */
export const HALF_YEAR_ORDERS = { CLOSED: 128, CONFIRMED: 22 };
