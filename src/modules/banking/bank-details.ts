/** The sealed details of an entry and a transaction: references, texts, names and accounts. */
import type { PlatformVault } from '#infra/secrets/vault';
import type { BankDetail } from './formats/bank-document.ts';

export interface EntryDetails {
  /** Empty if the bank gives none. */
  bankReference: string;
  text: string;
}

/** For a whole entry whose payments are unknown, only the text is set. */
export type TransactionDetails = Omit<BankDetail, 'amountMinor'>;

export const NO_DETAILS: TransactionDetails = {
  endToEndId: null,
  references: [],
  creditorReferences: [],
  remittance: '',
  counterparty: { name: null, account: null },
  returnReason: null,
};

export const sealEntryDetails = (vault: PlatformVault, entryId: string, details: EntryDetails): Buffer =>
  vault.seal(`bank_entries/${entryId}`, JSON.stringify(details));

export const openEntryDetails = (
  vault: PlatformVault,
  entry: { entry_id: string; entry_details_sealed: Buffer },
): EntryDetails => JSON.parse(vault.open(`bank_entries/${entry.entry_id}`, entry.entry_details_sealed));

export const sealTransactionDetails = (
  vault: PlatformVault,
  transactionId: string,
  details: TransactionDetails,
): Buffer => vault.seal(`bank_transactions/${transactionId}`, JSON.stringify(details));

export const openTransactionDetails = (
  vault: PlatformVault,
  transaction: { transaction_id: string; details_sealed: Buffer },
): TransactionDetails =>
  JSON.parse(vault.open(`bank_transactions/${transaction.transaction_id}`, transaction.details_sealed));

export const referenceMac = (vault: PlatformVault, reference: string): Buffer =>
  vault.mac('bank_references', reference);

export const counterpartyMac = (vault: PlatformVault, number: string | null): Buffer | null =>
  number === null ? null : vault.mac('bank_transactions/counterparty', number);
