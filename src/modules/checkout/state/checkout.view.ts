/** What a checkout's pages show and send back: the border between this module and whoever draws it. */
import type { Address } from '#kernel/address';
import type { Currency } from '#kernel/currency';
import type { LegalForm } from '#kernel/fields';
import type { Formality, Language } from '#kernel/language';
import type { PaymentTerm } from '#kernel/payment-term';
import type { MessageKey, MessageValues } from '#messages';
import type { OfferedTerm, TermOffer, UnavailableReason } from '#modules/facilities';

/** In their order. `code` comes first, and only for a buyer about whom something is on file that may be shown after it. */
export const STEPS = ['code', 'company', 'details', 'payment', 'review', 'outcome'] as const;
export type CheckoutStep = (typeof STEPS)[number];

/** What is wrong with a field of a form; the sentence is the message `error`. */
export interface FieldError {
  /**
   * The name of the form's field; null for what is wrong with all of it. Those of a company and of a person are called as
   * in CompanyEntry and PersonEntry, those of a delivery `delivery.to`, `delivery.street` and so on; beside them there are
   * `businessId`, `code`, `term`, `consent` and `language`.
   */
  field: string | null;
  error: MessageKey & `error.${string}`;
  values?: MessageValues;
}

export interface PlatformView {
  code: string;
  name: string;
  /** Where most of its buyers are: ISO 3166-1 alpha-2. */
  country: string;
  /** The file's name under /checkout/logos/, which changes with its content; null: the name is shown alone. */
  logo: string | null;
  /** Whom a buyer may write to; null: nobody is named. */
  helpEmail: string | null;
  /** Origins that the page may be framed by. */
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

/** As it was typed, or taken from the register. */
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
  /** The register's id where it was chosen from there; the fields above then say what the register knows. */
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

/** A company found in the register, for the list to choose from. */
export interface FoundCompany {
  businessId: string;
  legalName: string;
  tradingName: string | null;
  address: Address;
  /** Numbers by which somebody knows the right one of two with the same name. */
  identifiers: string[];
}

export interface CompanySearch {
  country: string;
  query: string;
  found: FoundCompany[];
  total: number;
}

/** Where the buyer's credit stands, in so far as the page says something different. */
export type CreditState = 'OFFERED' | 'UNDER_REVIEW' | 'REFUSED';

export type CheckoutOutcome = 'CONFIRMED' | 'UNDER_REVIEW' | 'REFUSED' | 'CANCELLED' | 'EXPIRED' | 'COMPLETE';

export interface CheckoutView {
  platform: PlatformView;
  language: Language;
  formality: Formality;
  order: OrderView;
  /** Of what was entered: sent back with every form, so that two windows cannot overwrite each other unseen. */
  version: number;
  /** The first step that is not done. Those before it, in `steps`, may be visited again. */
  step: CheckoutStep;
  /** The steps that this checkout has: what is not missing is not asked. */
  steps: CheckoutStep[];
  /** The buyer's legal name where this browser may see it. */
  companyName: string | null;
  code: {
    /** `c•••@m•••.example` */
    maskedEmail: string;
    isSent: boolean;
    validMinutes: number;
    /** 0: now. */
    againInSeconds: number;
  } | null;
  /** Null while nothing was entered, and for a browser that may not see it. */
  company: CompanyEntry | null;
  /** The company is on file: it is shown, not asked. */
  isCompanyOnFile: boolean;
  person: PersonEntry | null;
  isPersonOnFile: boolean;
  delivery: DeliveryEntry | null;
  credit: CreditState;
  /** Prepayment first. Where the decision is under review, `isUpTo`: the fee is what it is at most. */
  offers: OfferedTerm[];
  unavailable: { term: PaymentTerm; reason: UnavailableReason | 'RISK' }[];
  /** What was chosen of the offers, while it is offered. */
  choice: PaymentTerm | null;
  termsVersion: string;
  outcome: CheckoutOutcome | null;
  /** What was agreed on: once the order is placed. */
  agreed: TermOffer | null;
  /** Masked for a browser that may not see it. */
  notifiedEmail: string | null;
  /** The signed way back to the platform, by the outcome; null where the platform named none. */
  returnUrlFor: string | null;
  /** Whether the buyer may still cancel. */
  isCancellable: boolean;
}

/** What an address with a token leads to. Forged, expired and revoked tokens are the same. */
export type Opened =
  | { kind: 'UNKNOWN' }
  | { kind: 'DISABLED'; platform: PlatformView; language: Language; formality: Formality }
  | {
      kind: 'OPEN';
      view: CheckoutView;
      /** Set where this browser had none that is good: to be kept in its cookie. */
      newSession: string | null;
    };

/**
 * What a form did. `DECIDED`: done, and the buyer's credit was decided about, so that the page of the payment terms has news.
 * `STALE`: it was made from another version, nothing was done, and the page shows how things stand.
 */
export type FormResult =
  | { kind: 'DONE' }
  | { kind: 'DECIDED' }
  | { kind: 'STALE' }
  | { kind: 'NO_SESSION' }
  | { kind: 'UNKNOWN' }
  | { kind: 'REFUSED'; errors: FieldError[] };

/** Who sends a form: the token of the address, the session of the cookie, and the version its page was made from. */
export interface FormSender {
  token: string;
  session: string | null;
  version: number | null;
}

/**
 * The forms, as the surface calls them. Texts come as they were typed: trimming, checking and refusing is done here.
 */
export interface CheckoutForms {
  open(token: string, session: string | null): Promise<Opened>;
  /** Anonymous: says only the outcome, for the page that waits for it. Null for an unknown token. */
  statusOf(token: string): Promise<{ outcome: CheckoutOutcome | null; version: number } | null>;
  chooseLanguage(sender: FormSender, language: string): Promise<FormResult>;
  sendCode(sender: FormSender): Promise<FormResult>;
  enterCode(sender: FormSender, code: string): Promise<FormResult>;
  /** Null for an unknown token or a session that may not. At least two characters are searched for. */
  searchCompanies(
    sender: FormSender,
    query: { country: string; query: string },
  ): Promise<CompanySearch | null>;
  chooseCompany(sender: FormSender, businessId: string): Promise<FormResult>;
  enterCompany(sender: FormSender, company: Omit<CompanyEntry, 'businessId'>): Promise<FormResult>;
  /** Completes the buyer, and asks for its credit facility where it has none: then the payment terms are known. */
  enterDetails(
    sender: FormSender,
    details: { person: PersonEntry; delivery: { to: string; address: Record<keyof Address, string> } },
  ): Promise<FormResult>;
  choosePayment(sender: FormSender, term: string): Promise<FormResult>;
  /** Confirms once, however often it is sent. */
  placeOrder(sender: FormSender, consent: { isGiven: boolean; termsVersion: string }): Promise<FormResult>;
  cancelOrder(sender: FormSender): Promise<FormResult>;
}
