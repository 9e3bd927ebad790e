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
  checkout_code: { code: string; number: string; minutes: number };
  checkout_invitation: OrderForMail & {
    /** The link to the checkout, with its token. */
    url: string;
    /** Unix seconds. */
    expiresAt: number;
  };
  order_confirmed: OrderForMail & { paymentTerm: PaymentTerm; feeMinor: number; instalments: Instalment[] };
  order_pending: OrderForMail;
  order_refused: OrderForMail & { company: string };
  order_cancelled: OrderForMail;
}

export type MailKind = keyof MailContents;

/** The platform as the recipient sees it. */
export interface Branding {
  name: string;
  /** An absolute URL that mail programs can load; null to show the name alone. */
  logoUrl: string | null;
}
