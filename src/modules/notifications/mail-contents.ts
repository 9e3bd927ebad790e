/** The content of each kind of mail. All text is foreign: it is sanitized before it becomes HTML or a header. */
import type { Currency } from '#kernel/currency';
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
  /** The name of the person who is addressed; null where it is not known. */
  recipient: string | null;
}

/** A link to the order, with its token; null without an address of the service, and in a copy for another reader. */
export interface OrderLink {
  url: string;
  /** Unix seconds. */
  expiresAt: number;
}

export interface MailContents {
  checkout_code: {
    code: string;
    number: string;
    minutes: number;
    /** It confirms the address of a person who applies for credit, and shows no stored data. */
    isForCredit: boolean;
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
    /** Null where the platform sends the bank details itself. */
    account: { holder: string; iban: string; bic: string | null } | null;
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
  support_webhook_disabled: {
    /** The type of the subscription. */
    type: string;
    /** Of the receiver's URL. */
    host: string;
    /** Why the last attempt failed; null where it is not known. */
    failure: string | null;
    /** The position behind which everything was lost. */
    recoverAfter: number;
  };
  support_mails_failed: ReportedItems;
  support_reviews_waiting: ReportedItems;
}

/** What a mail to the support of a platform lists: the first items, and how many there are. */
export interface ReportedItems {
  items: [name: string, value: string][];
  count: number;
}

export type MailKind = keyof MailContents;

/** Mails to the support of a platform. They are in no copy, and their failure is reported to nobody. */
export const SUPPORT_KINDS = [
  'support_webhook_disabled',
  'support_mails_failed',
  'support_reviews_waiting',
] as const satisfies readonly MailKind[];
export type SupportKind = (typeof SUPPORT_KINDS)[number];

export function isSupportKind(kind: MailKind): kind is SupportKind {
  return SUPPORT_KINDS.some((each) => each === kind);
}

/** The platform as the recipient sees it. */
export interface Branding {
  name: string;
  /** An absolute URL that mail programs can load; null to show the name alone. */
  logoUrl: string | null;
  /** Of buttons and links, `#rrggbb`; null for the default. */
  color: string | null;
  /** How long a review by a person usually takes at most, in working days. */
  reviewDays: number;
}
