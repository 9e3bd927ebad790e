/**
 * What a small model of credit knows of one buyer, and what it says of a request. It is written from the description of
 * the service, in plain objects, and shares nothing with the code: where the two differ, one of them is wrong.
 */

/** The one buyer of a run. */
export const BUYER = 'buyer';
export const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 86_400;

export type FacilityStatus = 'PENDING' | 'ACTIVE' | 'REJECTED' | 'FROZEN' | 'EXPIRED';
export type OrderStatus =
  | 'DRAFT'
  | 'CANCELLED'
  | 'CLOSED'
  | 'PENDING_CONFIRMATION'
  | 'CONFIRMED'
  | 'EXPIRED'
  | 'DISBURSED';
/** What is asked for a facility. */
export type Action = 'CREATION' | 'RENEWAL' | 'INCREASE';
export type Verdict = 'ACCEPT' | 'REJECT';

/** The outcome script of the buyer: what the next decision about its facility will be. */
export const SCRIPTS = [
  'accepted',
  'in-review',
  'review-then-accept',
  'review-then-reject',
  'rejected',
  'low-limit',
  'renewal-lower',
] as const;
export type Script = (typeof SCRIPTS)[number];
/** Those that mean something to an order; null for an order that nobody looks at. */
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
  used: number;
  pending: number;
  expiresAt: number | null;
  renewalDueAt: number | null;
  /** What waits for a person, with the number of the case. */
  actions: Map<Action, number>;
}

export interface Invoice {
  id: string;
  amount: number;
  /** What it still uses of the facility. */
  used: number;
}

export interface Order {
  id: string;
  status: OrderStatus;
  gross: number;
  createdAt: number;
  isOnCredit: boolean;
  script: OrderScript;
  reserved: number;
  /** The live ones. */
  invoices: Invoice[];
  expiresAt: number | null;
  isClosedShort: boolean;
}

/** Something that a person must decide. */
export interface Case {
  number: number;
  about: Action | 'ORDER';
  order: Order | null;
  status: 'OPEN' | 'AWAITING_APPROVAL' | 'ENDED';
  requested: number | null;
  /** The most that one person may grant; null where it takes two. */
  aloneMax: number | null;
  proposed: number | null;
  scripted: { at: number; verdict: Verdict } | null;
}

export interface Model {
  startedAt: number;
  now: number;
  script: Script;
  facility: Facility | null;
  orders: Order[];
  reviews: Case[];
  /** The last decision about the facility, where the policy refused; with the case that was opened against it. */
  refusal: { about: Action; requested: number | null; case: Case | null } | null;
}

export function newModel(now: number): Model {
  return { startedAt: now, now, script: 'accepted', facility: null, orders: [], reviews: [], refusal: null };
}

/** What the service answers. */
export interface Answer {
  status: number;
  reason?: string;
  /** With INVALID_STATUS_TRANSITION: what the status does have. */
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

export function openCase(model: Model, opened: Omit<Case, 'number' | 'status' | 'proposed'>): Case {
  const added: Case = { ...opened, number: model.reviews.length + 1, status: 'OPEN', proposed: null };
  model.reviews.push(added);
  return added;
}

export const undecided = (model: Model) => model.reviews.filter(({ status }) => status !== 'ENDED');

/** How a case ends by itself, a day after it was opened. */
export function scriptedEnd(script: Script | OrderScript, at: number): Case['scripted'] {
  if (script === 'review-then-accept') return { at: at + DAY_SECONDS, verdict: 'ACCEPT' };
  if (script === 'review-then-reject') return { at: at + DAY_SECONDS, verdict: 'REJECT' };
  return null;
}

/** What of an order live invoices have taken. */
export const invoicedOf = (order: Order) => order.invoices.reduce((sum, { amount }) => sum + amount, 0);

/** What orders may still take. */
export const availableOf = ({ status, total, used, pending }: Facility) =>
  status === 'EXPIRED' ? 0 : Math.max(0, total - used - pending);
