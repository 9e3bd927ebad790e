/** Imports a file of a bank: stores its entries, which `bookTransactions` then books. */
import { basename } from 'node:path';
import { discardPlans } from '#infra/database/database';
import { dayLater } from '#kernel/day';
import { localDayOf } from '#kernel/local-day';
import { StartRefused } from '#kernel/start-refused';
import { type BankAccountRow, lockBankAccount } from './bank-account.queries.ts';
import { readBankAccounts } from './bank-account.ts';
import { insertBankStatement, isFileImported } from './bank-entry.queries.ts';
import type { BankingContext } from './banking-context.ts';
import { EntryWriter } from './entry-writer.ts';
import type {
  BankEntryRecord,
  PaymentStatusRecord,
  StatementBegin,
  StatementEnd,
} from './formats/bank-document.ts';
import { type BankFile, readBankFile } from './formats/read-bank-file.ts';
import { moneyText } from './money-text.ts';
import { applyAnswers } from './payment-answers.ts';

export interface BankImport {
  /** Whether the same file was imported before: then it contains nothing new. */
  isKnown: boolean;
  statements: number;
  /** The booked entries, and the ones that no file had reported before. */
  entries: number;
  newEntries: number;
  /** Entries that are not booked, which have no effect. */
  unbooked: number;
  /** Payouts that the bank has rejected. */
  failedPayouts: string[];
  /** Answers of the bank that wait in the queue. */
  queuedAnswers: number;
}

/** The date of a bank can be ahead of the platform's because of its time zone. */
const DAYS_AHEAD_MAX = 1;
const ANSWERS_AT_ONCE = 500;

/**
 * Reads the file in the transaction of the context, one record at a time: a refused file leaves nothing behind.
 * Throws StartRefused for a file that cannot be read, an account that is not the platform's, and balances that do not add up.
 */
export async function importBankFile(context: BankingContext, file: BankFile): Promise<BankImport> {
  const importing = new FileImport(context, basename(file.path), await readBankAccounts(context));
  for await (const record of readBankFile(file)) {
    if (record.kind === 'statement') await importing.begin(record);
    else if (record.kind === 'entry') await importing.add(record);
    else if (record.kind === 'payment status') await importing.answer(record);
    else if (record.kind === 'end') await importing.end(record);
    else if (record.kind === 'file') await importing.finish(record.hash);
  }
  return importing.summary;
}

/** A statement whose entries are being read. */
interface OpenStatement {
  begin: StatementBegin;
  account: BankAccountRow;
  writer: EntryWriter;
  entries: number;
}

class FileImport {
  readonly summary: BankImport = {
    ...{ isKnown: false, statements: 0, entries: 0, newEntries: 0, unbooked: 0 },
    ...{ failedPayouts: [], queuedAnswers: 0 },
  };
  readonly #context: BankingContext;
  readonly #name: string;
  readonly #accounts: Awaited<ReturnType<typeof readBankAccounts>>;
  readonly #ended: (OpenStatement & { end: StatementEnd; newEntries: number })[] = [];
  #open: OpenStatement | null = null;
  #answers: PaymentStatusRecord[] = [];

  constructor(context: BankingContext, name: string, accounts: Awaited<ReturnType<typeof readBankAccounts>>) {
    this.#context = context;
    this.#name = name;
    this.#accounts = accounts;
  }

  async begin(begin: StatementBegin): Promise<void> {
    const account = this.#accounts.named(begin.account);
    const { db, platformId } = this.#context;
    await lockBankAccount(db, platformId, account.external_id);
    // An earlier statement may have been small.
    await discardPlans(db);
    this.#open = { begin, account, writer: new EntryWriter(this.#context, account, begin.type), entries: 0 };
  }

  async add(entry: BankEntryRecord): Promise<void> {
    const { account, writer } = this.#statement;
    if (entry.currency !== account.currency)
      throw this.#refused(
        `has an entry in ${entry.currency} for the account ${account.external_id}, whose currency is ${account.currency}`,
      );
    // Expected entries, those for information, and those that do not change the balance.
    if (entry.status !== 'BOOK' || entry.amountMinor === 0) {
      this.summary.unbooked += 1;
      return;
    }
    if (entry.bookedOn > this.#lastDay())
      throw this.#refused(`has an entry that is booked on ${entry.bookedOn}, a day in the future`);
    this.#statement.entries += 1;
    await writer.add(entry);
  }

  async answer(record: PaymentStatusRecord): Promise<void> {
    this.#answers.push(record);
    if (this.#answers.length >= ANSWERS_AT_ONCE) await this.#apply();
  }

  async #apply(): Promise<void> {
    const answers = this.#answers;
    this.#answers = [];
    if (answers.length === 0) return;
    const { failed, queued } = await applyAnswers(this.#context, answers);
    this.summary.failedPayouts.push(...failed);
    this.summary.queuedAnswers += queued;
  }

  async end(end: StatementEnd): Promise<void> {
    const { writer, account } = this.#statement;
    this.#assertAddsUp(account, end);
    const newEntries = await writer.end();
    this.#ended.push({ ...this.#statement, end, newEntries });
    this.#open = null;
  }

  /** Writes the statements last, because the hash of their file is known only then. */
  async finish(fileHash: Buffer): Promise<void> {
    await this.#apply();
    const { db, platformId, vault, actor, now } = this.#context;
    if (await isFileImported(db, platformId, fileHash)) this.summary.isKnown = true;
    for (const [index, { begin, account, end, entries, newEntries }] of this.#ended.entries()) {
      this.summary.statements += 1;
      this.summary.entries += entries;
      this.summary.newEntries += newEntries;
      if (this.summary.isKnown) continue;
      const statementId = crypto.randomUUID();
      await insertBankStatement(db, {
        ...{ platform_id: platformId, statement_id: statementId, bank_account: account.external_id },
        ...{ type: begin.type, file_hash: fileHash, position: index + 1 },
        reference_sealed: vault.seal(`bank_statements/${statementId}`, begin.reference),
        ...{ from_on: begin.fromDay, to_on: begin.toDay },
        ...{ opening_amount: end.opening?.amountMinor ?? null, opening_on: end.opening?.day ?? null },
        ...{ closing_amount: end.closing?.amountMinor ?? null, closing_on: end.closing?.day ?? null },
        ...{ entry_count: entries, new_entry_count: newEntries, imported_at: now, actor },
      });
    }
  }

  get #statement(): OpenStatement {
    if (!this.#open) throw new Error('A record stands outside a statement.');
    return this.#open;
  }

  #assertAddsUp(account: BankAccountRow, { opening, closing, bookedMinor }: StatementEnd): void {
    if (!opening || !closing) return;
    const expected = BigInt(opening.amountMinor) + bookedMinor;
    if (expected === BigInt(closing.amountMinor)) return;
    const money = (minor: number | bigint) => moneyText(minor, account.currency);
    throw this.#refused(
      `does not add up: the account ${account.external_id} opens with ${money(opening.amountMinor)}, its entries are ` +
        `${money(bookedMinor)}, which results in ${money(expected)}, but it closes with ${money(closing.amountMinor)}`,
    );
  }

  #lastDay(): string {
    const { now, timeZone } = this.#context;
    return dayLater(localDayOf(now, timeZone), DAYS_AHEAD_MAX);
  }

  #refused(fault: string): StartRefused {
    return new StartRefused(`${this.#name} ${fault}.`);
  }
}
