/** W6: what does a claim of webhook deliveries cost among many subscriptions and waiting deliveries, and how does it affect requests? */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Database, openDatabase } from '#infra/database/database';
import {
  type AttemptResult,
  type ClaimedDelivery,
  claimDeliveries,
  finishAttempt,
  type SubscriptionKey,
} from '#modules/webhooks';
import { median, percentile } from './support/measure.ts';
import type { PacedJob, PacedMeasurement } from './support/paced-load.ts';
import { startPart } from './support/part.ts';
import { type Program, startProgram } from './support/program.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const BAR_MS = 5;
const API_BAR = 1.2;
const IDLE_SUBSCRIPTIONS = 20_000;
const FEW = 10;
const DELIVERED = 1_000_000;
const WAITING = 200_000;
const DUE = 5_000;
const DUE_SUBSCRIPTIONS = 1_000;
/** The slots of a worker. */
const SLOTS = 256;
const LEASE_SECONDS = 60;
/** Deliveries a second. One process can claim and record a few thousand beside the requests. */
const PACES = [1_000, 3_000];
const REQUESTS_PER_SECOND = 200;
/** The first claims of a process plan their statements and compile its code. */
const WARM_UP_CLAIMS = 200;

export const claimDeliveriesQuestion: Question = { name: 'claim-deliveries', run };

async function run(bench: Bench): Promise<Finding> {
  const { started, progress, rounds, roundMs } = bench;
  await bench.program.end('SIGTERM');
  // Runs without a worker, because the bench claims.
  const program = await startProgram({ started, profileFolder: null, settings: { TRADELINE_WORKER: 'off' } });
  const owner = new pg.Client(program.postgresOwner);
  await owner.connect();
  started.defer(() => owner.end());
  const database = openDatabase({ connection: program.postgres, connectionsMax: 4 });
  started.defer(database.close);
  const queryAll = async (statements: readonly string[]) => {
    for (const statement of statements) await owner.query(statement);
  };

  progress(`writing ${IDLE_SUBSCRIPTIONS.toLocaleString('en')} subscriptions`);
  await queryAll([
    ...SET_UP,
    subscriptions(IDLE_SUBSCRIPTIONS, 'idle'),
    deliveries(`s.type in (select 'idle-' || n * 7 from generate_series(1, ${FEW}) n)`, 1, 'PENDING'),
    'vacuum analyze',
  ]);
  const work = { database, owner, perSecond: Number.POSITIVE_INFINITY };
  await claimUntil((count) => count === WARM_UP_CLAIMS, work);
  const fewTook = await claimUntil((count) => count === 100 * rounds, work);

  progress(`writing ${(DELIVERED + WAITING + DUE).toLocaleString('en')} deliveries`);
  const busy = "s.type like 'busy-%'";
  await queryAll([
    'truncate webhook_attempts, webhook_deliveries',
    subscriptions(DUE_SUBSCRIPTIONS, 'busy'),
    deliveries(busy, DELIVERED / DUE_SUBSCRIPTIONS, 'DELIVERED'),
    deliveries(busy, WAITING / DUE_SUBSCRIPTIONS, 'WAITING'),
    deliveries(busy, DUE / DUE_SUBSCRIPTIONS, 'PENDING'),
    'vacuum analyze',
  ]);
  await claimUntil((count) => count === WARM_UP_CLAIMS, work);
  const request = requests(bench, program);
  await request(roundMs);
  const alone = await request(rounds * roundMs);
  const paced: Paced[] = [];
  for (const perSecond of PACES) {
    progress(`claiming ${perSecond.toLocaleString('en')} deliveries a second`);
    let isRequesting = true;
    const claiming = claimUntil(() => !isRequesting, { ...work, perSecond });
    const beside = await request(rounds * roundMs);
    isRequesting = false;
    paced.push({ perSecond, claimsTook: await claiming, beside });
  }
  return findingOf({ fewTook, alone, paced });
}

/** The claims at a pace, and the requests beside them, in milliseconds. */
interface Paced {
  perSecond: number;
  claimsTook: number[];
  beside: number[];
}

