import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import type { Clock } from '#infra/time/clock';
import { StartRefused } from '#kernel/start-refused';
import { type KeyedEntry, writeCompaniesWithoutWords } from '../company.queries.ts';
import { searchKeysOf } from '../search-keys.rules.ts';
import type { RefusedRecord, RefusedReport } from './refused-report.ts';
import { addBatch, type RegistryImport } from './registry-import.queries.ts';
import type { ReadRecord } from './registry-record.ts';

/** Small enough that sending a batch blocks the event loop for a few milliseconds only. */
const BATCH_RECORDS = 1_000;

interface Batch {
  entries: KeyedEntry[];
  refused: RefusedRecord[];
}

/** Keeps two processors busy: Node computes the words of a batch while PostgreSQL writes the previous ones. */
const BATCHES_UNDER_WAY_MAX = 4;

interface BatchUnderWay {
  keys: ReadonlySet<string>;
  committed: Promise<void>;
}

const emptyBatch = (): Batch => ({ entries: [], refused: [] });
const keyOf = ({ entry: { registry, registryKey } }: KeyedEntry) => `${registry} ${registryKey}`;

/**
 * Writes the records of an import in batches. Each batch is one transaction with the progress, so a killed process
 * leaves none half done. Several batches run concurrently and commit in order.
 */
export class BatchWriter {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #report: RefusedReport | null;
  readonly #refusals = new Map<string, number>();
  readonly #registries = new Set<string>();
  /** The committed progress. */
  #import: RegistryImport;
  /** The progress once all running batches are committed. */
  #recordsWritten: number;
  #batch = emptyBatch();
  #underWay: BatchUnderWay[] = [];

  constructor(db: Db, clock: Clock, begun: RegistryImport, report: RefusedReport | null) {
    this.#db = db;
    this.#clock = clock;
    this.#report = report;
    this.#import = begun;
    this.#recordsWritten = begun.records_read;
  }

  /** Refused records of this run, by reason. */
  get refusals(): ReadonlyMap<string, number> {
    return this.#refusals;
  }

  /** The registries that the companies of this run come from. */
  get registries(): ReadonlySet<string> {
    return this.#registries;
  }

  /** Refused records of all runs, as committed. */
  get recordsRefused(): number {
    return this.#import.records_refused;
  }

  get isFull(): boolean {
    return countOf(this.#batch) >= BATCH_RECORDS;
  }

  add(read: ReadRecord): void {
    // Computed while reading: computing the keys of a whole batch before sending would keep the database waiting.
    if ('entry' in read) {
      this.#registries.add(read.entry.registry);
      this.#batch.entries.push({ ...read, search: searchKeysOf(read.entry) });
    } else {
      this.#batch.refused.push(read.refused);
      this.#refusals.set(read.refused.reason, (this.#refusals.get(read.refused.reason) ?? 0) + 1);
    }
  }

  /** Starts a batch as soon as there is room. Rejects if an earlier batch failed. */
  async write(): Promise<void> {
    const batch = this.#batch;
    this.#batch = emptyBatch();
    // Before the transaction: the next run removes the report lines of a batch that was never committed.
    await this.#report?.append(batch.refused);
    const names = batch.entries.map(keyOf);
    // Two batches that write the same company would deadlock: one waits for the row, the other for its turn to commit.
    const rival = this.#underWay.findLast((other) => names.some((name) => other.keys.has(name)));
    await rival?.committed;
    const committed = this.#commit(batch, this.#recordsWritten, this.#underWay.at(-1)?.committed);
    // The next waiting batch handles the failure; until then it must not count as unhandled.
    committed.catch(() => {});
    this.#recordsWritten += countOf(batch);
    this.#underWay.push({ keys: new Set(names), committed });
    if (this.#underWay.length === BATCHES_UNDER_WAY_MAX) await this.#underWay.shift()?.committed;
  }

  /** Writes the remaining records and returns the progress. */
  async end(): Promise<RegistryImport> {
    if (countOf(this.#batch) > 0) await this.write();
    await this.#underWay.at(-1)?.committed;
    return this.#import;
  }

  async #commit(
    { entries, refused }: Batch,
    after: number,
    before: Promise<void> | undefined,
  ): Promise<void> {
    const counts = {
      recordsRead: entries.length + refused.length,
      companiesWritten: entries.length,
      recordsRefused: refused.length,
    };
    await inTransaction(this.#db, async (transaction) => {
      await writeCompaniesWithoutWords(transaction, entries, this.#clock.now());
      await before;
      if (await addBatch(transaction, this.#import.import_id, after, counts)) return;
      throw new ImportUnderWay('Another process is importing this file: wait until it ends.');
    });
    this.#import = {
      ...this.#import,
      records_read: after + counts.recordsRead,
      companies_written: this.#import.companies_written + counts.companiesWritten,
      records_refused: this.#import.records_refused + counts.recordsRefused,
    };
  }
}

/** Another process is importing the same file. */
export class ImportUnderWay extends StartRefused {}

function countOf({ entries, refused }: Batch): number {
  return entries.length + refused.length;
}
