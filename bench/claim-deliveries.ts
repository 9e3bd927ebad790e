/** W6: what does a claim of webhook deliveries cost beside many subscriptions and much that waits, and what do requests notice? */
import pg from 'pg';
import { openDatabase } from '#infra/database/database';
import { claimDeliveries, releaseHeldDeliveries } from '#modules/webhooks';
import { median, percentile } from './support/measure.ts';
import { startProgram } from './support/program.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const BAR_MS = 5;
const API_BAR = 1.2;
const IDLE_SUBSCRIPTIONS = 20_000;
const DELIVERED = 1_000_000;
const WAITING = 200_000;
const DUE = 5_000;
const DUE_SUBSCRIPTIONS = 1_000;
const BATCH_SIZE = 256;
const LEASE_SECONDS = 60;
const API_PROBES = 300;

export const claimDeliveriesQuestion: Question = { name: 'claim-deliveries', run };

async function run(bench: Bench): Promise<Finding> {
  const { started, progress, rounds } = bench;
  // Without a worker: the bench claims.
  const program = await startProgram({ started, profileFolder: null, settings: { TRADELINE_WORKER: 'off' } });
  const owner = new pg.Client(program.postgresOwner);
  await owner.connect();
  started.defer(() => owner.end());
  const { db, close } = openDatabase({ connection: program.postgres, connectionsMax: 4 });
  started.defer(close);
  const query = (sql: string) => owner.query(sql);
  const claimAll = async (tookMs: number[]) => {
    let claimed = 0;
    for (let hasMore = true; hasMore; ) {
      const startedAtMs = performance.now();
      const claim = await claimDeliveries(db, { batchSizeMax: BATCH_SIZE, leaseSeconds: LEASE_SECONDS });
      tookMs.push(performance.now() - startedAtMs);
      claimed += claim.deliveries.length;
      hasMore = claim.hasMore;
    }
    return claimed;
  };

  progress(`writing ${IDLE_SUBSCRIPTIONS.toLocaleString('en')} subscriptions`);
  await query(PLATFORMS);
  await query(subscriptions(IDLE_SUBSCRIPTIONS, 'idle'));
  await query(deliveries("s.type in (select 'idle-' || n * 7 from generate_series(1, 10) n)", 1, 'PENDING'));
  await query('vacuum analyze webhook_subscriptions, webhook_deliveries, events');
  const fewTook: number[] = [];
  for (let nth = 0; nth < 40 * rounds; nth++) {
    await claimAll(fewTook);
    await query(RELEASE);
  }

  progress(`writing ${(DELIVERED + WAITING + DUE).toLocaleString('en')} deliveries`);
  await query('delete from webhook_deliveries');
  await query(subscriptions(DUE_SUBSCRIPTIONS, 'busy'));
  const perSubscription = (count: number) => count / DUE_SUBSCRIPTIONS;
  await query(deliveries("s.type like 'busy-%'", perSubscription(DELIVERED), 'DELIVERED'));
  await query(deliveries("s.type like 'busy-%'", perSubscription(WAITING), 'WAITING'));
  await query(deliveries("s.type like 'busy-%'", perSubscription(DUE), 'PENDING'));
  await query('vacuum analyze webhook_subscriptions, webhook_deliveries, events');
  const api = () => probe(() => program.send('GET', '/v1/platform'));
  const alone = await api();
  const manyTook: number[] = [];
  let isClaiming = true;
  const claiming = (async () => {
    while (isClaiming) {
      await claimAll(manyTook);
      await releaseHeldDeliveries(db);
      await query(RELEASE);
    }
  })();
  const beside = await api();
  isClaiming = false;
  await claiming;
  return findingOf({ fewTook, manyTook, alone, beside });
}

const PLATFORMS = `insert into platforms (code, name, created_at, country, currency, data_key_wrapped)
  select 'receiver-' || n, 'Receiver', 0, 'DE', 'EUR', '' from generate_series(1, 100) n`;

