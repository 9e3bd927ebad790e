/**
 * The second half of the marketplace's year: merchants are paid out, invoices are financed, and euros move as the bank reports. Again six
 * orders per week, in the lanes of this page. `SPECIAL_ACTS` and `BANK` name every irregularity, and `marketplace-year-books.ts` derives
 * the books at the end.
 */
import { FILES } from './files.ts';
import {
  type Act,
  creditNote,
  invoiceIdOf,
  type Lane,
  noonOf,
  ordered,
  paymentsOf,
  post,
  recorded,
  type StoryPayment,
  toPlatform,
} from './marketplace-days.ts';
import { LANES as FIRST_LANES, FIRST_PAYMENTS, HALF_YEAR_ENDS_ON } from './marketplace-story.ts';

const FIRST_WEEK = 26;
const LAST_WEEK = 50;
/** The year ends at the midnight that begins this day: 2027-01-04. */
export const YEAR_ENDS_ON = 364;

const coffee = FIRST_LANES.find(({ name }) => name === 'coffee') as Lane;
const beer = FIRST_LANES.find(({ name }) => name === 'beer') as Lane;
const machines = FIRST_LANES.find(({ name }) => name === 'machines') as Lane;
const cakes = FIRST_LANES.find(({ name }) => name === 'cakes') as Lane;
const tea = FIRST_LANES.find(({ name }) => name === 'tea') as Lane;

/** Coffee is as before. Everything else is financed. */
export const LANES: readonly Lane[] = [
  coffee,
  beer,
  { ...machines, buyers: ['hotel-3', 'hotel-4'] },
  {
    // Fee 11.90 and 2.26 tax, as coffee.
    ...{ name: 'flowers', merchant: 'greenhouse', currency: 'EUR', term: 'DEFER_30D' },
    ...{ buyers: ['florist-1', 'florist-2'], net: 100_000, tax: 19_000 },
    invoices: [{ day: 1, net: 100_000, tax: 19_000, payments: [toPlatform(120_416, { day: 20 })] }],
  },
  { ...cakes, buyers: ['tearoom-3', 'tearoom-4'] },
  { ...tea, buyers: ['ryokan-3', 'ryokan-4'] },
];

/** The price of services: 1 % regardless of days; for the greenhouse 0.5 %, and 0.01 % per day. Taxes depend on the merchant's country. */
const band = (base_ppm: number, daily_ppm: number) => {
  const price = { base_ppm, daily_ppm };
  return { A1: price, A2: price, B1: price, B2: price, C1: price, C2: price, D1: price, D2: price };
};
const tax = { has_vat_id: null, basis_points: 0, from: '2021-01-01', until: null };
export const SERVICE_FEES = {
  prices: [
    { service_type: 'FINANCING', merchant_external_id: null, risk_bands: band(10_000, 0) },
    { service_type: 'FINANCING', merchant_external_id: 'greenhouse', risk_bands: band(5_000, 100) },
  ],
  taxes: [
    { ...tax, country: 'DE', category: 'S', basis_points: 1_900 },
    { ...tax, country: 'AT', has_vat_id: true, category: 'AE' },
    { ...tax, country: 'JP', category: 'O' },
  ],
} as const;

const sepa = (iban: string) => ({ type: 'SEPA', beneficiary_name: 'The merchant', iban, bic: 'COBADEFFXXX' });
/** The accounts of merchants, and the day on which they are verified. */
export const ACCOUNTS: readonly { day: number; merchant: string; account: object }[] = [
  { day: 182, merchant: 'roastery', account: sepa('DE02120300000000202051') },
  { day: 182, merchant: 'brewery', account: sepa('DE02500105170137075030') },
  {
    ...{ day: 182, merchant: 'bakery' },
    account: {
      ...{ type: 'FPS', beneficiary_name: 'The bakery' },
      ...{ sort_code: '200000', account_number: '55779911' },
    },
  },
  {
    ...{ day: 182, merchant: 'tea-house' },
    account: {
      ...{ type: 'SWIFT', beneficiary_name: 'The tea house', bic: 'BOTKJPJTXXX', account_number: '1234567' },
      ...{ bank_name: 'A bank', bank_address: 'Chiyoda, Tokyo' },
    },
  },
  // One day after its first request for financing.
  { day: 184, merchant: 'greenhouse', account: sepa('DE02100500000054540402') },
];

const financing = (
  day: number,
  invoice: string,
  answer: object = { status: 'ACCEPTED', requirements: [] },
): Act[] => [
  {
    ...post(day, `/v1/invoices/${invoice}/files?file_external_id=file&kind=INVOICE&name=invoice.pdf`, {}),
    body: FILES['application/pdf'],
  },
  post(day, `/v1/invoices/${invoice}/services/FINANCING`, { terms_accepted_at: noonOf(day) }, { answer }),
];

/** Not financed on the day of the invoice. */
const FINANCED_OTHERWISE: Record<string, Act[]> = {
  // There is no account to pay it to, so it is under review until one exists.
  'flowers-26': financing(183, 'flowers-26', {
    status: 'IN_REVIEW',
    requirements: [
      {
        code: 'NO_VERIFIED_PAYOUT_INSTRUCTION',
        description: 'The merchant has no verified payout instruction.',
      },
    ],
  }),
  // The merchant needs no money after all.
  'flowers-27': [
    ...financing(190, 'flowers-27'),
    post(
      190,
      '/v1/invoices/flowers-27/services/FINANCING/cancel',
      {},
      { status: 200, answer: { status: 'CANCELLED' } },
    ),
  ],
  // Paid on day 219 already.
  'flowers-31': financing(220, 'flowers-31', { status: 'REJECTED' }),
};

