/** What a bank says, whatever the format of its file: statements with entries, and answers about payments. */
import type { Currency } from '#kernel/currency';

/** An account as a bank names it. */
export interface NamedAccount {
  /** An IBAN, or the number that the bank has for it. Without spaces. */
  number: string;
  /** Null if the bank says none. */
  currency: Currency | null;
}

export interface StatementBegin {
  kind: 'statement';
  account: NamedAccount;
  /** The bank's own name of the statement, which it may use again. */
  reference: string;
  /** Notifications have no balances. */
  type: 'STATEMENT' | 'NOTIFICATION';
  /** Days: `2025-11-20`; null if the bank says none. */
  fromDay: string | null;
  toDay: string | null;
}

/** Booked balances, signed: a debt is negative. */
export interface StatementEnd {
  kind: 'end';
  opening: DatedAmount | null;
  closing: DatedAmount | null;
  /** The booked entries between them. */
  bookedMinor: bigint;
}

export interface DatedAmount {
  amountMinor: number;
  day: string;
}

/** Booked, expected by the bank, or for information only. */
export type EntryStatus = 'BOOK' | 'PDNG' | 'INFO';
export const BOOKED: EntryStatus = 'BOOK';

/** One change of an account's balance. */
export interface BankEntryRecord {
  kind: 'entry';
  status: EntryStatus;
  /** The bank's reference; empty if it gives none. */
  bankReference: string;
  /** Minor units: money that came in is positive. */
  amountMinor: number;
  currency: Currency;
  bookedOn: string;
  valueOn: string | null;
  /** It takes an earlier entry back. */
  isReversal: boolean;
  /** The bank charges for its service. */
  isCharge: boolean;
  /** Several payments in one entry, whose details do not stand here. */
  isBatch: boolean;
  /** What the bank writes beside it. */
  text: string;
  details: BankDetail[];
}

/** One payment of an entry: the only one, or one of a batch. */
export interface BankDetail {
  /** Minor units, signed as the entry is. */
  amountMinor: number;
  endToEndId: string | null;
  /** References of the payment by which the bank may name it again. */
  references: string[];
  /** Structured references of the creditor, as they were sent. */
  creditorReferences: string[];
  /** What the payer wrote, with what stands in structured fields. */
  remittance: string;
  counterparty: Counterparty;
  /** Why a payment came back: `AC04`; null for one that did not. */
  returnReason: string | null;
}

export interface Counterparty {
  name: string | null;
  /** Without spaces. */
  account: string | null;
}

/** The bank's answer to a payment order. */
export interface PaymentStatusRecord {
  kind: 'payment status';
  /** What the answer is about: a whole file, one of its parts, or a payment. */
  about: 'FILE' | 'BATCH' | 'PAYMENT';
  /** As we named them; null if the answer does not say. */
  messageId: string | null;
  batchId: string | null;
  endToEndId: string | null;
  /** ISO 20022: `RJCT`, `ACSC`. */
  status: string;
  reason: string | null;
}

/** The last record of every file. */
export interface FileEnd {
  kind: 'file';
  /** SHA-256. */
  hash: Buffer;
}

export type BankRecord = StatementBegin | BankEntryRecord | StatementEnd | PaymentStatusRecord | FileEnd;

/** The file says something that cannot be. The message completes “The file …”. */
export class WrongBankFile extends Error {}
