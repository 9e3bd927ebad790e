/** A process that imports a statement and books it, like `tradeline bank import`. */
import { inTransaction } from '#infra/database/transaction';
import { keepYoungGeneration } from '#infra/garbage-collection';
import { addBankAccount, bookTransactions, importBankFile } from '#modules/banking';
import { nowOn, type OnPlatform, onPlatform } from '../../src/cli/installation.ts';
import { contextOf } from '../../src/cli/operation-context.ts';
import { answerJobs } from './part.ts';

export interface StatementJob {
  dataDir: string;
  /** A small statement, which is imported first, and the measured one. */
  paths: readonly [string, string];
  /** The IBAN of the account in the statement, in euro. */
  iban: string;
}

export interface StatementMeasurement {
  newEntries: number;
  matched: number;
  queued: number;
  importMs: number;
  bookMs: number;
  /** Resident memory of this process at the beginning, after the small statement, and at its peak. */
  begunBytes: number;
  beforeBytes: number;
  peakBytes: number;
}

const WATCHED_EVERY_MS = 10;
const FILE_BYTES_MAX = 2 ** 30;

async function load({ dataDir, paths, iban }: StatementJob): Promise<StatementMeasurement> {
  process.env.TRADELINE_DATA_DIR = dataDir;
  keepYoungGeneration();
  const measured: Omit<StatementMeasurement, 'begunBytes'>[] = [];
  let begunBytes = 0;
  await onPlatform(undefined, async (on) => {
    begunBytes = process.memoryUsage.rss();
    await addBankAccount(contextIn(on)(on.db), { externalId: 'main', number: iban, currency: 'EUR' });
    for (const path of paths) measured.push(await importAndBook(on, path));
  });
  const [, last] = measured;
  if (!last) throw new Error('Nothing was imported.');
  return { ...last, begunBytes };
}

const contextIn = (on: OnPlatform) => (db: OnPlatform['db']) =>
  contextOf({ db, vault: on.vault }, { platform: on.platform, actor: 'bench', now: nowOn(on) });

async function importAndBook(
  on: OnPlatform,
  path: string,
): Promise<Omit<StatementMeasurement, 'begunBytes'>> {
  const beforeBytes = process.memoryUsage.rss();
  let peakBytes = beforeBytes;
  const watch = setInterval(() => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  }, WATCHED_EVERY_MS);
  const startedAt = performance.now();
  const { newEntries } = await inTransaction(on.db, (db) =>
    importBankFile(contextIn(on)(db), { path, bytesMax: FILE_BYTES_MAX, onProgress: () => {} }),
  );
  const importedAt = performance.now();
  const booked = await bookTransactions(on.db, contextIn(on));
  const bookedAt = performance.now();
  clearInterval(watch);
  return {
    ...{ newEntries, ...booked, beforeBytes, peakBytes },
    ...{ importMs: importedAt - startedAt, bookMs: bookedAt - importedAt },
  };
}

if (import.meta.main) answerJobs(load);