/** Acts that follow the regular ones of their day. */
export const SPECIAL_ACTS: readonly Act[] = [
  ...Object.values(FINANCED_OTHERWISE).flat(),
  // All goods of one order are returned after the merchant was paid, later a part of another.
  creditNote(210, 'flowers-29', 'RETURN', 100_000, 19_000),
  creditNote(241, 'flowers-33', 'DAMAGED', 10_000, 1_900),
];

/** hall-1, which orders nothing else in this half, orders these flowers and never pays: on day 317 it is 91 days past due. */
const BUYERS: Record<string, string> = { 'flowers-28': 'hall-1' };

/** The actions of operators. */
export const OPERATORS = {
  defaultedInvoice: 'flowers-28',
  defaultedBuyer: 'hall-1',
  defaultedOnDay: 317,
  writtenOffOnDay: 318,
  unfrozenOnDay: 319,
  /** The bank rejects greenhouse's payout of day 255, and returns that of day 283. */
  rejectedOnDay: 255,
  rejectionHeardOnDay: 256,
  returnedAfterDay: 283,
  returnHeardOnDay: 287,
  /** A payment without any reference arrived on day 300. */
  matchedOnDay: 301,
  matchedInvoice: 'coffee-40',
} as const;

/** Money that the bank account receives: with invoice references, or with the text given here. */
export interface BankTransfer {
  day: number;
  /** Minor units; negative for charges of the bank. */
  minor: number;
  /** The invoices, named by their creditor references. */
  references?: string[];
  /** Free text. */
  text?: string;
  /** Unique, so that the transfer can be reversed by it. */
  endToEndId?: string;
  isReversal?: true;
  isCharge?: true;
}

/** Payments that differ from the plan: another day, another amount, or null for one that is not made on its own. */
const EXCEPTIONS: Record<string, Partial<StoryPayment> | null> = {
  // In one transfer with those of weeks 31 and 33.
  'coffee-31-p1': null,
  'coffee-33-p1': null,
  'coffee-35-p1': null,
  // Short by 0.40, which an intermediary bank deducted.
  'coffee-37-p1': { minor: 120_376 },
  // Without a reference.
  'coffee-40-p1': null,
  // Never paid.
  'flowers-28-p1': null,
  // Credited in full.
  'flowers-29-p1': null,
  'flowers-31-p1': { day: 219 },
  // After a credit note of 119.00.
  'flowers-33-p1': { minor: 108_516 },
  // Bounces.
  'machines-28-p3': null,
};

const PAYMENTS: readonly StoryPayment[] = LANES.flatMap((lane) =>
  weeks().flatMap((week) => paymentsOf(lane, week).map((payment) => ({ ...payment, week }))),
).flatMap(({ week, ...payment }) => {
  const { [payment.id]: exception = {} } = EXCEPTIONS;
  if (exception === null) return [];
  // ryokan-3 pays the platform, ryokan-4 the merchant.
  const isToMerchant = payment.receivedBy === 'MERCHANT' || (payment.id.startsWith('tea-') && week % 2 === 1);
  return [{ ...payment, receivedBy: isToMerchant ? 'MERCHANT' : 'PLATFORM', ...exception }];
});

function weeks(): number[] {
  return Array.from({ length: LAST_WEEK - FIRST_WEEK + 1 }, (_, index) => FIRST_WEEK + index);
}

/** Also those of the first half that are due now. */
const ALL_PAYMENTS = [...FIRST_PAYMENTS, ...PAYMENTS].filter(
  ({ day }) => day >= HALF_YEAR_ENDS_ON && day < YEAR_ENDS_ON,
);
/** Incoming money on the euro account is reported only by the bank. */
const isOnStatement = ({ currency, receivedBy }: StoryPayment) =>
  currency === 'EUR' && receivedBy === 'PLATFORM';

const charge = (day: number): BankTransfer => ({ day, minor: -1_000, isCharge: true });

/** Everything that others do with the platform's euro account. */
export const BANK: readonly BankTransfer[] = [
  ...ALL_PAYMENTS.filter(isOnStatement).map(({ day, minor, invoiceId }) => ({
    ...{ day, minor, references: [invoiceId] },
  })),
  // Missing since June.
  { day: 186, minor: 120_416, references: ['coffee-19'] },
  // One transfer for three invoices, by their numbers: 3 × 120,416.
  { day: 247, minor: 361_248, text: 'Rechnungen coffee-31, coffee-33 und coffee-35' },
  // A payment that bounces three days later and is made again.
  { day: 288, minor: 33_333, references: ['machines-28'], endToEndId: 'HOTEL-28' },
  { day: 291, minor: -33_333, endToEndId: 'HOTEL-28', isReversal: true },
  { day: 300, minor: 33_333, references: ['machines-28'] },
  { day: 300, minor: 120_416, text: 'Vielen Dank' },
  // Its purpose stays unknown until the end of the year.
  { day: 272, minor: 7_700, text: 'Beitrag' },
  // A part of the written-off amount.
  { day: 330, minor: 50_000, references: ['flowers-28'] },
  ...[210, 240, 270, 300, 330, 360].map(charge),
];

/** All API requests of the second half. */
export function secondActs(): Act[] {
  const regular = LANES.flatMap((lane) =>
    weeks().flatMap((week) => {
      const invoice = invoiceIdOf(lane.name, week);
      const isFinanced = lane.name !== 'coffee' && !(invoice in FINANCED_OTHERWISE);
      return [
        ...ordered(lane, week, BUYERS[invoice]),
        ...(isFinanced ? financing(7 * week + 1, invoice) : []),
      ];
    }),
  );
  const payments = ALL_PAYMENTS.filter((payment) => !isOnStatement(payment)).map((payment) =>
    recorded(payment),
  );
  return [...regular, ...payments, ...SPECIAL_ACTS];
}
