/** P5 and P6: how fast are webhooks delivered, compared with a bare loop, and how long after its commit does an event arrive? */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { EVENT_TYPES } from '#kernel/event';
import { median, percentile } from './support/measure.ts';
import { type Part, startPart } from './support/part.ts';
import type { Program } from './support/program.ts';
import type { Bench, Finding, Question } from './support/question.ts';
import { postBare, type Received, type ReceiverJob } from './support/webhook-receiver.ts';

const RATIO_BAR = 0.6;
const ARRIVAL_BAR_MS = 100;
/** As many subscriptions as fill the slots of one origin, at four each. */
const SUBSCRIPTIONS = 16;
const CONNECTIONS = 64;
const DELIVERIES_A_SECOND = 400;
const EVENTS_A_SECOND = 100;

export const deliverWebhooks: Question = { name: 'deliver-webhooks', run };

async function run(bench: Bench): Promise<Finding> {
  const { program, started, progress, rounds, roundMs, warmUpMs } = bench;
  const receiver = started.use(startPart<ReceiverJob, string | Received[]>('webhook-receiver.ts'));
  const url = (await receiver.send({ kind: 'listen' })) as string;
  const owner = new pg.Client(program.postgresOwner);
  await owner.connect();
  started.defer(() => owner.end());
  // Its event is the example of all deliveries.
  await program.send('POST', '/v1/buyers', { external_id: 'example', ...COMPANY });
  // Nothing below causes events of these types.
  for (const type of EVENT_TYPES.filter((each) => !each.startsWith('BUYER')).slice(-SUBSCRIPTIONS))
    await program.send('POST', '/v1/webhooks', { type, url });

  const example = await exampleOf(owner);
  const subject = (count: number) => deliver(owner, receiver, count);
  const baseline = (count: number) => bare(receiver, url, { ...example, count });
  progress('warming up');
  const countOf = (ms: number) => (ms / 1_000) * DELIVERIES_A_SECOND;
  await subject(countOf(warmUpMs));
  await baseline(countOf(warmUpMs));
  const rates: Record<'subject' | 'baseline', number>[] = [];
  for (let round = 1; round <= rounds; round++) {
    progress(`round ${round} of ${rounds}`);
    const count = countOf(roundMs);
    rates.push({ baseline: await baseline(count), subject: await subject(count) });
  }
  progress(`${EVENTS_A_SECOND} events a second`);
  await program.send('POST', '/v1/webhooks', { type: 'BUYER.CREATED', url });
  await arrivals(program, receiver, { prefix: 'first', durationMs: warmUpMs });
  const took = await arrivals(program, receiver, { prefix: 'then', durationMs: rounds * roundMs });
  return findingOf(rates, took);
}

/** A body and its headers as they are sent. */
async function exampleOf(owner: pg.Client): Promise<{ body: string; headers: Record<string, string> }> {
  const { rows } = await owner.query('select body from events order by recorded_at limit 1');
  const body = rows[0]?.body as string;
  const signature = 'a'.repeat(64);
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Tradeline',
      'webhook-id': randomUUID(),
      'webhook-timestamp': '1763000000',
      'webhook-signature': `v1,${signature}`,
      'service-signature': `t=1763000000,v1=${signature}`,
    },
  };
}

/** Deliveries that are all due at once, until the last has arrived; how many a second. */
async function deliver(
  owner: pg.Client,
  receiver: Part<ReceiverJob, string | Received[]>,
  count: number,
): Promise<number> {
  const arrived = receiver.send({ kind: 'receive', count });
  await owner.query(DUE_DELIVERIES, [count]);
  const startedAtMs = performance.timeOrigin + performance.now();
  const last = ((await arrived) as Received[]).at(-1)?.atMs ?? Number.NaN;
  return (count * 1_000) / (last - startedAtMs);
}

