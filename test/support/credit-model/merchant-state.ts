/** The state of a run's merchant in the model: services on its invoices, accounts, and payouts. */
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
  /** When it is examined at the latest; null if it waits for nothing. */
  examineAt: number | null;
  /** The requirements that were not met at the last examination. */
  requirements: string[];
  /** The amount of the invoice for goods. */
  base: number;
  feeNet: number;
  feeTax: number;
  /** The merchant's debt that is set off. */
  setOff: number;
  /** The amount paid to the merchant. */
  advance: number;
  /** The use of the facility by the invoice that the financing adds. */
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
  /** When it is settled without a transfer, because debts consume all of it. */
  netsAt: number | null;
}

/** An amount that the merchant is paid, or a deduction. */
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

/** A report of the bank: incoming money, or negative for outgoing. */
export interface BankEntry {
  id: string;
  amount: number;
  takesBack: boolean;
  endToEndId: string;
  /** The beginning of its day, because banks report no hour. */
  bookedAt: number;
  status: 'QUEUED' | 'MATCHED' | 'REVERSED' | 'DETAILED';
  /** Its purpose: a payment of a buyer, a payout, or a bank charge. */
  payment: Payment | null;
  payout: Payout | null;
  isCharge: boolean;
  /** The batch that it is the sum of; null for a single payment. */
  batch: Batch | null;
}

/** Payments that the bank reports first as one sum and later one by one: one of an invoice, and one without a reference. */
export interface Batch {
  invoice: Invoice;
  amounts: readonly [number, number];
}

export interface Merchant {
  payees: Payee[];
  payouts: Payout[];
  lines: PayoutLine[];
  /** When the next payout run takes place. */
  runsAt: number;
  /** When a payout of the waiting lines is formed; null if none wait. */
  paysAt: number | null;
}

export const newMerchant = (): Merchant => ({ payees: [], payouts: [], lines: [], runsAt: 0, paysAt: null });
