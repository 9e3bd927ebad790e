/** One mail of each kind, with all optional content. */
import type { MailContents, OrderForMail } from '#modules/notifications';

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

const link = { url: `https://credit.example.com/checkout/${'w'.repeat(43)}`, expiresAt: 1_764_244_800 };

export const mailExamples: MailContents = {
  checkout_code: { code: '493027', number: 'order-1009', minutes: 10, isForCredit: true },
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
    account: { holder: 'Markthalle GmbH', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
    dueAt: 1_766_232_000,
    reference: 'order-1009',
    link,
  },
  order_pending: { ...order, link },
  order_refused: { ...order, reasons: ['Invoices are overdue.'] },
  credit_refused: {
    ...order,
    reasons: ['Invoices are overdue.', 'Details of the company are missing.'],
    url: `https://credit.example.com/checkout/${'y'.repeat(43)}`,
  },
  review_granted: { ...order, url: `https://credit.example.com/checkout/${'z'.repeat(43)}` },
  review_refused: { ...order, url: null },
  order_cancelled: order,
  order_expired: order,
  order_unpaid: order,
  support_webhook_disabled: {
    type: 'ORDER.CONFIRMED',
    host: 'hooks.shop.example',
    failure: 'STATUS 503',
    recoverAfter: 4_711,
  },
  support_mails_failed: {
    items: [
      ['order/order-1009/invitation', 'RECIPIENT_REFUSED 550'],
      ['order/order-1010/invitation', 'TIMEOUT'],
    ],
    count: 37,
  },
  support_reviews_waiting: {
    items: [['order-1016', 'c2f0a1de-5b7e-4a3c-9a51-6a2f0c1d7e11']],
    count: 1,
  },
};
