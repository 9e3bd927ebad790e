/** P10: what happens to requests at three times the saturating rate, and how soon does the service recover afterwards? */
import pg from 'pg';
import { median, percentile } from './support/measure.ts';
import {
  assertStored,
  ORDER_ON_CREDIT,
  pacedOrder,
  postOrders,
  registerDebtors,
  SATURATING_CONNECTIONS,
  saturating,
} from './support/orders.ts';
import type { Pace, PacedJob, PacedMeasurement } from './support/paced-load.ts';
import { startPart } from './support/part.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const TIMES = 3;
const P99_MAX_MS = 1_000;
const BACK_MAX_MS = 2_000;
/** The rate before and after the overload, as a share of the saturating rate. */
const USUAL_SHARE = 0.5;
const BEFORE_MS = 3_000;
const AFTER_MS = 5_000;
const SLOT_MS = 250;
/**
 * The service has recovered after this many good slots in a row, which is one second. A single slow slot later is caused by the machine.
 */
const SLOTS_AS_BEFORE = 4;
/** The limit is found in the first second. */
const SETTLED_AFTER_MS = 1_000;
/** A time slot is as before if its p99 is at most this many times that before the overload, or at most AS_BEFORE_MS. */
const AS_BEFORE_TIMES = 2;
const AS_BEFORE_MS = 100;
/**
 * Opened in advance, like those of a proxy or of clients with a pool. More than the service can use: a request that waits for a connection
 * would not load it.
 */
const CONNECTIONS = 8_000;
const PREFIX = 'paced-';

export const overload: Question = { name: 'overload', run };

interface Round {
  saturating: number;
  accepted: number;
  acceptedRate: number;
  shed: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  beforeP99Ms: number;
  /** The p99 of requests that were due after the limit was found. */
  settledP99Ms: number;
  /** From the end of the overload to the start of a second in which every request is accepted and answered as before. */
  backMs: number;
  busyShare: number;
}

async function run(bench: Bench): Promise<Finding> {
  const { program, rounds, roundMs, warmUpMs, progress, started } = bench;
  progress('registering buyers with credit');
  await registerDebtors(program);
  const saturate = saturating(bench);
  const part = started.use(startPart<PacedJob, PacedMeasurement>('paced-load.ts'));
  progress('warming up');
  await postOrders(bench, { path: '/v1/orders', prefix: 'warm-', more: ORDER_ON_CREDIT })(warmUpMs);
  const done: Round[] = [];
  let first = 0;
  for (let round = 1; round <= rounds; round++) {
    progress(`round ${round} of ${rounds}, ${SATURATING_CONNECTIONS} connections`);
    const { rate } = await saturate(roundMs);
    progress(`round ${round} of ${rounds}, ${TIMES} times ${Math.round(rate)} requests a second`);
    const paces: Pace[] = [
      { perSecond: rate * USUAL_SHARE, durationMs: BEFORE_MS },
      { perSecond: rate * TIMES, durationMs: roundMs },
      { perSecond: rate * USUAL_SHARE, durationMs: AFTER_MS },
    ];
    const measured = await part.send({
      baseUrl: program.baseUrl,
      apiKey: program.apiKey,
      requests: [pacedOrder(PREFIX, first)],
      paces,
      connections: CONNECTIONS,
      mayBeShed: true,
    });
    first += measured.tookMs.length;
    done.push(roundOf(rate, roundMs, measured));
  }
  await assertKept(bench, done);
  return findingOf(done, roundMs);
}

