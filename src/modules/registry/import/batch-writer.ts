import type { Clock } from '#infra/clock';
import type { Db } from '#infra/database';
import { inTransaction } from '#infra/transaction';
import { StartRefused } from '#kernel/start-refused';
import { writeCompanies } from '../company.queries.ts';
import type { RegisterEntry } from '../register-entry.ts';
import type { RefusedRecord, RefusedReport } from './refused-report.ts';
import { addBatch, type RegisterImport } from './register-import.queries.ts';
import type { ReadRecord } from './register-record.ts';

/** From a thousand on, a company costs the same; each thousand takes some 10 MB while it is written. */
const BATCH_RECORDS = 2_000;

interface Batch {
  entries: RegisterEntry[];
  refused: RefusedRecord[];
}

/**
 * Writes an import's records in batches, each in one transaction with how far the import has come: a process that is
 * killed leaves none half done. While the database writes one, the next is gathered.
 */
export class BatchWriter {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #report: RefusedReport | null;
  readonly #refusals = new Map<string, number>();
  #import: RegisterImport;
  #batch: Batch = { entries: [], refused: [] };
  #writing: Promise<void> = Promise.resolve();

  constructor(db: Db, clock: Clock, begun: RegisterImport, report: RefusedReport | null) {
    this.#db = db;
    this.#clock = clock;
    this.#report = report;
    this.#import = begun;
  }

  /** So far in this run, by reason. */
  get refusals(): ReadonlyMap<string, number> {
    return this.#refusals;
  }

  /** Of all runs, without the batch at hand. */
  get recordsRefused(): number {
    return this.#import.records_refused;
  }

  get isFull(): boolean {
    return this.#batch.entries.length + this.#batch.refused.length >= BATCH_RECORDS;
  }

  add(read: ReadRecord): void {
    if ('entry' in read) this.#batch.entries.push(read.entry);
    else {
      this.#batch.refused.push(read.refused);
      this.#refusals.set(read.refused.reason, (this.#refusals.get(read.refused.reason) ?? 0) + 1);
    }
  }

  /** Resolves when the batch before is committed and this one is on its way; rejects where the one before failed. */
  async write(): Promise<void> {
    await this.#writing;
    const batch = this.#batch;
    this.#batch = { entries: [], refused: [] };
    this.#writing = this.#commit(batch);
    // A failure is met by whoever waits for it next, not by nobody meanwhile.
    this.#writing.catch(() => {});
  }

  /** Writes what is left, and answers how far the import has come. */
  async end(): Promise<RegisterImport> {
    if (this.#batch.entries.length + this.#batch.refused.length > 0) await this.write();
    await this.#writing;
    return this.#import;
  }

  async #commit({ entries, refused }: Batch): Promise<void> {
    // Before the transaction: what the report says of a batch that is never committed is taken back by the next run.
    await this.#report?.append(refused);
    const { import_id, records_read, companies_written, records_refused } = this.#import;
    const counts = {
      recordsRead: entries.length + refused.length,
      companiesWritten: entries.length,
      recordsRefused: refused.length,
    };
    await inTransaction(this.#db, async (transaction) => {
      if (!(await addBatch(transaction, import_id, records_read, counts))) {
        throw new ImportUnderWay('Another process imports this file: let it come to its end.');
      }
      await writeCompanies(transaction, entries, this.#clock.now());
    });
    this.#import = {
      ...this.#import,
      records_read: records_read + counts.recordsRead,
      companies_written: companies_written + counts.companiesWritten,
      records_refused: records_refused + counts.recordsRefused,
    };
  }
}

/** Somebody else has come further with this file meanwhile. */
export class ImportUnderWay extends StartRefused {}
