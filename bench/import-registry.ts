/** Is a registry imported at 20,000 lines a second, including its vocabulary, in memory that does not grow with the file? */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { writeRegistryFile } from '../scripts/write-registry-file.ts';
import type { ImportJob, ImportMeasurement } from './support/import-load.ts';
import { median } from './support/measure.ts';
import { startPart } from './support/part.ts';
import type { Program } from './support/program.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const SEED = 1;
const LINES_A_SECOND_BAR = 20_000;

export const importRegistry: Question = { name: 'import-registry', run };

async function run(bench: Bench): Promise<Finding> {
  const { program, lines, rounds, started, progress } = bench;
  const folder = mkdtempSync(join(tmpdir(), 'tradeline-bench-register-'));
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'invented.csv');
  progress(`writing a file of ${lines.toLocaleString('en')} lines`);
  await writeRegistryFile(path, { count: lines, seed: SEED });

  const imports: ImportMeasurement[] = [];
  const inserts: ImportMeasurement[] = [];
  for (let round = 1; round <= rounds; round++) {
    progress(
      `round ${round} of ${rounds}${imports.map((each) => `, ${inThousands(rateOf(each))}`).join('')}`,
    );
    const runImport = async () => void imports.push(await bringIn(bench, path, 'import'));
    const runInsert = async () => void inserts.push(await bringIn(bench, path, 'as it stands'));
    for (const side of round % 2 === 1 ? [runInsert, runImport] : [runImport, runInsert]) await side();
  }
  for (const each of [...imports, ...inserts]) {
    if (each.lines !== lines || each.refused > 0)
      throw new Error(`Of ${lines} lines, ${each.lines} were read and ${each.refused} refused.`);
  }
  await assertWritten(program, lines);
  const ratios = imports.map((each, nth) => rateOf(each) / rateOf(inserts[nth] ?? each));
  return {
    id: 'Import',
    what: 'first import of a registry, with its vocabulary',
    rate: median(imports.map(rateOf)),
    baseline: 'the same lines, into a table with one key',
    baselineRate: median(inserts.map(rateOf)),
    ratio: median(ratios),
    ratioMin: Math.min(...ratios),
    ratioMax: Math.max(...ratios),
    bar: `≥ ${inThousands(LINES_A_SECOND_BAR)}/s`,
    p50Ms: null,
    p99Ms: null,
    notes: notesOn(imports, lines),
  };
}

function notesOn(imports: readonly ImportMeasurement[], lines: number): string[] {
  const rates = imports.map(rateOf);
  const middle = (read: (each: ImportMeasurement) => number) => median(imports.map(read));
  const perLine = (us: number) => `${(us / lines).toFixed(1)} µs`;
  const postgresUs = imports.flatMap(({ postgresCpuUs }) => postgresCpuUs ?? []);
  const postgres = postgresUs.length === 0 ? 'unknown on this system' : perLine(median(postgresUs));
  const memoryAt = imports[0]?.memory.map(({ share }, nth) => {
    const bytes = middle(({ memory }) => memory[nth]?.bytes ?? Number.NaN);
    return `${Math.round(bytes / 1_000_000)} MB at ${share * 100} %`;
  });
  const isMet = median(rates) >= LINES_A_SECOND_BAR;
  return [
    `${lines.toLocaleString('en')} lines of invented companies of 13 countries (scripts/generate-registry.ts --csv), into an empty registry each time, by a separate process with ten connections.`,
    `The bar is ${inThousands(LINES_A_SECOND_BAR)} lines a second: ${isMet ? 'met' : 'missed'}, with ${rates.map(inThousands).join(', ')}. Of that time, ${Math.round(100 * middle(({ wordsMs, elapsedMs }) => wordsMs / elapsedMs))} % is spent on the vocabulary at the end.`,
    `Processor time per line: Node ${perLine(middle(({ nodeCpuUs }) => nodeCpuUs))}, PostgreSQL ${postgres}.`,
    `Resident memory of the importing process: ${memoryAt?.join(', ')} of the file.`,
  ];
}

const rateOf = ({ lines, elapsedMs }: ImportMeasurement) => (lines / elapsedMs) * 1_000;
const inThousands = (rate: number) => `${(rate / 1_000).toFixed(1)} k`;

/** Imports into empty tables, in a new process, so that its memory use is that of this import. */
async function bringIn(
  { program, started }: Bench,
  path: string,
  way: ImportJob['way'],
): Promise<ImportMeasurement> {
  await onceAsOwner(program, [
    'truncate registry_companies, registry_words, registry_imports',
    'drop table if exists bench_lines',
    'create table bench_lines (register text, registry_key text, line text, primary key (register, registry_key))',
    'grant insert on bench_lines to tradeline_service',
  ]);
  const part = started.use(startPart<ImportJob, ImportMeasurement>('import-load.ts'));
  try {
    return await part.send({ way, path, connection: program.postgres });
  } finally {
    await part[Symbol.asyncDispose]();
  }
}

async function assertWritten(program: Program, lines: number): Promise<void> {
  const [row] = await onceAsOwner(program, [
    'select (select count(*) from registry_companies) + (select count(*) from bench_lines) as written',
  ]);
  if (Number(row?.written) !== lines)
    throw new Error(`${row?.written} of ${lines} lines are in the database.`);
}

async function onceAsOwner(program: Program, statements: string[]): Promise<{ written?: string }[]> {
  const client = new pg.Client(program.postgresOwner);
  await client.connect();
  try {
    let rows: { written?: string }[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}