function roundOf(saturating: number, roundMs: number, measured: PacedMeasurement): Round {
  const { tookMs, dueMs, isShed, busyShare } = measured;
  const accepted = (fromMs: number, toMs: number) =>
    tookMs.filter((_, nth) => isWithin(dueMs[nth] as number, fromMs, toMs) && !isShed[nth]);
  const countShed = (fromMs: number, toMs: number) =>
    dueMs.filter((each, nth) => isWithin(each, fromMs, toMs) && isShed[nth]).length;
  const endMs = BEFORE_MS + roundMs;
  const during = accepted(BEFORE_MS, endMs);
  const beforeP99Ms = percentile(accepted(0, BEFORE_MS), 0.99);
  const usualMs = Math.max(AS_BEFORE_MS, AS_BEFORE_TIMES * beforeP99Ms);
  const isAsBefore = (atMs: number) => {
    const slot = [endMs + atMs, endMs + atMs + SLOT_MS] as const;
    return countShed(...slot) === 0 && percentile(accepted(...slot), 0.99) <= usualMs;
  };
  let backMs = 0;
  let inARow = 0;
  for (let atMs = 0; atMs < AFTER_MS && inARow < SLOTS_AS_BEFORE; atMs += SLOT_MS) {
    inARow = isAsBefore(atMs) ? inARow + 1 : 0;
    if (inARow === 0) backMs = atMs + SLOT_MS;
  }
  return {
    saturating,
    accepted: isShed.filter((shed) => !shed).length,
    acceptedRate: (during.length / roundMs) * 1_000,
    shed: countShed(0, Number.POSITIVE_INFINITY),
    p50Ms: percentile(during, 0.5),
    p99Ms: percentile(during, 0.99),
    maxMs: percentile(during, 1),
    beforeP99Ms,
    settledP99Ms: percentile(accepted(BEFORE_MS + SETTLED_AFTER_MS, endMs), 0.99),
    backMs,
    busyShare,
  };
}

const isWithin = (ms: number, fromMs: number, toMs: number) => ms >= fromMs && ms < toMs;

/** Throws unless each accepted order is stored, and no refused one. */
async function assertKept({ program, started }: Bench, done: readonly Round[]): Promise<void> {
  const database = new pg.Client(program.postgres);
  await database.connect();
  started.defer(() => database.end());
  const accepted = done.reduce((sum, round) => sum + round.accepted, 0);
  await assertStored(database, PREFIX, accepted);
}

function findingOf(done: readonly Round[], roundMs: number): Finding {
  const of = (figure: keyof Round) => done.map((round) => round[figure]);
  const ratios = done.map(({ acceptedRate, saturating }) => acceptedRate / saturating);
  const p99Ms = median(of('p99Ms'));
  const backMs = Math.max(...of('backMs'));
  const isMet = p99Ms <= P99_MAX_MS && backMs <= BACK_MAX_MS;
  const sum = (figure: keyof Round) => of(figure).reduce((total, each) => total + each, 0);
  const each = (figure: keyof Round) =>
    of(figure)
      .map((value) => Math.round(value))
      .join(', ');
  return {
    id: 'P10',
    what: `POST /v1/orders accepted at ${TIMES} times the load that saturates`,
    rate: median(of('acceptedRate')),
    baseline: `the same on ${SATURATING_CONNECTIONS} connections, which saturates`,
    baselineRate: median(of('saturating')),
    ratio: median(ratios),
    ratioMin: Math.min(...ratios),
    ratioMax: Math.max(...ratios),
    bar: `p99 ≤ ${P99_MAX_MS / 1_000} s, back ≤ ${BACK_MAX_MS / 1_000} s`,
    p50Ms: median(of('p50Ms')),
    p99Ms,
    notes: [
      `Requests are sent at their own pace, regardless of the answers: ${BEFORE_MS / 1_000} s at ${USUAL_SHARE} times, ${roundMs / 1_000} s at ${TIMES} times, ${AFTER_MS / 1_000} s at ${USUAL_SHARE} times the rate that the round before reached with ${SATURATING_CONNECTIONS} connections. ${CONNECTIONS.toLocaleString('en')} connections were open beforehand. Latencies count from the instant at which a request was due.`,
      `The bar is ${isMet ? 'met' : 'missed'}: p99 of the accepted of each round ${each('p99Ms')} ms (without its first second ${each('settledP99Ms')} ms; longest ${each('maxMs')} ms; ${each('beforeP99Ms')} ms before the overload), back after ${each('backMs')} ms. Back means that for a second nothing is refused and that p99 is at most ${AS_BEFORE_TIMES} times that before, or ${AS_BEFORE_MS} ms, by slots of ${SLOT_MS} ms.`,
      `${sum('accepted')} were accepted and ${sum('shed')} refused, each with 503 and Retry-After; there was no other answer. The database holds exactly the accepted orders.`,
      `The process that sends and counts used ${Math.round(100 * median(of('busyShare')))} % of a core.`,
    ],
  };
}
