/** `npm run bench` runs the questions one after the other and prints one table; a full run also writes results.md. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { acceptFinancing } from './accept-financing.ts';
import { claimDeliveriesQuestion } from './claim-deliveries.ts';
import { countOrders } from './count-orders.ts';
import { createDraftOrder } from './create-draft-order.ts';
import { createInvoice } from './create-invoice.ts';
import { createOrder } from './create-order.ts';
import { createPayment } from './create-payment.ts';
import { deliverWebhooks } from './deliver-webhooks.ts';
import { fallDue } from './fall-due.ts';
import { formPayouts } from './form-payouts.ts';
import { getBuyer } from './get-buyer.ts';
import { growth } from './growth.ts';
import { idlePlatforms } from './idle-platforms.ts';
import { importRegistry } from './import-registry.ts';
import { importStatement } from './import-statement.ts';
import { listInvoices } from './list-invoices.ts';
import { overload } from './overload.ts';
import { postLedger } from './post-ledger.ts';
import { readJson } from './read-json.ts';
import { recover } from './recover.ts';
import { recoverWebhooks } from './recover-webhooks.ts';
import { relocatePlatform } from './relocate-platform.ts';
import { remindBuyers } from './remind-buyers.ts';
import { searchBusinesses } from './search-businesses.ts';
import { serveForLong } from './serve-for-long.ts';
import { start } from './start.ts';
import { makeNoise } from './support/noise.ts';
import { startProgram } from './support/program.ts';
import { progressLine } from './support/progress-line.ts';
import type { Bench, Finding, Question } from './support/question.ts';
import { type Failure, resultsPage, table } from './support/report.ts';
import { wakeWorkers } from './wake-workers.ts';
import { walkCheckouts } from './walk-checkouts.ts';
import { writeToCluster } from './write-to-cluster.ts';

const QUESTIONS: readonly Question[] = [
  getBuyer,
  createDraftOrder,
  createOrder,
  countOrders,
  createInvoice,
  createPayment,
  acceptFinancing,
  listInvoices,
  growth,
  searchBusinesses,
  importRegistry,
  walkCheckouts,
  overload,
  serveForLong,
  postLedger,
  fallDue,
  remindBuyers,
  deliverWebhooks,
  formPayouts,
  importStatement,
  claimDeliveriesQuestion,
  recoverWebhooks,
  wakeWorkers,
  idlePlatforms,
  relocatePlatform,
  start,
  recover,
  readJson,
];
/** Run by name only, because they need a setup that not every machine has. */
const NAMED_ONLY: readonly Question[] = [writeToCluster];
/** The keys of invented companies have nine digits. */
const ROWS_MAX = 999_999_999;
/** The sizes of a run, by option: the default, the maximum, and the meaning. */
const SIZES = {
  rounds: [5, 999, 'rounds of each comparison'],
  seconds: [5, 999, 'duration of each side of a round'],
  lines: [300_000, ROWS_MAX, 'lines of the file that import-registry imports'],
  events: [200_000, ROWS_MAX, 'events that recover-webhooks recovers'],
  orders: [
    1_000_000,
    ROWS_MAX,
    'orders to which growth grows, from 100,000 on, and with which relocate-platform moves, at most 100,000',
  ],
  invoices: [1_000_000, ROWS_MAX, 'open invoices among which remind-buyers finds 10,000'],
  minutes: [5, 999, 'for so long serve-for-long serves'],
} as const satisfies Record<string, readonly [usual: number, max: number, meaning: string]>;
const SIZE_NAMES = Object.keys(SIZES) as (keyof typeof SIZES)[];
const WARM_UP_MS = 3_000;
/** Half the cores. */
const NOISE_CORES = Math.ceil(availableParallelism() / 2);
const PROFILES = join(import.meta.dirname, 'out');

const USAGE = `Usage: npm run bench -- [question …] ${SIZE_NAMES.map((name) => `[--${name} ${SIZES[name][0]}]`).join(' ')} [--noise] [--profile]

  Questions: ${QUESTIONS.map((question) => question.name).join(', ')}. Default: all.
  By name only: ${NAMED_ONLY.map((question) => question.name).join(', ')}, on the cluster of DATABASE_URL.
${SIZE_NAMES.map((name) => `  --${name.padEnd(9)} ${SIZES[name][2]}\n`).join('')}  --noise     takes half the cores for as long as the run lasts, as other programs would
  --profile   writes a CPU profile of the program to bench/out, for the developer tools of a browser

Only a full run with the defaults writes bench/results.md, or bench/results-noisy.md with --noise.
`;

