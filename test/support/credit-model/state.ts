/**
 * The state of a small model of credit for one buyer. The model is written from the specification, in plain objects, and shares no code
 * with the service: if the two differ, one of them is wrong.
 */
import { type BankEntry, type Merchant, newMerchant, type Service } from './merchant-state.ts';

/** The only buyer of a run. */
export const BUYER = 'buyer';
export const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 86_400;
/** Days count in UTC. */
export const dayOf = (at: number) => Math.floor(at / DAY_SECONDS);
/** The first instant after the day of an instant. */
export const endOfDay = (at: number) => (dayOf(at) + 1) * DAY_SECONDS;

export type FacilityStatus = 'PENDING' | 'ACTIVE' | 'REJECTED' | 'FROZEN' | 'EXPIRED';
export type OrderStatus =
  | 'DRAFT'
  | 'CANCELLED'
  | 'CLOSED'
  | 'PENDING_CONFIRMATION'
  | 'CONFIRMED'
  | 'EXPIRED'
  | 'DISBURSED';
/** The actions on a facility. */
export type Action = 'CREATION' | 'RENEWAL' | 'INCREASE';
export type Verdict = 'ACCEPT' | 'REJECT';

export type Term = 'PREPAYMENT' | 'DEFER_30D' | 'DEFER_120D' | 'SPLIT_3M';

/** The outcome script of the buyer, which the next decision about its facility follows. */
export const SCRIPTS = [
  'accepted',
  'in-review',
  'review-then-accept',
  'review-then-reject',
  'rejected',
  'low-limit',
  'renewal-lower',
  /** No script: the policy decides. */
  'none',
] as const;
export type Script = (typeof SCRIPTS)[number];
/** The scripts that affect orders; null for an order without a review. */
export const ORDER_SCRIPTS = [
  null,
  'in-review',
  'review-then-accept',
  'review-then-reject',
  'rejected',
] as const;
export type OrderScript = (typeof ORDER_SCRIPTS)[number];

export interface Facility {
  status: FacilityStatus;
  total: number;
  expiresAt: number | null;
  renewalDueAt: number | null;
  /** Whether the dissolution of the company freezes it. */
  isFollowing: boolean;
  /** The judgement of the policy that decided last about a first order that is delivered elsewhere; null if no policy decided. */
  judgement: 'REFER' | 'REJECT' | null;
  /** When the current freeze began; null without one. */
  frozenAt: number | null;
  /** The pending actions, with the number of the review. */
  actions: Map<Action, number>;
}

export type InvoiceStatus = 'OPEN' | 'DUE' | 'CLOSED' | 'CANCELLED';

/** The amount due on one day, before payments and credit notes. */
export interface Claim {
  dueAt: number;
  goods: number;
  fee: number;
}

export interface CreditNote {
  net: number;
  tax: number;
  gross: number;
}

/** A payment of the buyer. */
export interface Payment {
  id: string;
  /** The invoice on which it was recorded. */
  invoice: Invoice;
  /** The order that it pays in advance. */
  order: Order | null;
  amount: number;
  isAtPlatform: boolean;
  paidAt: number;
  isReversed: boolean;
  /** The amount by which the bank received less than the payment counts for. */
  difference: number;
}

export interface Invoice {
  id: string;
  net: number;
  tax: number;
  invoicedAt: number;
  /** The amounts taken from its orders, in the order in which it lists them, with its part of their fees. */
  parts: { order: Order; amount: number; feeNet: number; feeTax: number }[];
  /** The instalments, in the order of their days. */
  claims: Claim[];
  status: InvoiceStatus;
  /** When an OPEN one turns DUE. */
  fallsDueAt: number | null;
  /** When a DUE one is judged for default; null if it is one. */
  judgedAt: number | null;
  isDefaulted: boolean;
  paidAt: number | null;
  /** The payments that settle some of it, in the order in which they were applied. */
  money: { payment: Payment; amount: number }[];
  notes: CreditNote[];
  /** Whether it has a document of the kind INVOICE. */
  hasFile: boolean;
  /** The use of the facility that its financing adds. */
  financedCredit: number;
  /** The written-off amount of its goods. */
  writtenOff: number;
}

