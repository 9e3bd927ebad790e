/** The contract between this module and the pages: what a page shows, and what its forms send. */
import type { Address } from '#kernel/address';
import type { Currency } from '#kernel/currency';
import type { LegalForm } from '#kernel/fields';
import type { Formality, Language } from '#kernel/language';
import type { PaymentTerm } from '#kernel/payment-term';
import type { MessageKey, MessageValues } from '#messages';
import type { OfferedTerm, TermOffer, UnavailableReason } from '#modules/facilities';
import type { PaymentDue } from '#modules/orders';
import type { BankAccount } from '#modules/platforms';
import type { BuyerReasonCode } from '#modules/underwriting';

/**
 * The steps of all checkouts. `code` comes first if a buyer on file, or another browser's progress, is hidden until the code; it comes
 * after `details` if the person who applies for credit confirms the address.
 */
export const STEPS = ['code', 'company', 'details', 'payment', 'review', 'outcome'] as const;
export type CheckoutStep = (typeof STEPS)[number];

/** An error of a form's field. `error` is the key of its message. */
export interface FieldError {
  /**
   * A name of CompanyEntry or PersonEntry, `delivery.to`, `delivery.street` and so on, `purchase_order`, `invoice_email`,
   * `billing_street` and so on, `businessId`, `code`, `term`, `consent` or `language`; null for an error of the whole form.
   */
  field: string | null;
  error: MessageKey & `error.${string}`;
  values?: MessageValues;
}

export interface PlatformView {
  code: string;
  name: string;
  /** ISO 3166-1 alpha-2. The default country of a search. */
  country: string;
  /** The file's name under /checkout/logos/, which changes with the content; null if there is no logo. */
  logo: string | null;
  /** The support address for buyers; null if the platform has none. */
  helpEmail: string | null;
  /** `#rrggbb`, dark enough for white text; null for the default. */
  brandColor: string | null;
  privacyUrl: string | null;
  imprintUrl: string | null;
  termsUrl: string | null;
  /** Origins that may show the page in a frame. */
  origins: string[];
}

export interface OrderView {
  externalId: string;
  merchantName: string;
  currency: Currency;
  netMinor: number;
  taxMinor: number;
  grossMinor: number;
  comment: string | null;
  lines: { name: string; description: string | null; quantity: number; priceMinor: number }[];
}

/** The company as it was typed, or taken from the registry. */
export interface CompanyEntry {
  legalName: string;
  legalForm: LegalForm | '';
  tradingName: string;
  country: string;
  street: string;
  house: string;
  additional: string;
  postcode: string;
  city: string;
  vatId: string;
  registerId: string;
  /** The registry's id of a company that was chosen there. */
  businessId: string | null;
}

export interface PersonEntry {
  salutation: 'MR' | 'MS' | 'OTHER' | '';
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
}

export interface DeliveryEntry {
  to: 'COMPANY' | 'OTHER' | 'NOWHERE';
  address: Address | null;
}

/** What the invoice needs; empty if the buyer entered nothing. */
export interface InvoiceEntry {
  purchaseOrder: string;
  email: string;
  /** Null for the company's address. */
  address: Address | null;
}

/** A search result of the registry. */
export interface FoundCompany {
  businessId: string;
  legalName: string;
  tradingName: string | null;
  address: Address;
  /** VAT ids and register numbers, to distinguish companies of the same name. */
  identifiers: string[];
}

export interface CompanySearch {
  country: string;
  query: string;
  found: FoundCompany[];
  total: number;
}

/** The state of the buyer's credit, as far as pages distinguish it. */
export type CreditState = 'OFFERED' | 'UNDER_REVIEW' | 'REFUSED';

/** What a one-time code opens: the buyer's data on file, or the application for credit. */
export type CodePurpose = 'FILE' | 'APPLICATION';

/** Why credit was refused, and whether a person reviews it. */
export interface Refusal {
  reasons: BuyerReasonCode[];
  /** The buyer may request a review, has requested one, or a person has decided. NONE: credit was granted, in part. */
  review: 'POSSIBLE' | 'ASKED' | 'DECIDED' | 'NONE';
}

export type CheckoutOutcome = 'CONFIRMED' | 'UNDER_REVIEW' | 'REFUSED' | 'CANCELLED' | 'EXPIRED' | 'COMPLETE';

