/** The content of each kind of mail. All text is foreign: it is sanitized before it becomes HTML or a header. */
import type { Currency } from '#kernel/currency';
import type { Language } from '#kernel/language';
import type { MailKind } from '#kernel/mail-kind';
import type { Instalment, PaymentTerm } from '#kernel/payment-term';

/** The order as mails present it. */
export interface OrderForMail {
  /** The order's external_id. */
  number: string;
  merchant: string;
  grossMinor: number;
  currency: Currency;
  /** The buying company; null before it is known. */
  company: string | null;
  /** The order's comment, shown below its summary. */
  comment: string | null;
  lines: { name: string; quantity: number; priceMinor: number }[];
  /** The name of the addressed person; null if unknown. */
  recipient: string | null;
}

/** The content of a reminder to a buyer. */
export interface ReminderForMail {
  /** The name of the creditor. */
  creditor: string;
  company: string | null;
  recipient: string | null;
  wording: 'BEFORE_DUE' | 'DUE' | 'FRIENDLY' | 'FIRM' | 'LAST_REMINDER';
  /** The day until which a last reminder requests payment. */
  payByOn: string | null;
  /** The oldest first. */
  items: {
    number: string;
    /** Unix seconds. */
    dueAt: number;
    amountMinor: number;
    currency: Currency;
    reference: string;
  }[];
  /** The number of further items. */
  unlisted: number;
  charges: {
    kind: 'INTEREST' | 'COMPENSATION' | 'REMINDER';
    number: string;
    /** The last day of interest. */
    until: string | null;
    amountMinor: number;
    currency: Currency;
  }[];
  /** The number of further charges. */
  unlistedCharges: number;
  /** The totals of all items and charges, one for each currency. */
  totals: { amountMinor: number; currency: Currency }[];
  /** Null if the platform has no account: the creditor's own invoice names the account. */
  account: { holder: string; iban: string; bic: string | null } | null;
}

/** A link to the order, with its token; null without an address of the service, and in a copy for another reader. */
export interface OrderLink {
  url: string;
  /** Unix seconds. */
  expiresAt: number;
}

export interface MailContents extends Record<MailKind, object> {
  checkout_code: {
    code: string;
    number: string;
    minutes: number;
    /** The code confirms the address of a person who applies for credit, and opens no stored data. */
    isForCredit: boolean;
  };
  /** The code that opens the buyer's own page. */
  page_code: {
    code: string;
    minutes: number;
    /** The buying company; null before it is known. */
    company: string | null;
  };
  checkout_invitation: OrderForMail & {
    /** The link to the checkout, with its token; null in a copy for another reader. */
    url: string | null;
    /** Unix seconds. */
    expiresAt: number;
  };
  order_confirmed: OrderForMail & {
    paymentTerm: PaymentTerm;
    feeMinor: number;
    /** They sum to the order's amount and the fee. */
    payments: Instalment[];
    link: OrderLink | null;
  };
  /** An order that waits for a payment in advance. */
  order_payment_due: OrderForMail & {
    /** Null if the platform sends the bank details itself. */
    account: AccountForMail | null;
    /** Unix seconds; null without a time limit. */
    dueAt: number | null;
    reference: string;
    link: OrderLink | null;
  };
  order_pending: OrderForMail & { link: OrderLink | null };
  order_refused: OrderForMail & { company: string; reasons: string[] };
  credit_refused: OrderForMail & {
    company: string;
    reasons: string[];
    /** The link to the page that offers a review; null without an address of the service, and in a copy for another reader. */
    url: string | null;
  };
  /** `url`: the link to the checkout while the order is a draft. */
  review_granted: OrderForMail & { company: string; url: string | null };
  review_refused: OrderForMail & { company: string; url: null };
  order_cancelled: OrderForMail;
  order_expired: OrderForMail;
  /** The payment in advance did not arrive in time. */
  order_unpaid: OrderForMail;
  invoice_issued: InvoiceForMail & { legal: LegalWords | null };
  /** `notice`: states to whom the claim has moved, in the reader's language; one paragraph each. */
  invoice_assigned: InvoiceForMail & { assignee: string; notice: string[]; legal: LegalWords | null };
  /** `amountMinor`: the amount of the payment. */
  payment_received: InvoiceForMail & { amountMinor: number };
  payment_returned: InvoiceForMail & { amountMinor: number };
  /** `amountMinor`: the amount of the credit note. */
  credit_note_issued: InvoiceForMail & { amountMinor: number };
  account_settled: InvoiceForMail & { amountMinor: number };
  statement_issued: StatementForMail;
  /** `isPausing`: the amount need not be paid before the decision. */
  dispute_opened: DisputeForMail & { isPausing: boolean };
  /** `amountMinor`: the accepted amount, or the disputed one if nothing was accepted. `isCredited`: by a credit note. */
  dispute_decided: DisputeForMail & { isAccepted: boolean; isCredited: boolean; comment: string | null };
  facility_granted: FacilityForMail;
  facility_refused: FacilityForMail;
  facility_renewed: FacilityForMail;
  facility_lowered: FacilityForMail;
  /** `isUnderReview`: a person decides about the renewal. */
  facility_expiring: FacilityForMail & { isUnderReview: boolean };
  facility_review_refused: FacilityForMail;
  facility_expired: FacilityForMail;
  facility_frozen: FacilityForMail;
  merchant_enrolled: MerchantForMail;
  merchant_payout_paid: PayoutForMail;
  merchant_payout_failed: PayoutForMail;
  merchant_account_changed: MerchantForMail;
  support_payout_failed: ReportedItems;
  support_payments_waiting: ReportedItems;
  reminder_due_soon: ReminderForMail;
  reminder_overdue: ReminderForMail;
  support_webhook_disabled: {
    /** The type of the subscription. */
    type: string;
    /** The host of the receiver's URL. */
    host: string;
    /** Why the last attempt failed; null if unknown. */
    failure: string | null;
    /** The position after which all events were lost. */
    recoverAfter: number;
  };
  support_deliveries_waiting: ReportedItems;
  support_mails_failed: ReportedItems;
  support_dispute_waiting: ReportedItems;
  support_statements_missing: ReportedItems;
  support_reviews_waiting: ReportedItems;
}

