/** The content of one mail of each kind, with every optional field: for previews and tests. */
import type {
  DisputeForMail,
  FacilityForMail,
  InvoiceForMail,
  MailContents,
  OrderForMail,
  PayoutForMail,
  ReminderForMail,
} from './mail-contents.ts';

const order = {
  number: 'order-1009',
  merchant: 'Rösterei Nord',
  grossMinor: 123_456,
  currency: 'EUR',
  company: 'Café Morgenrot GmbH',
  comment: 'Deliver to the back door.\nRing twice.',
  lines: [
    { name: 'Espresso beans, 1 kg', quantity: 40, priceMinor: 2_500 },
    { name: 'Grinder', quantity: 1, priceMinor: 3_744 },
  ],
  recipient: 'Amina Yılmaz',
} satisfies OrderForMail;

const account = { holder: 'Markthalle GmbH', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' };

const invoice = {
  number: 'RE-2025-1011',
  merchant: 'Rösterei Nord',
  currency: 'EUR',
  totalMinor: 125_255,
  outstandingMinor: 82_304,
  payments: [
    { dueAt: 1_768_910_400, amountMinor: 41_152 },
    { dueAt: 1_771_588_800, amountMinor: 41_152 },
  ],
  ...{ isDebited: false, isAssigned: false },
  account,
  reference: 'RF18539007547034',
  company: 'Café Morgenrot GmbH',
  recipient: 'Amina Yılmaz',
} satisfies InvoiceForMail;
const paid = { ...invoice, outstandingMinor: 0, payments: [], amountMinor: 41_152 };

const facility = {
  company: 'Café Morgenrot GmbH',
  currency: 'EUR',
  limitMinor: 2_500_000,
  expiresAt: 1_771_405_199,
  reasons: [],
  recipient: 'Amina Yılmaz',
} satisfies FacilityForMail;
const without = { ...facility, limitMinor: null, expiresAt: null };
const reasons = ['There are overdue invoices.'];

const payout = {
  company: 'Nordlicht Kaffeerösterei GmbH',
  number: '5f0c6a0e-6f0b-4f6e-9a55-0f0f3c1d2e4b',
  amountMinor: 11_600,
  currency: 'EUR',
  lines: [
    { invoice: 'invoice-1011', amountMinor: 11_757 },
    { invoice: 'invoice-1012', amountMinor: 1_243 },
  ],
  deductedMinor: 1_400,
} satisfies PayoutForMail;

const link = { url: `https://credit.example.com/checkout/${'w'.repeat(43)}`, expiresAt: 1_764_244_800 };

const dispute = { ...invoice, amountMinor: 2_975 } satisfies DisputeForMail;

const owed = {
  number: 'RE-2026-0117',
  dueAt: 1_766_232_000,
  amountMinor: 119_000,
  currency: 'EUR',
  reference: 'RF18539007547034',
} as const;

const reminder = {
  creditor: 'Rösterei Nord',
  company: 'Café Morgenrot GmbH',
  recipient: 'Amina Yılmaz',
  wording: 'LAST_REMINDER',
  payByOn: '2026-01-31',
  items: [owed, { ...owed, number: 'RE-2026-0131', dueAt: 1_766_750_400, reference: 'RF712348231' }],
  unlisted: 0,
  charges: [
    { kind: 'INTEREST', number: 'RE-2026-0117', until: '2026-01-19', amountMinor: 1_234, currency: 'EUR' },
    { kind: 'COMPENSATION', number: 'RE-2026-0117', until: null, amountMinor: 4_000, currency: 'EUR' },
    { kind: 'REMINDER', number: 'RE-2026-0117', until: null, amountMinor: 500, currency: 'EUR' },
  ],
  unlistedCharges: 0,
  totals: [{ amountMinor: 243_734, currency: 'EUR' }],
  account: { holder: 'Markthalle GmbH', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
} satisfies ReminderForMail;

export const mailExamples: MailContents = {
  checkout_code: { code: '493027', number: 'order-1009', minutes: 10, isForCredit: true },
  page_code: { code: '493027', minutes: 10, company: 'Café Morgenrot GmbH' },
  checkout_invitation: {
    ...order,
    url: `https://credit.example.com/checkout/${'x'.repeat(43)}`,
    expiresAt: 1_764_244_800,
  },
  order_confirmed: {
    ...order,
    paymentTerm: 'SPLIT_3M',
    feeMinor: 1_799,
    payments: [
      { dueAt: 1_766_232_000, amountMinor: 42_951 },
      { dueAt: 1_768_910_400, amountMinor: 41_152 },
      { dueAt: 1_771_588_800, amountMinor: 41_152 },
    ],
    link,
  },
  order_payment_due: {
    ...order,
    account,
    dueAt: 1_766_232_000,
    reference: 'order-1009',
    link,
  },
  order_pending: { ...order, link },
  order_refused: { ...order, reasons: ['There are overdue invoices.'] },
  credit_refused: {
    ...order,
    reasons: ['There are overdue invoices.', 'Some company details are missing.'],
    url: `https://credit.example.com/checkout/${'y'.repeat(43)}`,
  },
  review_granted: { ...order, url: `https://credit.example.com/checkout/${'z'.repeat(43)}` },
  review_refused: { ...order, url: null },
  order_cancelled: order,
  order_expired: order,
  order_unpaid: order,
  invoice_issued: { ...invoice, legal: null },
  invoice_assigned: {
    ...invoice,
    ...{ assignee: 'Markthalle GmbH', isAssigned: true },
    notice: ['Rösterei Nord GmbH has assigned the claim under this invoice to Markthalle GmbH.'],
    legal: null,
  },
  payment_received: { ...invoice, amountMinor: 42_951 },
  payment_returned: { ...invoice, amountMinor: 41_152 },
  credit_note_issued: { ...invoice, amountMinor: 2_975 },
  account_settled: paid,
  statement_issued: {
    ...{ from: 1_761_955_200, until: 1_764_547_199, balances: [{ amountMinor: 82_304, currency: 'EUR' }] },
    ...{ company: 'Café Morgenrot GmbH', recipient: 'Amina Yılmaz' },
  },
  dispute_opened: { ...dispute, isPausing: true },
  dispute_decided: {
    ...{ ...dispute, isAccepted: false, isCredited: false },
    comment: 'The carrier delivered all bags whole.\nSee the signed delivery note.',
  },
  facility_granted: facility,
  facility_refused: { ...facility, reasons },
  facility_renewed: facility,
  facility_lowered: { ...facility, reasons },
  facility_expiring: { ...facility, reasons, isUnderReview: false },
  facility_review_refused: facility,
  facility_expired: without,
  facility_frozen: without,
  merchant_enrolled: { company: payout.company },
  merchant_payout_paid: payout,
  merchant_payout_failed: payout,
  merchant_account_changed: { company: payout.company },
  support_payout_failed: { items: [[payout.number, 'AC04']], count: 1 },
  support_payments_waiting: { items: [['2025-11-20', '€119.00']], count: 1 },
  reminder_due_soon: {
    ...{ ...reminder, wording: 'BEFORE_DUE', payByOn: null, items: [owed], charges: [] },
    totals: [{ amountMinor: owed.amountMinor, currency: owed.currency }],
  },
  reminder_overdue: reminder,
  support_webhook_disabled: {
    type: 'ORDER.CONFIRMED',
    host: 'hooks.shop.example',
    failure: 'STATUS 503',
    recoverAfter: 4_711,
  },
  support_deliveries_waiting: { items: [['ORDER.CONFIRMED', 'hooks.shop.example']], count: 1 },
  support_mails_failed: {
    items: [
      ['order/order-1009/invitation', 'RECIPIENT_REFUSED 550'],
      ['order/order-1010/invitation', 'TIMEOUT'],
    ],
    count: 37,
  },
  support_dispute_waiting: { items: [['dispute-1011', 'invoice-1011']], count: 1 },
  support_statements_missing: { items: [['main', '2025-11-18']], count: 1 },
  support_reviews_waiting: {
    items: [['order-1016', 'c2f0a1de-5b7e-4a3c-9a51-6a2f0c1d7e11']],
    count: 1,
  },
};
