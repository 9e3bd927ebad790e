/** Every mail with different wording: the example of each kind, and its variants. */
import type { MailKind } from '#kernel/mail-kind';
import { translatorOf } from '#messages';
import { type MailContents, mailExamples, type ReminderForMail } from '#modules/notifications';

type VariantsOf<Kind extends MailKind> = Record<string, Partial<MailContents[Kind]>>;

const { reminder_overdue: overdue, reminder_due_soon: dueSoon } = mailExamples;
const [firstItem, secondItem] = overdue.items as [ReminderForMail['items'][0], ReminderForMail['items'][0]];
const [interest] = overdue.charges;

const manyLines = Array.from({ length: 25 }, (_, index) => ({
  ...{ name: `Line ${index + 1}`, quantity: 2, priceMinor: 100 },
}));
const onePayment = { payments: [{ dueAt: 1_768_910_400, amountMinor: 125_255 }], outstandingMinor: 125_255 };
const nothingLeft = { outstandingMinor: 0, payments: [] };
const french = translatorOf('FR', 'FORMAL');
const legal: MailContents['invoice_issued']['legal'] = {
  language: 'FR',
  sentences: [
    french.text('late.interest_ecb', { points: 10 }),
    french.text('late.compensation', { amount: french.money(4_000, 'EUR') }),
  ],
};
const unknownPerson = { recipient: null };

/** Variants by kind and name. Each replaces a part of the example. */
const VARIANTS: { [Kind in MailKind]?: VariantsOf<Kind> } = {
  checkout_code: { 'to a buyer whose data the checkout would show': { isForCredit: false } },
  page_code: { 'of an unknown company': { company: null } },
  checkout_invitation: {
    'of an unknown company and person': { company: null, recipient: null },
    'in the copy for the platform': { url: null },
  },
  order_confirmed: {
    'paid later, without a fee': {
      paymentTerm: 'DEFER_30D',
      feeMinor: 0,
      payments: [{ dueAt: 1_766_232_000, amountMinor: 123_456 }],
    },
    'paid in advance': { paymentTerm: 'PREPAYMENT', feeMinor: 0, comment: null, payments: [] },
  },
  order_payment_due: { 'where the platform sends the bank details': { account: null, dueAt: null } },
  order_pending: { 'with more lines than are shown': { lines: manyLines, comment: null } },
  order_refused: { 'without reasons': { reasons: [] } },
  credit_refused: { 'in the copy for the platform, without reasons': { url: null, reasons: [] } },
  review_granted: { 'of an order that is no draft any more': { url: null } },
  invoice_issued: {
    'in one payment': onePayment,
    'by direct debit': { isDebited: true },
    'where the merchant sends the bank details': { ...onePayment, account: null },
    'of a merchant in France': { ...onePayment, legal },
  },
  invoice_assigned: { 'where the platform sends the bank details': { ...onePayment, account: null } },
  payment_received: { 'of the rest of the invoice': nothingLeft },
  credit_note_issued: { 'of all of the invoice': nothingLeft },
  account_settled: { 'of an unknown company': { company: null } },
  statement_issued: {
    'in two currencies': {
      balances: [
        { amountMinor: 82_304, currency: 'EUR' },
        { amountMinor: 12_000, currency: 'SEK' },
      ],
    },
  },
  dispute_opened: { 'whose amount has to be paid meanwhile': { isPausing: false } },
  dispute_decided: {
    'accepted, with a credit note': { isAccepted: true, isCredited: true, comment: null },
    'accepted, without a credit note': { isAccepted: true, ...nothingLeft },
  },
  facility_refused: { 'without reasons': { reasons: [], limitMinor: null, expiresAt: null } },
  facility_lowered: { 'without reasons': { reasons: [] } },
  facility_expiring: { 'while a person decides': { isUnderReview: true } },
  facility_review_refused: { 'without a limit': { limitMinor: null, expiresAt: null } },
  merchant_payout_paid: {
    'with more invoices than are shown': {
      lines: Array.from({ length: 25 }, (_, index) => ({ invoice: `invoice-${index}`, amountMinor: 464 })),
      deductedMinor: 0,
    },
    'with money of no invoice': { lines: [{ invoice: null, amountMinor: 11_600 }], deductedMinor: 0 },
  },
  support_webhook_disabled: { 'for an unknown reason': { failure: null } },
  reminder_due_soon: {
    'on the due day': { wording: 'DUE' },
    'without an account': { account: null, ...unknownPerson },
  },
  reminder_overdue: {
    'friendly, of one invoice, without charges': {
      ...{ wording: 'FRIENDLY', payByOn: null, items: [firstItem], charges: [] },
      totals: dueSoon.totals,
    },
    'friendly, of several invoices, with more charges than are shown': {
      ...{ wording: 'FRIENDLY', payByOn: null, unlistedCharges: 7 },
    },
    'firm, of one invoice of which a part is paid, with interest': {
      ...{ wording: 'FIRM', payByOn: null, items: [{ ...firstItem, amountMinor: 42_951 }] },
      ...{ charges: interest === undefined ? [] : [interest] },
      totals: [{ amountMinor: 44_185, currency: 'EUR' }],
    },
    'firm, of several invoices, without charges': {
      ...{ wording: 'FIRM', payByOn: null, charges: [] },
      totals: [{ amountMinor: 238_000, currency: 'EUR' }],
    },
    'last, of one invoice, without charges': {
      ...{ items: [firstItem], charges: [] },
      totals: [{ amountMinor: 119_000, currency: 'EUR' }],
    },
    'last, of more invoices than are shown, in two currencies, without an account': {
      items: [firstItem, { ...secondItem, currency: 'SEK' }],
      ...{ unlisted: 12, charges: [], unlistedCharges: 0, account: null, company: null, recipient: null },
      totals: [
        { amountMinor: 1_190_000, currency: 'EUR' },
        { amountMinor: 119_000, currency: 'SEK' },
      ],
    },
  },
};

/** A mail that can be rendered. */
export interface MailCase {
  kind: MailKind;
  /** The name of the variant; null for the example of the kind. */
  variant: string | null;
  contents: MailContents[MailKind];
  /** For tests and headings: `reminder_overdue (friendly)`. */
  name: string;
}

/** The cases of each kind, the example first. */
export const MAIL_CASES: MailCase[] = (Object.keys(mailExamples) as MailKind[]).flatMap((kind) => {
  const example = mailExamples[kind];
  return [
    { kind, variant: null, contents: example, name: kind },
    ...Object.entries(VARIANTS[kind] ?? {}).map(([variant, changes]) => ({
      ...{ kind, variant, name: `${kind} (${variant})` },
      contents: { ...example, ...changes } as MailContents[MailKind],
    })),
  ];
});
