/**
 * Writes invented companies into the registry, for benches and for searches at the size of a real registry. The output is
 * deterministic. Words have a realistic frequency distribution (Zipf), and one company in twelve resembles another.
 *
 *   node scripts/generate-registry.ts COUNT [--seed 1] [--csv FILE]
 *
 * With --csv it writes a file for `tradeline registry import`. Otherwise it writes to the database of the settings
 * (TRADELINE_DATA_DIR or DATABASE_URL), whether or not the service runs, and rebuilds the vocabulary. Two million companies
 * take about five minutes and 3 GB. To undo it: `delete from registry_companies where registry = 'INVENTED'`.
 */
import { parseArgs } from 'node:util';
import { readSettings } from '#config';
import type { Db } from '#infra/database/database';
import { rebuildVocabulary, writeCompanies } from '#modules/registry';
import { openInstallation } from '../src/installation.ts';
import { inventCompanies } from './invent-companies.ts';
import { writeRegistryFile } from './write-registry-file.ts';

const BATCH_SIZE = 4_000;

/** Calls `progress` with the number of written companies after each batch. */
export async function generateRegistry(
  db: Db,
  { count, seed, now }: { count: number; seed: number; now: number },
  progress: (written: number) => void = () => {},
): Promise<void> {
  let batch = [];
  let written = 0;
  let pending: Promise<void> = Promise.resolve();
  for (const company of inventCompanies(seed, count)) {
    batch.push(company);
    if (batch.length < BATCH_SIZE && written + batch.length < count) continue;
    // The next batch is invented while PostgreSQL writes this one.
    await pending;
    pending = writeCompanies(db, batch, now);
    written += batch.length;
    batch = [];
    progress(written);
  }
  await pending;
  await rebuildVocabulary(db);
}

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { seed: { type: 'string', default: '1' }, csv: { type: 'string' } },
  });
  const count = Number(positionals[0]);
  if (!Number.isSafeInteger(count) || count < 1) throw new Error('Say how many companies, as in 200000.');
  const seed = Number(values.seed);
  if (values.csv !== undefined) return writeRegistryFile(values.csv, { count, seed });
  const settings = readSettings(process.env);
  const installation = await openInstallation(settings, { report: console.error, mayAttach: true });
  try {
    const now = installation.clock.now();
    await generateRegistry(installation.db, { count, seed, now }, (written) =>
      process.stderr.write(`\r${written} of ${count} companies`),
    );
    console.error('\nDone.');
  } finally {
    await installation.close();
  }
}

if (import.meta.main) await main(process.argv.slice(2));
