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
  order_confirmed: OrderForMail & { paymentTerm: PaymentTerm; feeMinor: number; instalments: Instalment[] };
  order_pending: OrderForMail;
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
  support_webhook_disabled: {
    /** The type of the subscription. */
    type: string;
    /** Of the receiver's URL. */
    host: string;
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
}