export interface Order {
  id: string;
  status: OrderStatus;
  gross: number;
  createdAt: number;
  /** Null until it is agreed. */
  term: Term | null;
  /** From when the term counts. */
  orderedAt: number;
  script: OrderScript;
  /** Whether it needs an increase of the facility that a person decides. */
  awaitsIncrease: boolean;
  reserved: number;
  /** The amount that invoices took from it and did not return. */
  invoiced: number;
  expiresAt: number | null;
  isClosedShort: boolean;
  /** When it was paid in advance. */
  paidAt: number | null;
}

/** A review: a question that a person must decide. */
export interface Review {
  number: number;
  about: Action | 'ORDER';
  order: Order | null;
  status: 'OPEN' | 'AWAITING_APPROVAL' | 'ENDED';
  requested: number | null;
  /** The maximum that one person may grant; null if it takes two. */
  aloneMax: number | null;
  proposed: number | null;
  scripted: { at: number; verdict: Verdict } | null;
}

export type RegistryStatus = 'ACTIVE' | 'IN_LIQUIDATION' | 'DISSOLVED';

/** The data of the registry and the platform about the company. */
export interface Company {
  registryStatus: RegistryStatus;
  /** Whether the buyer has another name than the company with its number. */
  isRenamed: boolean;
  identityChangedAt: number;
  /** Whether its goods are delivered to another place than its seat. */
  isElsewhere: boolean;
  /** The last decision by which a person granted it credit. */
  grantedByPersonAt: number | null;
}

/** Settings of the limit policy from an instant on; null inherits. */
export interface LimitVersion {
  from: number;
  tolerance_percent: number | null;
  authorization_limit_days: number | null;
  expiresAt: number | null;
}

export interface Model {
  startedAt: number;
  now: number;
  script: Script;
  facility: Facility | null;
  orders: Order[];
  invoices: Invoice[];
  payments: Payment[];
  services: Service[];
  merchant: Merchant;
  bankEntries: BankEntry[];
  reviews: Review[];
  company: Company;
  /** The versions, oldest first. */
  limits: { platform: LimitVersion[]; buyer: LimitVersion[] };
  /** The last decision about the facility if the policy rejected it, with the review of it. */
  refusal: { about: Action; requested: number | null; review: Review | null } | null;
}

export function newModel(now: number): Model {
  return {
    ...{ startedAt: now, now, script: 'accepted', facility: null, orders: [] },
    ...{ invoices: [], payments: [], services: [], merchant: newMerchant(), bankEntries: [] },
    ...{ reviews: [], refusal: null },
    limits: { platform: [], buyer: [] },
    company: {
      ...{ registryStatus: 'ACTIVE', isRenamed: false, isElsewhere: false },
      ...{ identityChangedAt: now, grantedByPersonAt: null },
    },
  };
}

/** The expected answer of the service. */
export interface Answer {
  status: number;
  reason?: string;
  /** With INVALID_STATUS_TRANSITION: the allowed triggers. */
  allowed?: readonly string[];
  /** With FACILITY_EXCEEDED_AVAILABLE_AMOUNT. */
  available?: number;
}

export const done = (status = 200): Answer => ({ status });
export const refused = (status: number, reason?: string, more: Partial<Answer> = {}): Answer => ({
  status,
  ...(reason !== undefined && { reason }),
  ...more,
});
export const illegal = (allowed: readonly string[]) =>
  refused(409, 'INVALID_STATUS_TRANSITION', { allowed: allowed });
export const isRefused = ({ status }: Answer) => status >= 400;

export function openReview(model: Model, opened: Omit<Review, 'number' | 'status' | 'proposed'>): Review {
  const added: Review = { ...opened, number: model.reviews.length + 1, status: 'OPEN', proposed: null };
  model.reviews.push(added);
  return added;
}

export const undecided = (model: Model) => model.reviews.filter(({ status }) => status !== 'ENDED');

/** The outcome that a script gives a review a day later. */
export function scriptedEnd(script: Script | OrderScript, at: number): Review['scripted'] {
  if (script === 'review-then-accept') return { at: at + DAY_SECONDS, verdict: 'ACCEPT' };
  if (script === 'review-then-reject') return { at: at + DAY_SECONDS, verdict: 'REJECT' };
  return null;
}