interface Work {
  database: Database;
  owner: pg.Client;
  perSecond: number;
}

/**
 * Claims at the pace of a worker whose receivers answer immediately, and records each delivery. It is then due again, after all others,
 * in place of a new one. Returns the duration of each claim, in milliseconds.
 */
async function claimUntil(
  isEnough: (count: number) => boolean,
  { database: { db }, owner, perSecond }: Work,
): Promise<number[]> {
  const tookMs: number[] = [];
  let finished: SubscriptionKey[] = [];
  let isMoreKnown = false;
  while (!isEnough(tookMs.length)) {
    const startedAtMs = performance.now();
    const options = { batchSizeMax: SLOTS, leaseSeconds: LEASE_SECONDS, finished, isMoreKnown };
    const { deliveries: claimed, hasMore } = await claimDeliveries(db, options);
    tookMs.push(performance.now() - startedAtMs);
    if (claimed.length === 0) throw new Error('Nothing was claimed.');
    const results = claimed.map(delivered);
    await Promise.all(results.map((each) => finishAttempt(db, each)));
    await owner.query(DUE_AGAIN, [
      claimed.map(({ platform_id }) => platform_id),
      claimed.map(({ delivery_id }) => delivery_id),
    ]);
    finished = results;
    isMoreKnown = hasMore;
    await sleep(Math.max(0, startedAtMs + (claimed.length * 1_000) / perSecond - performance.now()));
  }
  return tookMs;
}

const delivered = (claimed: ClaimedDelivery): AttemptResult => ({
  platformId: claimed.platform_id,
  deliveryId: claimed.delivery_id,
  subscriptionId: claimed.subscription_id,
  url: claimed.url,
  at: 0,
  round: claimed.round,
  attempt: 1,
  durationMs: 1,
  statusCode: 200,
  failure: null,
  failureDetail: null,
  address: '127.0.0.1',
  answerSealed: null,
  status: 'DELIVERED',
  delaySeconds: null,
  isLost: false,
  isGone: false,
});

/** Sends requests at a steady rate from a separate process; returns the duration of each, in milliseconds. */
function requests(
  { started }: Bench,
  { baseUrl, apiKey }: Program,
): (durationMs: number) => Promise<number[]> {
  const part = started.use(startPart<PacedJob, PacedMeasurement>('paced-load.ts'));
  const ids = { id: { prefix: '', first: 0, count: 1 } };
  return async (durationMs) => {
    const sent = [{ method: 'GET' as const, path: '/v1/platform', ids, status: 200 }];
    const paces = [{ perSecond: REQUESTS_PER_SECOND, durationMs }];
    const job = { baseUrl, apiKey, requests: sent, paces };
    return (await part.send(job)).tookMs;
  };
}

/** Rows are written without the checks of foreign keys, whose plans are made for empty tables. */
const SET_UP = [
  // Otherwise the bench would flush the disk after each claim.
  'set synchronous_commit = off',
  ...['platform_id_event_id', 'platform_id_subscription_id'].map(
    (columns) => `alter table webhook_deliveries drop constraint webhook_deliveries_${columns}_fkey`,
  ),
  'alter table events drop constraint events_platform_id_fkey',
  `insert into platforms (code, name, created_at, country, currency, data_key_wrapped)
  select 'receiver-' || n, 'Receiver', 0, 'DE', 'EUR', '' from generate_series(1, 100) n`,
];

/** Subscriptions of a hundred platforms in turn, each with its own origin. */
const subscriptions = (count: number, name: string) => `
  insert into webhook_subscriptions (platform_id, subscription_id, type, url, status, created_at, updated_at, secret_sealed, last_outcome)
  select p.platform_id, gen_random_uuid(), '${name}-' || n, 'https://${name}-' || n || '.example/', 'ACTIVE', 0, 0, '', 'DELIVERED'
  from generate_series(1, ${count}) n
  join (select platform_id, row_number() over (order by platform_id) - 1 as nth from platforms where code like 'receiver-%') p
    on p.nth = n % 100`;