/** Of all subscriptions in turn, each with an event of its own. */
const DUE_DELIVERIES = `
  with subscriptions as (
    select platform_id, subscription_id, row_number() over (order by subscription_id) - 1 as nth, count(*) over () as count
    from webhook_subscriptions
  ), made as (
    insert into events (platform_id, event_id, type, resource_external_id, occurred_at, body)
    select s.platform_id, gen_random_uuid(), 'T', s.subscription_id::text, 0,
      (select body from events order by recorded_at limit 1)
    from generate_series(1, $1::int) n join subscriptions s on s.nth = n % s.count
    returning platform_id, event_id, resource_external_id
  )
  insert into webhook_deliveries (platform_id, subscription_id, event_id, status, next_attempt_at)
  select platform_id, resource_external_id::uuid, event_id, 'PENDING', now() from made`;

async function bare(
  receiver: Part<ReceiverJob, string | Received[]>,
  url: string,
  { count, ...request }: { body: string; headers: Record<string, string>; count: number },
): Promise<number> {
  const arrived = receiver.send({ kind: 'receive', count });
  const seconds = await postBare(url, { ...request, count, connections: CONNECTIONS });
  await arrived;
  return count / seconds;
}

/** How long after the request that causes it was sent the first byte of each event arrived, in milliseconds. */
async function arrivals(
  program: Program,
  receiver: Part<ReceiverJob, string | Received[]>,
  { prefix, durationMs }: { prefix: string; durationMs: number },
): Promise<number[]> {
  const count = Math.round((durationMs / 1_000) * EVENTS_A_SECOND);
  const arrived = receiver.send({ kind: 'receive', count });
  const sentAtMs = new Map<string, number>();
  const startedAtMs = performance.now();
  const requests = Array.from({ length: count }, async (_, nth) => {
    await sleep(Math.max(0, startedAtMs + (nth * 1_000) / EVENTS_A_SECOND - performance.now()));
    const external_id = `${prefix}-${nth}`;
    sentAtMs.set(external_id, performance.timeOrigin + performance.now());
    await program.send('POST', '/v1/buyers', { external_id, ...COMPANY });
  });
  await Promise.all(requests);
  const all = (await arrived) as Received[];
  return all.map(({ externalId, atMs }) => atMs - (sentAtMs.get(externalId ?? '') ?? Number.NaN));
}

const COMPANY = {
  legal_name: 'Café Morgenrot eG',
  legal_form: 'COOPERATIVE',
  business_identifiers: [{ type: 'VAT_ID', value: 'DE136695976', country: 'DE' }],
  business_address: { postcode: '10435', city: 'Berlin', country: 'DE' },
};

function findingOf(
  rates: readonly Record<'subject' | 'baseline', number>[],
  took: readonly number[],
): Finding {
  const ratios = rates.map(({ subject, baseline }) => subject / baseline);
  const p50Ms = percentile(took, 0.5);
  const p99Ms = percentile(took, 0.99);
  return {
    id: 'P5',
    what: `webhook deliveries of ${SUBSCRIPTIONS} subscriptions to one receiver`,
    rate: median(rates.map(({ subject }) => subject)),
    baseline: `the same bodies from a bare loop over ${CONNECTIONS} connections`,
    baselineRate: median(rates.map(({ baseline }) => baseline)),
    ratio: median(ratios),
    ratioMin: Math.min(...ratios),
    ratioMax: Math.max(...ratios),
    bar: `≥ ${RATIO_BAR}`,
    p50Ms,
    p99Ms,
    notes: [
      'Each delivery is claimed, signed, sent and recorded. The receiver is a process of its own.',
      `P6: ${EVENTS_A_SECOND} events a second, each caused by a request: the first byte reached the receiver ${p50Ms.toFixed(1)} ms (p50) and ${p99Ms.toFixed(1)} ms (p99) after the request was sent; the bar of ${ARRIVAL_BAR_MS} ms after the commit is ${p99Ms <= ARRIVAL_BAR_MS ? 'met' : 'not shown by this'}.`,
    ],
  };
}
