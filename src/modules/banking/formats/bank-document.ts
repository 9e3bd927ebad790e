/** The content of bank files, regardless of their format: statements with entries, and answers about payments. */
import type { Currency } from '#kernel/currency';

/** An account as a bank names it. */
export interface NamedAccount {
  /** An IBAN, or the bank's number for it, without spaces. */
  number: string;
  /** Null if the bank names none. */
  currency: Currency | null;
}

export interface StatementBegin {
  kind: 'statement';
  account: NamedAccount;
  /** The bank's own reference of the statement, which it may use again. */
  reference: string;
  /** Notifications contain no balances. */
  type: 'STATEMENT' | 'NOTIFICATION';
  /** A day: `2025-11-20`; null if the bank names none. */
  fromDay: string | null;
  toDay: string | null;
}

/** Booked balances, signed: a debt is negative. */
export interface StatementEnd {
  kind: 'end';
  opening: DatedAmount | null;
  closing: DatedAmount | null;
  /** The sum of the booked entries between the balances. */
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
  /** Minor units: positive for incoming money. */
  amountMinor: number;
  currency: Currency;
  bookedOn: string;
  valueOn: string | null;
  /** The entry reverses an earlier one. */
  isReversal: boolean;
  /** The entry is a charge of the bank. */
  isCharge: boolean;
  /** The entry contains several payments, whose details are not in this document. */
  isBatch: boolean;
  /** The bank's text about the entry. */
  text: string;
  details: BankDetail[];
}

/** One payment of an entry: the only one, or one of a batch. */
export interface BankDetail {
  /** Minor units, with the sign of the entry. */
  amountMinor: number;
  endToEndId: string | null;
  /** References of the payment by which the bank may name it again. */
  references: string[];
  /** Structured references of the creditor, as the payer sent them. */
  creditorReferences: string[];
  /** The payer's text, including the contents of structured fields. */
  remittance: string;
  counterparty: Counterparty;
  /** Why a payment was returned: `AC04`; null if it was not. */
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
  /** The subject of the answer: a whole file, one of its parts, or a payment. */
  about: 'FILE' | 'BATCH' | 'PAYMENT';
  /** The ids that we gave them; null if the answer names none. */
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

/** The content of the file is contradictory or invalid. The message completes “The file …”. */
export class WrongBankFile extends Error {}
