/** Writes the entries of one statement, several hundred at a time, and counts each entry once. */
import { randomUUID } from 'node:crypto';
import { transitionOf } from '#kernel/lifecycle';
import type { BankAccountRow } from './bank-account.queries.ts';
import {
  counterpartyMac,
  NO_DETAILS,
  referenceMac,
  sealEntryDetails,
  sealTransactionDetails,
  type TransactionDetails,
} from './bank-details.ts';
import {
  type BankEntryRow,
  type BankTransactionRow,
  findEntryIds,
  insertBankEntries,
  insertBankTransactions,
  lockWaitingWholes,
  type TransactionReference,
} from './bank-entry.queries.ts';
import { bankTransactionLifecycle } from './bank-transaction.lifecycle.ts';
import type { BankingContext } from './banking-context.ts';
import { EntryIdentities, type EntryIdentity } from './entry-identities.ts';
import type { BankEntryRecord, StatementBegin } from './formats/bank-document.ts';
import { replaceByDetails } from './suspense.ts';

/** The number of transactions in a statement to the database, at about a kilobyte each. */
const TRANSACTIONS_AT_ONCE = 500;

interface ReadEntry {
  record: BankEntryRecord;
  row: BankEntryRow;
}

export class EntryWriter {
  readonly #context: BankingContext;
  readonly #account: BankAccountRow;
  readonly #identities: EntryIdentities;
  #read: BankEntryRecord[] = [];
  #transactions = 0;
  #newEntries = 0;

  constructor(context: BankingContext, account: BankAccountRow, type: StatementBegin['type']) {
    this.#context = context;
    this.#account = account;
    this.#identities = new EntryIdentities(context, account, type);
  }

  async add(record: BankEntryRecord): Promise<void> {
    this.#read.push(record);
    this.#transactions += Math.max(1, record.details.length);
    if (this.#transactions >= TRANSACTIONS_AT_ONCE) await this.#write();
  }

  /** Returns the number of new entries. */
  async end(): Promise<number> {
    await this.#write();
    return this.#newEntries;
  }

  #rowOf(record: BankEntryRecord, { mac }: EntryIdentity): BankEntryRow {
    const { platformId, vault, now } = this.#context;
    const { bankReference, amountMinor, bookedOn, isReversal, text } = record;
    const entryId = randomUUID();
    return {
      platform_id: platformId,
      entry_id: entryId,
      bank_account: this.#account.external_id,
      identity_mac: mac,
      currency: record.currency,
      amount: amountMinor,
      booked_on: bookedOn,
      value_on: record.valueOn,
      is_reversal: isReversal,
      is_charge: record.isCharge,
      created_at: now,
      details_sealed: sealEntryDetails(vault, entryId, { bankReference, text }),
    };
  }

  async #write(): Promise<void> {
    const records = this.#read;
    this.#read = [];
    this.#transactions = 0;
    if (records.length === 0) return;
    const { db, platformId } = this.#context;
    const identities = await this.#identities.identify(records);
    const entries = records.map((record, index) => ({
      record,
      row: this.#rowOf(record, identities[index] as EntryIdentity),
    }));
    const inserted = await insertBankEntries(
      db,
      platformId,
      entries.map(({ row }) => row),
    );
    await this.#identities.keep(identities);
    const [fresh, known] = [true, false].map((isNew) =>
      entries.filter(({ row }) => inserted.has(row.entry_id) === isNew),
    ) as [ReadEntry[], ReadEntry[]];
    this.#newEntries += fresh.length;
    await this.#insert([...fresh, ...(await this.#detailed(known))]);
  }

  /** Known entries whose payments arrive only now: they replace the whole entry, unless an operator has matched it. */
  async #detailed(known: readonly ReadEntry[]): Promise<ReadEntry[]> {
    const withDetails = known.filter(({ record }) => record.details.length > 0);
    if (withDetails.length === 0) return [];
    const { db, platformId } = this.#context;
    const account = this.#account.external_id;
    const macs = withDetails.map(({ row }) => row.identity_mac);
    const wholes = await lockWaitingWholes(db, platformId, account, macs);
    if (wholes.length === 0) return [];
    await replaceByDetails(this.#context, wholes);
    const entryIds = await findEntryIds(db, platformId, account, macs);
    const replaced = new Set(wholes.map(({ entry_id }) => entry_id));
    return withDetails.flatMap(({ record, row }) => {
      const entryId = entryIds.get(row.identity_mac.toString('hex')) as string;
      return replaced.delete(entryId) ? [{ record, row: { ...row, entry_id: entryId } }] : [];
    });
  }

  async #insert(entries: readonly ReadEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const { db, platformId, actor } = this.#context;
    const references: TransactionReference[] = [];
    const rows = entries.flatMap((entry) => this.#transactionsOf(entry, references));
    await insertBankTransactions(db, platformId, rows, { references, trigger: 'import', actor });
  }

  #transactionsOf({ record, row }: ReadEntry, references: TransactionReference[]): BankTransactionRow[] {
    const { vault } = this.#context;
    const payments: [number, number, TransactionDetails][] =
      record.details.length === 0
        ? [[0, record.amountMinor, { ...NO_DETAILS, remittance: record.text }]]
        : record.details.map(({ amountMinor, ...details }, index) => [index + 1, amountMinor, details]);
    return payments
      .filter(([, amountMinor]) => amountMinor !== 0)
      .map(([number, amountMinor, details]) => {
        const transactionId = randomUUID();
        for (const reference of referencesOf(record, details))
          references.push({ transactionId, referenceMac: referenceMac(vault, reference) });
        return this.#transactionRow(row, record, { transactionId, number, amountMinor, details });
      });
  }

  #transactionRow(
    row: BankEntryRow,
    { isBatch, isReversal }: BankEntryRecord,
    payment: { transactionId: string; number: number; amountMinor: number; details: TransactionDetails },
  ): BankTransactionRow {
    const { vault, now, platformId } = this.#context;
    const { transactionId, number, amountMinor, details } = payment;
    return {
      platform_id: platformId,
      transaction_id: transactionId,
      entry_id: row.entry_id,
      number,
      booked_on: row.booked_on,
      amount: amountMinor,
      status: transitionOf(bankTransactionLifecycle, null, 'import').to,
      version: 1,
      created_at: now,
      updated_at: now,
      is_batch: isBatch,
      takes_back: isReversal || details.returnReason !== null,
      queue_reason: null,
      details_sealed: sealTransactionDetails(vault, transactionId, details),
      counterparty_mac: counterpartyMac(vault, details.counterparty.account),
      ledger_entry: null,
    };
  }
}

/** The references by which the bank can name the payment again. */
function referencesOf(
  { bankReference, details }: BankEntryRecord,
  { references }: TransactionDetails,
): string[] {
  return details.length > 1 || bankReference === ''
    ? references
    : [...new Set([...references, bankReference])];
}
