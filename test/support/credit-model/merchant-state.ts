/** What the merchant of a run has in the model: services on its invoices, accounts, and what it is paid. */
import type { Invoice, Payment } from './state.ts';

export type ServiceType = 'FINANCING' | 'INSURANCE' | 'COLLECTION';
export type ServiceStatus =
  | 'IN_REVIEW'
  | 'ACCEPTED'
  | 'REJECTED'
  | 'CANCELLED'
  | 'PAID_OUT'
  | 'SETTLED'
  | 'DEFAULTED'
  | 'COVER_EXPIRED'
  | 'CLAIM_NOTIFIED'
  | 'CLAIM_IN_ASSESSMENT'
  | 'CLAIM_PAID'
  | 'CLAIM_DENIED'
  | 'EARLY_COLLECTION'
  | 'LATE_COLLECTION'
  | 'COLLECTED'
  | 'UNCOLLECTIBLE';

export interface Service {
  id: string;
  type: ServiceType;
  invoice: Invoice;
  status: ServiceStatus;
  createdAt: number;
  /** When it is examined at the latest; null if nothing is waited for. */
  examineAt: number | null;
  /** What was not met when it was last examined. */
  requirements: string[];
  /** What the invoice claims for goods. */
  base: number;
  feeNet: number;
  feeTax: number;
  /** What the merchant owed. */
  setOff: number;
  /** What the merchant is paid. */
  advance: number;
  /** What the invoice uses of the facility only because of it. */
  credit: number;
  isWrittenOff: boolean;
}

/** A bank account of the merchant. */
export interface Payee {
  id: string;
  status: 'UNVERIFIED' | 'VERIFIED' | 'REJECTED' | 'DELETED';
  createdAt: number;
  updatedAt: number;
  payableFrom: number;
}

export interface Payout {
  id: string;
  status: 'SCHEDULED' | 'INSTRUCTED' | 'PAID' | 'FAILED' | 'CANCELLED';
  amount: number;
  payee: Payee;
  /** The business day, as a number of days since 1970. */
  day: number;
  paidAt: number | null;
  /** When it is paid without a transfer, because debts take all of it. */
  netsAt: number | null;
}

/** What the merchant is paid, or what is deducted. */
export interface PayoutLine {
  kind: 'ADVANCE' | 'COLLECTED' | 'SET_OFF';
  invoice: Invoice | null;
  service: Service | null;
  amount: number;
  /** The earliest day. */
  from: number;
  /** Null while it waits. */
  payout: Payout | null;
}

/** What the bank reports: money in, or out below 0. */
export interface BankEntry {
  id: string;
  amount: number;
  takesBack: boolean;
  endToEndId: string;
  /** The beginning of its day: banks name no hour. */
  bookedAt: number;
  status: 'QUEUED' | 'MATCHED' | 'REVERSED' | 'DETAILED';
  /** What it turned out to be: a payment of a buyer, a payout, or a charge of the bank. */
  payment: Payment | null;
  payout: Payout | null;
  isCharge: boolean;
  /** What it is the sum of; null for one payment. */
  batch: Batch | null;
}

/** Payments that the bank reports as one sum, and one by one later: one of an invoice, and one that names nothing. */
export interface Batch {
  invoice: Invoice;
  amounts: readonly [number, number];
}

export interface Merchant {
  payees: Payee[];
  payouts: Payout[];
  lines: PayoutLine[];
  /** When it is next looked at what is to be paid. */
  runsAt: number;
  /** When a payout is formed of what waits; null if nothing does. */
  paysAt: number | null;
}

export const newMerchant = (): Merchant => ({ payees: [], payouts: [], lines: [], runsAt: 0, paysAt: null });