/** The account to transfer money to, as the payer must name it. */
export interface AccountForMail {
  holder: string;
  iban: string;
  bic: string | null;
}

/** The invoice as mails present it, with its outstanding amount. */
export interface InvoiceForMail {
  /** The merchant's number for it, else its external_id. */
  number: string;
  merchant: string;
  currency: Currency;
  /** Includes the fee of its payment term. */
  totalMinor: number;
  outstandingMinor: number;
  /** The amounts still owed, by day; they sum to the outstanding amount. */
  payments: Instalment[];
  isDebited: boolean;
  /** The claim has moved to the platform. */
  isAssigned: boolean;
  /** Null if the merchant, or the platform to which the claim has moved, sends the bank details itself. */
  account: AccountForMail | null;
  reference: string;
  /** The buying company; null before it is known. */
  company: string | null;
  recipient: string | null;
}

/** Texts that the law of a country requires on an invoice, in the language of that country. */
export interface LegalWords {
  language: Language;
  sentences: string[];
}

/** The statement of account as mails present it. */
export interface StatementForMail {
  /** Unix seconds. */
  from: number;
  /** Unix seconds. */
  until: number;
  /** The amount owed in each currency. */
  balances: { amountMinor: number; currency: Currency }[];
  /** The buying company; null before it is known. */
  company: string | null;
  recipient: string | null;
}

/** The dispute as mails present it, with its invoice as it is after the event. */
export interface DisputeForMail extends InvoiceForMail {
  amountMinor: number;
}

/** The facility as mails present it: buyers know it as their credit limit. */
export interface FacilityForMail {
  company: string;
  currency: Currency;
  /** The limit after the event; null if there is no limit to use. */
  limitMinor: number | null;
  /** Unix seconds; null if there is no limit to use. */
  expiresAt: number | null;
  /** The reasons of a refusal, in the reader's language. */
  reasons: string[];
  recipient: string | null;
}

export interface MerchantForMail {
  /** The legal name of the merchant. */
  company: string;
}

export interface PayoutForMail extends MerchantForMail {
  /** The payout's external_id. */
  number: string;
  amountMinor: number;
  currency: Currency;
  /** The payments, by invoice; null for money without an invoice. Without deductions they sum to the amount. */
  lines: { invoice: string | null; amountMinor: number }[];
  deductedMinor: number;
}

/** The list in a mail to the support of a platform: the first items, and the number of all. */
export interface ReportedItems {
  items: [name: string, value: string][];
  count: number;
}

/** The platform as the recipient sees it. */
export interface Branding {
  name: string;
  /** An absolute URL that mail programs can load; null to show the name alone. */
  logoUrl: string | null;
  /** The color of buttons and links, `#rrggbb`; null for the default. */
  color: string | null;
  /** The usual maximum duration of a review by a person, in working days. */
  reviewDays: number;
}