/** The same number of deliveries for each of these subscriptions. Those of one platform share its events. */
const deliveries = (which: string, count: number, state: 'PENDING' | 'WAITING' | 'DELIVERED') => `
  with made as (
    insert into events (platform_id, event_id, type, resource_external_id, occurred_at, body)
    select platform_id, gen_random_uuid(), 'T', 'r', 0, '{"id":"00000000-0000-4000-8000-000000000000"}'
    from (select distinct platform_id from webhook_subscriptions s where ${which}) p cross join generate_series(1, ${count})
    returning platform_id, event_id
  )
  insert into webhook_deliveries (platform_id, subscription_id, event_id, status, next_attempt_at, finished_at)
  select s.platform_id, s.subscription_id, made.event_id, '${state === 'DELIVERED' ? state : 'PENDING'}',
    now() ${state === 'WAITING' ? "+ interval '1 day'" : "- interval '1 second' * random()"},
    ${state === 'DELIVERED' ? 'now()' : 'null'}
  from made join webhook_subscriptions s on s.platform_id = made.platform_id and ${which}`;

const DUE_AGAIN = `
  update webhook_deliveries d set status = 'PENDING', round = d.round + 1, attempts = 0, is_held = false, finished_at = null,
    next_attempt_at = now()
  from unnest($1::int[], $2::bigint[]) k(platform_id, delivery_id)
  where d.platform_id = k.platform_id and d.delivery_id = k.delivery_id`;

const p99 = (values: readonly number[]) => percentile(values, 0.99);

function findingOf({
  fewTook,
  alone,
  paced,
}: {
  fewTook: number[];
  alone: number[];
  paced: Paced[];
}): Finding {
  const manyTook = paced.flatMap(({ claimsTook }) => claimsTook);
  const ratio = median(fewTook) / median(manyTook);
  const apiNote = ({ perSecond, beside }: Paced) => {
    const times = p99(beside) / p99(alone);
    return `${REQUESTS_PER_SECOND} GET /v1/platform a second beside a worker that claims ${perSecond.toLocaleString('en')} deliveries a second and records them: p99 ${p99(beside).toFixed(2)} ms, ${p99(alone).toFixed(2)} ms without, ${times.toFixed(2)} times; the bar of ${API_BAR} times is ${times <= API_BAR ? 'met' : 'missed'}.`;
  };
  return {
    id: 'W6',
    what: `claims of ${DUE.toLocaleString('en')} due deliveries beside ${(DELIVERED + WAITING).toLocaleString('en')} others`,
    rate: 1_000 / median(manyTook),
    baseline: `claims of ${FEW} due deliveries`,
    baselineRate: 1_000 / median(fewTook),
    ratio,
    ratioMin: ratio,
    ratioMax: ratio,
    bar: `p99 ≤ ${BAR_MS} ms`,
    p50Ms: median(manyTook),
    p99Ms: p99(manyTook),
    notes: [
      claimsNote(
        `${FEW} due beside ${IDLE_SUBSCRIPTIONS.toLocaleString('en')} active subscriptions`,
        fewTook,
      ),
      `The next claims find ${DUE.toLocaleString('en')} due on ${DUE_SUBSCRIPTIONS.toLocaleString('en')} subscriptions beside ${DELIVERED.toLocaleString('en')} delivered and ${WAITING.toLocaleString('en')} waiting.`,
      ...paced.map((each) =>
        claimsNote(`At ${each.perSecond.toLocaleString('en')} deliveries a second`, each.claimsTook),
      ),
      ...paced.map(apiNote),
    ],
  };
}

const claimsNote = (what: string, tookMs: readonly number[]) =>
  `${what}: ${tookMs.length} claims, median ${median(tookMs).toFixed(2)} ms, p99 ${p99(tookMs).toFixed(2)} ms; the bar of ${BAR_MS} ms is ${p99(tookMs) <= BAR_MS ? 'met' : 'missed'}.`;