export interface CheckoutView {
  platform: PlatformView;
  /** Null in production. Names companies that the search of the company page finds; empty for other pages. */
  sandbox: { companies: string[] } | null;
  /** The usual maximum duration of a review by a person, in working days. */
  reviewDays: number;
  /** The time zone of the platform, in which days are shown. */
  timeZone: string;
  language: Language;
  formality: Formality;
  order: OrderView;
  /** Sent back with every form, so that two windows do not overwrite each other unnoticed. */
  version: number;
  /** The first step that is not done. Earlier `steps` may be visited again. */
  step: CheckoutStep;
  /** The steps of this checkout, without those for which no data is missing. */
  steps: CheckoutStep[];
  /** The buyer's legal name, if this browser may see it. */
  companyName: string | null;
  code: {
    purpose: CodePurpose;
    /** The person's own address; one that is on file is masked: `c•••@m•••.example`. */
    email: string;
    isSent: boolean;
    validMinutes: number;
    /** Seconds until another code may be sent. */
    againInSeconds: number;
  } | null;
  /** Null before it is entered, and for a browser that may not see it. */
  company: CompanyEntry | null;
  /** The company is on file: it is shown and cannot be changed. */
  isCompanyOnFile: boolean;
  person: PersonEntry | null;
  isPersonOnFile: boolean;
  delivery: DeliveryEntry | null;
  invoice: InvoiceEntry;
  credit: CreditState;
  /** Null unless credit was refused and this browser may see why. */
  refusal: Refusal | null;
  /** Prepayment first. `isUpTo`: the decision is under review, and the fee is an upper limit. */
  offers: OfferedTerm[];
  unavailable: { term: PaymentTerm; reason: UnavailableReason | 'RISK' }[];
  /** The chosen term; null once it is no longer offered. */
  choice: PaymentTerm | null;
  termsVersion: string;
  outcome: CheckoutOutcome | null;
  /** The payment in advance that a placed order waits for; null for other orders. */
  paymentDue: TransferDue | null;
  /** The offer of a placed order. */
  agreed: TermOffer | null;
  /** Masked for a browser that may not see it. */
  notifiedEmail: string | null;
  /** The signed return URL for the outcome; null if the platform has set none. */
  returnUrl: string | null;
  /** Whether the buyer may still cancel. */
  isCancellable: boolean;
}

/** The fields for the invoice as they are typed. */
export interface TypedInvoice {
  purchaseOrder: string;
  email: string;
  isBilledElsewhere: boolean;
  address: Record<keyof Address, string>;
}

/** The amount to transfer, the deadline and the reference. */
export interface TransferDue extends PaymentDue {
  /** The account to transfer to; null if the platform has named no account. */
  account: BankAccount | null;
}

/** The result of opening a link. UNKNOWN covers forged, expired and revoked tokens alike. */
export type Opened =
  | { kind: 'UNKNOWN' }
  | { kind: 'DISABLED'; platform: PlatformView; language: Language; formality: Formality }
  | {
      kind: 'OPEN';
      view: CheckoutView;
      /** Set if the browser had no valid session: store it in the cookie. */
      newSession: string | null;
    };

/**
 * The result of a form. CREDIT_DECIDED: done, with a new credit decision, which the payment page shows. STALE: the form was
 * made from another version and changed nothing.
 */
export type FormResult =
  | { kind: 'DONE' }
  | { kind: 'CREDIT_DECIDED' }
  | { kind: 'STALE' }
  | { kind: 'NO_SESSION' }
  | { kind: 'UNKNOWN' }
  | { kind: 'REFUSED'; errors: FieldError[] };

/** The token of the address, the session of the cookie, and the version that the form's page was made from. */
export interface FormSender {
  token: string;
  session: string | null;
  version: number | null;
  /** The network of the browser; null if browsers cannot be distinguished. */
  network: string | null;
}

/** The request of a page. */
export interface PageVisit {
  /** The language of the pages on the first visit, unless the buyer has its own; null if the browser names none. */
  browserLanguage?: Language | null;
  isCompanyPage?: boolean;
}

/** The forms as the pages call them. Texts are passed as typed: they are trimmed and validated here. */
export interface CheckoutForms {
  open(token: string, session: string | null, visit?: PageVisit): Promise<Opened>;
  /** The outcome, for a page that polls for it; needs no session. Null for an unknown token. */
  statusOf(token: string): Promise<{ outcome: CheckoutOutcome | null; version: number } | null>;
  chooseLanguage(sender: FormSender, language: string): Promise<FormResult>;
  sendCode(sender: FormSender): Promise<FormResult>;
  /** Also requests the credit decision that waited for the code. */
  enterCode(sender: FormSender, code: string): Promise<FormResult>;
  /** Continues without a code, and so without credit. */
  skipCode(sender: FormSender): Promise<FormResult>;
  /** Null for an unknown token, and for a session that may not search. Queries of fewer than two characters find nothing. */
  searchCompanies(
    sender: FormSender,
    query: { country: string; query: string },
  ): Promise<CompanySearch | null>;
  chooseCompany(sender: FormSender, businessId: string): Promise<FormResult>;
  enterCompany(sender: FormSender, company: Omit<CompanyEntry, 'businessId'>): Promise<FormResult>;
  /** Completes an invited buyer, and requests a credit facility if it has none, or first sends the code for it. */
  enterDetails(
    sender: FormSender,
    details: {
      person: PersonEntry;
      delivery: { to: string; address: Record<keyof Address, string> };
      /** If absent, the earlier entries are kept. */
      invoice?: TypedInvoice;
    },
  ): Promise<FormResult>;
  /** Opens the review of a refusal, once for each decision. */
  requestReview(sender: FormSender): Promise<FormResult>;
  choosePayment(sender: FormSender, term: string): Promise<FormResult>;
  /** Places the order once, regardless of the number of requests. */
  placeOrder(sender: FormSender, consent: { isGiven: boolean; termsVersion: string }): Promise<FormResult>;
  cancelOrder(sender: FormSender): Promise<FormResult>;
}