class Interrupted extends Error {}
class UsageError extends Error {}

interface RunOptions {
  questions: readonly Question[];
  sizes: Record<keyof typeof SIZES, number>;
  isNoisy: boolean;
  profileFolder: string | null;
}

function readArguments(args: string[]): RunOptions {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...(Object.fromEntries(SIZE_NAMES.map((name) => [name, { type: 'string' }])) as Record<
        keyof typeof SIZES,
        { type: 'string' }
      >),
      noise: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
    },
  });
  const sizeOf = (name: keyof typeof SIZES): number => {
    const [usual, max] = SIZES[name];
    const text = values[name] ?? `${usual}`;
    const value = /^[1-9]\d*$/.test(text) ? Number(text) : 0;
    if (value < 1 || value > max) throw new UsageError(`${text} is not a whole number from 1 to ${max}.`);
    return value;
  };
  const named = positionals.map((name) => {
    const question = [...QUESTIONS, ...NAMED_ONLY].find((each) => each.name === name);
    if (!question) throw new UsageError(`There is no question ${name}.`);
    return question;
  });
  return {
    questions: named.length > 0 ? named : QUESTIONS,
    sizes: Object.fromEntries(SIZE_NAMES.map((name) => [name, sizeOf(name)])) as RunOptions['sizes'],
    isNoisy: values.noise,
    profileFolder: values.profile ? PROFILES : null,
  };
}

const isFullRun = ({ questions, sizes, profileFolder }: RunOptions) =>
  questions.length === QUESTIONS.length &&
  SIZE_NAMES.every((name) => sizes[name] === SIZES[name][0]) &&
  profileFolder === null;

/** Runs a question on a fresh program with an empty data folder, so that no question depends on another. */
async function runQuestion(
  question: Question,
  { sizes: { seconds, ...sizes }, profileFolder }: RunOptions,
  interruption: Promise<never>,
): Promise<{ finding: Finding; postgresVersion: string }> {
  await using started = new AsyncDisposableStack();
  const line = started.use(progressLine(question.name));
  const run = async () => {
    line.show('starting the program');
    const program = await startProgram({ started, profileFolder });
    const roundMs = seconds * 1_000;
    const bench: Bench = {
      ...sizes,
      program,
      roundMs,
      profileFolder,
      warmUpMs: Math.min(WARM_UP_MS, roundMs),
      started,
      progress: line.show,
    };
    return { finding: await question.run(bench), postgresVersion: program.postgresVersion };
  };
  return await Promise.race([run(), interruption]);
}

/** Rejects at the first stop signal, so that everything that was started is ended. */
function waitForInterruption(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Interrupted()));
  });
}

async function main(args: string[]): Promise<void> {
  const options = readArguments(args);
  if (options.profileFolder !== null) mkdirSync(options.profileFolder, { recursive: true });
  const interruption = waitForInterruption();
  const loadBefore = loadavg()[0] ?? 0;
  await using noise = new AsyncDisposableStack();
  if (options.isNoisy) makeNoise(NOISE_CORES, noise);
  const findings: Finding[] = [];
  const failures: Failure[] = [];
  let postgresVersion = '';
  for (const question of options.questions) {
    try {
      const answered = await runQuestion(question, options, interruption);
      findings.push(answered.finding);
      postgresVersion = answered.postgresVersion;
      console.log(`\n${table([answered.finding])}\n`);
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      console.error(error);
      failures.push({ question: question.name, message: (error as Error).message });
      process.exitCode = 1;
    }
  }
  const { rounds, seconds } = options.sizes;
  const circumstances = {
    rounds,
    seconds,
    date: new Date(),
    postgresVersion,
    loadBefore,
    coresTaken: options.isNoisy ? NOISE_CORES : 0,
  };
  const page = resultsPage(findings, failures, circumstances);
  console.log(`\n${page}`);
  const file = options.isNoisy ? 'results-noisy.md' : 'results.md';
  if (!isFullRun(options))
    return console.log(`bench/${file} is unchanged: only a full run with the defaults writes it.`);
  writeFileSync(join(import.meta.dirname, file), page);
  console.log(`Written to bench/${file}.`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof Interrupted) console.error('Interrupted; everything that was started has ended.');
  else if (error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS'))
    console.error(`${(error as Error).message}\n\n${USAGE}`);
  else console.error(error);
  // Everything that was started has ended, but clients may still wait for the program.
  process.exit(1);
}