/** Of a hundred platforms in turn, each with an origin of its own. */
const subscriptions = (count: number, name: string) => `
  insert into webhook_subscriptions (platform_id, subscription_id, type, url, status, created_at, updated_at, secret_sealed, last_outcome)
  select p.platform_id, gen_random_uuid(), '${name}-' || n, 'https://${name}-' || n || '.example/', 'ACTIVE', 0, 0, '', 'DELIVERED'
  from generate_series(1, ${count}) n
  join (select platform_id, row_number() over (order by platform_id) - 1 as nth from platforms where code like 'receiver-%') p
    on p.nth = n % 100`;

/** As many for each of these subscriptions, which share no event. */
const deliveries = (which: string, count: number, state: 'PENDING' | 'WAITING' | 'DELIVERED') => `
  with made as (
    insert into events (platform_id, event_id, type, resource_external_id, occurred_at, body)
    select s.platform_id, gen_random_uuid(), 'T', s.subscription_id::text, 0, '{}'
    from webhook_subscriptions s cross join generate_series(1, ${count}) where ${which}
    returning platform_id, event_id, resource_external_id
  )
  insert into webhook_deliveries (platform_id, subscription_id, event_id, status, next_attempt_at, finished_at)
  select platform_id, resource_external_id::uuid, event_id, '${state === 'DELIVERED' ? state : 'PENDING'}',
    now() ${state === 'WAITING' ? "+ interval '1 day'" : "- interval '1 second' * random()"},
    ${state === 'DELIVERED' ? 'now()' : 'null'}
  from made`;

/** What was claimed or held is due again. */
const RELEASE = `update webhook_deliveries set leased_until = null, is_held = false, next_attempt_at = now()
  where leased_until is not null or (status = 'PENDING' and is_held)`;

async function probe(send: () => Promise<unknown>): Promise<number[]> {
  const tookMs: number[] = [];
  for (let nth = 0; nth < API_PROBES; nth++) {
    const startedAtMs = performance.now();
    await send();
    tookMs.push(performance.now() - startedAtMs);
  }
  return tookMs;
}

const p99 = (values: readonly number[]) => percentile(values, 0.99);

function findingOf(took: Record<'fewTook' | 'manyTook' | 'alone' | 'beside', number[]>): Finding {
  const { fewTook, manyTook, alone, beside } = took;
  const ratio = median(fewTook) / median(manyTook);
  const apiRatio = p99(beside) / p99(alone);
  return {
    id: 'W6',
    what: `claims of ${DUE.toLocaleString('en')} due deliveries beside ${(DELIVERED + WAITING).toLocaleString('en')} others`,
    rate: 1_000 / median(manyTook),
    baseline: 'claims of 10 due deliveries',
    baselineRate: 1_000 / median(fewTook),
    ratio,
    ratioMin: ratio,
    ratioMax: ratio,
    bar: `p99 ≤ ${BAR_MS} ms`,
    p50Ms: median(manyTook),
    p99Ms: p99(manyTook),
    notes: [
      claimsNote(`10 due beside ${IDLE_SUBSCRIPTIONS.toLocaleString('en')} active subscriptions`, fewTook),
      claimsNote(
        `${DUE.toLocaleString('en')} due on ${DUE_SUBSCRIPTIONS.toLocaleString('en')} subscriptions beside ${DELIVERED.toLocaleString('en')} delivered and ${WAITING.toLocaleString('en')} waiting`,
        manyTook,
      ),
      `GET /v1/platform while claims run one after the other: p99 ${p99(beside).toFixed(2)} ms, ${p99(alone).toFixed(2)} ms without, ${apiRatio.toFixed(2)} times; the bar of ${API_BAR} times is ${apiRatio <= API_BAR ? 'met' : 'missed'}.`,
    ],
  };
}

const claimsNote = (what: string, tookMs: readonly number[]) =>
  `${what}: ${tookMs.length} claims of 64 at most, median ${median(tookMs).toFixed(2)} ms, p99 ${p99(tookMs).toFixed(2)} ms; the bar of ${BAR_MS} ms is ${p99(tookMs) <= BAR_MS ? 'met' : 'missed'}.`;
