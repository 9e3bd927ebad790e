/** What each kind of mail tells. All of it is text of others: whoever writes HTML or a header from it makes it harmless. */
import type { Currency } from '#kernel/currency';
import type { Instalment, PaymentTerm } from '#kernel/payment-term';

/** An order as mails tell of it. */
export interface OrderForMail {
  /** Its external_id. */
  number: string;
  merchant: string;
  grossMinor: number;
  currency: Currency;
  /** The buying company; null where it is not known yet. */
  company: string | null;
  /** The order's comment, shown below its summary. */
  comment: string | null;
}

export interface MailContents {
  checkout_code: { code: string; number: string; minutes: number };
  checkout_invitation: OrderForMail & {
    /** Of the checkout, with its token. */
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

/** Who writes, as the recipient sees it. */
export interface Branding {
  name: string;
  /** An absolute address that mail programs can load; null: the name is shown alone. */
  logoUrl: string | null;
}
