/** Creates an entry of a bank without a file, in a sandbox: it is recorded and booked like one from a statement. */
import { randomUUID } from 'node:crypto';
import type { Currency } from '#kernel/currency';
import { localDayOf } from '#kernel/local-day';
import { notFound } from '#kernel/problem';
import { findBankAccount } from './bank-account.queries.ts';
import { referenceMac } from './bank-details.ts';
import type { BankTransactionStatus } from './bank-transaction.lifecycle.ts';
import { findTransactionOf, listMatches } from './bank-transaction.queries.ts';
import type { MatchingContext } from './banking-context.ts';
import { bookReceived } from './book-transactions.ts';
import { EntryWriter } from './entry-writer.ts';
import { BOOKED } from './formats/bank-document.ts';
import type { QueueReason } from './matching.rules.ts';

export interface SimulatedEntry {
  bankAccount: string;
  /** Minor units: positive for incoming money. */
  amountMinor: number;
  text: string;
  endToEndId: string | null;
  counterpartyName: string | null;
  isReversal: boolean;
}

/** The result of booking the entry. */
export interface BookedEntry {
  bank_account_external_id: string;
  amount: number;
  currency: Currency;
  status: BankTransactionStatus;
  queue_reason: QueueReason | null;
  invoice_external_ids: string[];
  payout_external_ids: string[];
}

/** Throws NOT_FOUND for an unknown bank account. */
export async function recordSimulatedEntry(
  context: MatchingContext,
  { bankAccount, amountMinor, text, endToEndId, counterpartyName, isReversal }: SimulatedEntry,
): Promise<BookedEntry> {
  const { db, platformId, now, timeZone, vault } = context;
  const account = await findBankAccount(db, platformId, bankAccount);
  if (!account) throw notFound();
  const bankReference = randomUUID();
  const detail = {
    ...{ amountMinor, endToEndId, creditorReferences: [], remittance: text, returnReason: null },
    references: endToEndId === null ? [] : [endToEndId],
    counterparty: { name: counterpartyName, account: null },
  };
  const writer = new EntryWriter(context, account, 'NOTIFICATION');
  await writer.add({
    ...{ kind: 'entry', status: BOOKED, bankReference, amountMinor, currency: account.currency },
    ...{ bookedOn: localDayOf(now, timeZone), valueOn: null, isReversal, isCharge: false, isBatch: false },
    ...{ text: '', details: [detail] },
  });
  await writer.end();
  await bookReceived(context);
  const transaction = await findTransactionOf(db, platformId, referenceMac(vault, bankReference));
  if (!transaction) throw new Error('The entry was not recorded.');
  const matches = await listMatches(db, platformId, transaction);
  return {
    ...{ bank_account_external_id: bankAccount, amount: amountMinor, currency: account.currency },
    ...{ status: transaction.status, queue_reason: transaction.queue_reason },
    invoice_external_ids: matches.flatMap(({ invoiceExternalId }) => invoiceExternalId ?? []),
    payout_external_ids: matches.flatMap(({ payoutExternalId }) => payoutExternalId ?? []),
  };
}
