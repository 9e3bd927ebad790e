/** Every kind of mail. The notifications module defines the content of each; the compiler enforces this. */

interface MailKindTraits {
  audience: 'BUYER' | 'MERCHANT' | 'SUPPORT';
  /** Completes the sentence "Sent when …". */
  when: string;
  /** Why no platform can switch it off. */
  mandatory?: string;
  /** It has legal consequences, so what was sent is recorded for years. */
  isNotice?: true;
  /** It leads to the checkout, or concerns an order for which nothing is owed yet. Any other mail to a buyer has a link to its page. */
  isBeforeDebt?: true;
  /** It contains a one-time code that a person on a page waits for. It is sent before other mails, and never after the code has expired. */
  hasCode?: true;
}

const ADVERSE = 'a buyer must learn that credit was refused, why, and how to have a person look again';

export const MAIL_KINDS = {
  checkout_code: {
    audience: 'BUYER',
    isBeforeDebt: true,
    hasCode: true,
    when: 'the checkout asks for a one-time code',
    mandatory: 'nobody could complete a checkout without the code',
  },
  checkout_invitation: {
    audience: 'BUYER',
    isBeforeDebt: true,
    when: 'a draft is created and the platform invites buyers',
    mandatory: '`tradeline platform update CODE --invitations off` ends invitations',
  },
  page_code: {
    audience: 'BUYER',
    isBeforeDebt: true,
    hasCode: true,
    when: "the buyer's own page asks for a one-time code",
    mandatory: 'nobody could open the page without the code',
  },
  order_confirmed: {
    audience: 'BUYER',
    isBeforeDebt: true,
    when: 'an order placed in the checkout is confirmed',
  },
  order_payment_due: {
    audience: 'BUYER',
    isBeforeDebt: true,
    when: 'a confirmed order waits for its payment in advance',
  },
  order_pending: {
    audience: 'BUYER',
    isBeforeDebt: true,
    when: 'an order placed in the checkout is reviewed by a person',
  },
  order_refused: {
    audience: 'BUYER',
    isBeforeDebt: true,
    when: 'an order placed in the checkout is refused for its risk',
    mandatory: ADVERSE,
    isNotice: true,
  },
  credit_refused: {
    audience: 'BUYER',
    isBeforeDebt: true,
    when: 'credit is refused in the checkout',
    mandatory: ADVERSE,
    isNotice: true,
  },
  review_granted: {
    audience: 'BUYER',
    isBeforeDebt: true,
    when: 'a review that the buyer asked for in the checkout ends with credit',
  },
  review_refused: {
    audience: 'BUYER',
    when: 'a review that the buyer asked for in the checkout ends without credit',
    mandatory: ADVERSE,
    isNotice: true,
  },
  order_cancelled: {
    audience: 'BUYER',
    isBeforeDebt: true,
    when: 'an order placed in the checkout is cancelled',
  },
  order_expired: {
    audience: 'BUYER',
    isBeforeDebt: true,
    when: 'an order placed in the checkout is not confirmed in time',
  },
  order_unpaid: {
    audience: 'BUYER',
    isBeforeDebt: true,
    when: 'the payment in advance of an order does not arrive in time',
  },
  invoice_issued: { audience: 'BUYER', when: 'an invoice is created of which something is to be paid' },
  invoice_assigned: {
    audience: 'BUYER',
    when: 'the claim under an invoice has moved to the platform',
    mandatory: 'a buyer must learn to whom it owes an invoice',
    isNotice: true,
  },
  payment_received: { audience: 'BUYER', when: 'a payment on an invoice is recorded' },
  payment_returned: { audience: 'BUYER', when: 'a payment on an invoice is reversed' },
  credit_note_issued: { audience: 'BUYER', when: 'a credit note reduces an invoice' },
  account_settled: {
    audience: 'BUYER',
    when: 'a payment settles the last open invoice, instead of payment_received',
  },
  statement_issued: {
    audience: 'BUYER',
    when: 'a month ends in which something changed or after which something is owed, if `monthly-statements` is on',
  },
  dispute_opened: { audience: 'BUYER', when: 'a part of an invoice is disputed' },
  dispute_decided: { audience: 'BUYER', when: 'a dispute is accepted or rejected', isNotice: true },
  facility_granted: { audience: 'BUYER', when: 'a credit limit is granted or raised' },
  facility_refused: {
    audience: 'BUYER',
    when: 'a credit limit, or a higher one, is refused outside the checkout',
    mandatory: ADVERSE,
    isNotice: true,
  },
  facility_renewed: { audience: 'BUYER', when: 'a credit limit is renewed, as high as before or higher' },
  facility_lowered: {
    audience: 'BUYER',
    when: 'a credit limit is lowered, by its renewal or by a person',
    mandatory: 'a buyer must learn that credit was reduced, why, and how to have a person look again',
    isNotice: true,
  },
  facility_expiring: {
    audience: 'BUYER',
    when: 'the renewal of a credit limit is refused, so that it will expire, or waits for a person in the last 14 days',
    mandatory: ADVERSE,
    isNotice: true,
  },
  facility_review_refused: {
    audience: 'BUYER',
    when: 'a review that the buyer asked for on its own page ends without credit',
    mandatory: ADVERSE,
    isNotice: true,
  },
  facility_expired: { audience: 'BUYER', when: 'a credit limit has expired' },
  facility_frozen: { audience: 'BUYER', when: 'new orders on a credit limit are stopped' },
  merchant_enrolled: { audience: 'MERCHANT', when: 'a merchant may sell through the platform' },
  merchant_payout_paid: { audience: 'MERCHANT', when: 'the bank has paid a payout' },
  merchant_payout_failed: {
    audience: 'MERCHANT',
    when: 'the bank rejected a payout, or the money came back',
  },
  merchant_account_changed: {
    audience: 'MERCHANT',
    when: 'a payout instruction is replaced or verified; also to addresses removed within 30 days',
    mandatory: 'a merchant must learn where its money goes',
  },
  support_payout_failed: { audience: 'SUPPORT', when: 'the bank rejected a payout, or the money came back' },
  support_payments_waiting: {
    audience: 'SUPPORT',
    when: 'a bank transaction waits in the queue for a person',
  },
  reminder_due_soon: {
    audience: 'BUYER',
    when: 'an invoice is due soon, or due, and a plan of reminders says so',
  },
  reminder_overdue: {
    audience: 'BUYER',
    when: 'an invoice is late, and a plan of reminders says so',
    mandatory: '`tradeline dunning freeze` stops reminders',
    isNotice: true,
  },
  support_webhook_disabled: { audience: 'SUPPORT', when: 'a subscription is disabled' },
  support_deliveries_waiting: {
    audience: 'SUPPORT',
    when: 'a subscription has accepted no delivery for an hour in which one was waiting',
  },
  support_mails_failed: { audience: 'SUPPORT', when: 'mails could not be sent' },
  support_dispute_waiting: { audience: 'SUPPORT', when: 'a dispute is opened' },
  support_statements_missing: {
    audience: 'SUPPORT',
    when: 'reminders waited for bank statements as long as `wait-for-bank` says, and went out without them',
  },
  support_reviews_waiting: { audience: 'SUPPORT', when: 'a review waits for more than a day' },
} as const satisfies Record<string, MailKindTraits>;

export type MailKind = keyof typeof MAIL_KINDS;
export const MAIL_KIND_NAMES = Object.keys(MAIL_KINDS) as MailKind[];

/** The kinds that a platform can switch off. */
export const SWITCHABLE_MAILS = MAIL_KIND_NAMES.filter((kind) => traitsOf(kind).mandatory === undefined);

/** The kinds with a one-time code. */
export const CODE_KINDS = MAIL_KIND_NAMES.filter((kind) => traitsOf(kind).hasCode);

/** The traits of a kind. */
export function traitsOf(kind: MailKind): MailKindTraits {
  return MAIL_KINDS[kind];
}

/** Mails to the support of a platform. They are not copied, and their failure is not reported. */
export type SupportKind = {
  [Kind in MailKind]: (typeof MAIL_KINDS)[Kind]['audience'] extends 'SUPPORT' ? Kind : never;
}[MailKind];

export const SUPPORT_KINDS = MAIL_KIND_NAMES.filter((kind) => traitsOf(kind).audience === 'SUPPORT');
