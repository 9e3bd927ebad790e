/** P14: does a program that serves 70 % of its maximum rate keep its memory use and latency constant? */
import pg from 'pg';
import { median, percentile } from './support/measure.ts';
import {
  assertStored,
  pacedOrder,
  registerDebtors,
  SATURATING_CONNECTIONS,
  saturating,
} from './support/orders.ts';
import type { PacedJob, PacedMeasurement } from './support/paced-load.ts';
import { startPart } from './support/part.ts';
import { postgresPrivateBytes, privateBytes } from './support/process-usage.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const SHARE = 0.7;
const P99_RATIO_BAR = 1.2;
const MEMORY_RATIO_BAR = 1.1;
const WINDOW_MS = 15_000;
/** The first quarter of the time is a warm-up; the last is compared with the second. */
const QUARTERS = 4;
const PREFIX = 'steady-';

export const serveForLong: Question = { name: 'serve-for-long', run };

interface Window {
  orders: number;
  p50Ms: number;
  p99Ms: number;
  programBytes: number;
  postgresBytes: number;
}

async function run(bench: Bench): Promise<Finding> {
  const { program, minutes, rounds, roundMs, warmUpMs, progress, started } = bench;
  progress('registering buyers with credit');
  await registerDebtors(program);
  const saturate = saturating(bench);
  progress(`${SATURATING_CONNECTIONS} connections`);
  await saturate(warmUpMs);
  const { rate } = await saturate(rounds * roundMs);
  const perSecond = rate * SHARE;
  const database = new pg.Client(program.postgres);
  await database.connect();
  started.defer(() => database.end());
  const { rows } = await database.query('select pg_backend_pid() as pid');
  const part = started.use(startPart<PacedJob, PacedMeasurement>('paced-load.ts'));
  const windows: Window[] = [];
  const count = Math.max(QUARTERS, Math.round((minutes * 60_000) / WINDOW_MS));
  let first = 0;
  while (windows.length < count) {
    const minute = Math.floor((windows.length * WINDOW_MS) / 60_000) + 1;
    progress(`minute ${minute} of ${minutes}, ${Math.round(perSecond)} orders a second`);
    const { tookMs } = await part.send({
      baseUrl: program.baseUrl,
      apiKey: program.apiKey,
      requests: [pacedOrder(PREFIX, first)],
      paces: [{ perSecond, durationMs: WINDOW_MS }],
    });
    first += tookMs.length;
    windows.push({
      orders: tookMs.length,
      p50Ms: percentile(tookMs, 0.5),
      p99Ms: percentile(tookMs, 0.99),
      programBytes: privateBytes(program.pid) ?? Number.NaN,
      postgresBytes: postgresPrivateBytes(rows[0].pid) ?? Number.NaN,
    });
  }
  await assertStored(database, PREFIX, first);
  return findingOf(windows, { rate, minutes });
}

function findingOf(
  windows: readonly Window[],
  { rate, minutes }: { rate: number; minutes: number },
): Finding {
  const quarter = (nth: number) =>
    windows.slice((nth * windows.length) / QUARTERS, ((nth + 1) * windows.length) / QUARTERS);
  const of = (nth: number, figure: keyof Window) => median(quarter(nth).map((each) => each[figure]));
  const perSecond = (nth: number) => (of(nth, 'orders') * 1_000) / WINDOW_MS;
  const times = (figure: keyof Window) => of(QUARTERS - 1, figure) / of(1, figure);
  const shown = (figure: keyof Window, text: (value: number) => string) =>
    Array.from({ length: QUARTERS }, (_, nth) => text(of(nth, figure))).join(', ');
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const ratio = times('p99Ms');
  const verdict = (value: number, bar: number) =>
    `${value.toFixed(2)} times; the bar of ${bar} times is ${value <= bar ? 'met' : 'missed'}`;
  return {
    id: 'P14',
    what: `orders on credit at ${SHARE} of the rate that saturates, ${minutes} minutes, the last quarter`,
    rate: perSecond(QUARTERS - 1),
    baseline: 'the second quarter',
    baselineRate: perSecond(1),
    ...{ ratio, ratioMin: ratio, ratioMax: ratio },
    bar: `p99 ≤ ${P99_RATIO_BAR} ×, memory ≤ ${MEMORY_RATIO_BAR} ×`,
    p50Ms: of(QUARTERS - 1, 'p50Ms'),
    p99Ms: of(QUARTERS - 1, 'p99Ms'),
    notes: [
      `${SATURATING_CONNECTIONS} connections reached ${Math.round(rate)} a second. The requests then came at their own pace, regardless of the answers; each was a 201, and the database holds exactly the acknowledged orders. Figures are medians of windows of ${WINDOW_MS / 1_000} s, by quarter of the time.`,
      `p99 ${shown('p99Ms', ms)}: ${verdict(ratio, P99_RATIO_BAR)}. p50 ${shown('p50Ms', ms)}.`,
      `Memory of the program that no other process has: ${shown('programBytes', inMb)}: ${verdict(times('programBytes'), MEMORY_RATIO_BAR)}.`,
      `Of all processes of PostgreSQL, without what they share: ${shown('postgresBytes', inMb)}: ${verdict(times('postgresBytes'), MEMORY_RATIO_BAR)}.`,
    ],
  };
}

const inMb = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`;
