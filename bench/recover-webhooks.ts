/** W7: how long does the recovery of many events take, over a kill of the program, and how late are live events during it? */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { EVENT_TYPES } from '#kernel/event';
import { median, percentile } from './support/measure.ts';
import { type Part, startPart } from './support/part.ts';
import { type Program, startProgram } from './support/program.ts';
import type { Bench, Finding, Question } from './support/question.ts';
import {
  type Arrival,
  LIVE_PREFIX,
  type RecoveryReceiverJob,
  type RecoveryTally,
} from './support/recovery-receiver.ts';

const LIVE_A_SECOND = 20;
const SLOWER_MAX = 1.2;
const LOOK_EVERY_MS = 250;
const SECONDS_MAX = 3_600;
/** The program is killed when this share is delivered. */
const KILLED_AT = 0.3;
/** Each recovers the same number of events. */
const SUBSCRIPTIONS = 16;
/** The maximum number of attempts that a kill leaves without an outcome. Each is repeated. */
const UNDER_WAY_MAX = SUBSCRIPTIONS * 4;
/** This type also covers live events. */
const LIVE_AND_RECOVERED = 'BUYER';
const LIVE_ONLY = 'BUYER.CREATED';

export const recoverWebhooks: Question = { name: 'recover-webhooks', run };

type Receiver = Part<RecoveryReceiverJob, string | Arrival[] | RecoveryTally>;

/** The delay of live events, in milliseconds, for a recovering subscription and for another one. */
interface Lateness {
  same: number[];
  other: number[];
}

async function run(bench: Bench): Promise<Finding> {
  const { started, progress, rounds, roundMs, warmUpMs, events } = bench;
  let { program } = bench;
  const receiver: Receiver = started.use(startPart('recovery-receiver.ts'));
  const url = (await receiver.send({ kind: 'listen' })) as string;
  const owner = await connectOwner(bench, program);
  progress(`writing ${events.toLocaleString('en')} events`);
  const others = EVENT_TYPES.filter((type) => !type.startsWith(LIVE_AND_RECOVERED)).slice(1 - SUBSCRIPTIONS);
  const recovering = [LIVE_AND_RECOVERED, ...others];
  await owner.query(EVENTS, [events, ['BUYER.UPDATED', ...others]]);
  await owner.query('vacuum analyze events');
  for (const type of [...recovering, LIVE_ONLY])
    await program.send('POST', '/v1/webhooks', { type, url: `${url}/${type}` });

  progress('live events without a recovery');
  await sendLive(program, receiver, { prefix: 'first', durationMs: warmUpMs });
  const without = await sendLive(program, receiver, { prefix: 'alone', durationMs: rounds * roundMs });
  const startedAtMs = performance.now();
  for (const type of recovering) await program.send('POST', `/v1/webhooks/${type}/recover`, { after: 0 });
  await sleep(LOOK_EVERY_MS);
  progress('live events during the recovery');
  const meanwhile = await sendLive(program, receiver, { prefix: 'beside', durationMs: rounds * roundMs });
  const tally = async () => (await receiver.send({ kind: 'tally' })) as RecoveryTally;
  const delivered = (count: number) => untilDelivered(tally, count, progress);
  await delivered(KILLED_AT * events);
  await program.end('SIGKILL');
  const atKill = await tally();
  await owner.end().catch(() => {});
  program = await startProgram({ started, profileFolder: null, dataDir: program.dataDir });
  await delivered(events);
  const tookMs = performance.now() - startedAtMs;
  await assertDelivered(await connectOwner(bench, program), events);
  return findingOf({ events, tookMs, without, meanwhile, atKill, atEnd: await tally() });
}

async function connectOwner({ started }: Bench, program: Program): Promise<pg.Client> {
  const owner = new pg.Client(program.postgresOwner);
  // The connection breaks when the program is killed.
  owner.on('error', () => {});
  await owner.connect();
  started.defer(() => owner.end().catch(() => {}));
  return owner;
}

const EVENTS = `
  with made as (
    insert into events (platform_id, event_id, position, type, resource_external_id, occurred_at, body)
    select platform_id, gen_random_uuid(), n, ($2::text[])[1 + n % cardinality($2::text[])], 'past', 1763629199,
      '{"type":"T","data":{"external_id":"past","sequence":2}}'
    from platforms cross join generate_series(1, $1::int) n
    returning platform_id, position
  )
  insert into event_positions (platform_id, position_last) select platform_id, max(position) from made group by 1
  on conflict (platform_id) do update set position_last = excluded.position_last`;

/** Causes live events at a steady rate. Resolves when each has arrived at both subscriptions. */
async function sendLive(
  program: Program,
  receiver: Receiver,
  { prefix, durationMs }: { prefix: string; durationMs: number },
): Promise<Lateness> {
  const count = Math.round((durationMs / 1_000) * LIVE_A_SECOND);
  const sentAtMs = new Map<string, number>();
  const startedAtMs = performance.now();
  const requests = Array.from({ length: count }, async (_, nth) => {
    await sleep(Math.max(0, startedAtMs + (nth * 1_000) / LIVE_A_SECOND - performance.now()));
    const external_id = `${LIVE_PREFIX}${prefix}-${nth}`;
    sentAtMs.set(external_id, performance.timeOrigin + performance.now());
    await program.send('POST', '/v1/buyers', { external_id, ...COMPANY });
  });
  await Promise.all(requests);
  const late: Lateness = { same: [], other: [] };
  while (late.same.length < count || late.other.length < count) {
    for (const { path, externalId, atMs } of (await receiver.send({ kind: 'arrivals' })) as Arrival[])
      late[path === `/${LIVE_AND_RECOVERED}` ? 'same' : 'other'].push(
        atMs - (sentAtMs.get(externalId) ?? Number.NaN),
      );
    await sleep(LOOK_EVERY_MS);
  }
  return late;
}

async function untilDelivered(
  tally: () => Promise<RecoveryTally>,
  count: number,
  progress: Bench['progress'],
): Promise<void> {
  const startedAtMs = performance.now();
  for (;;) {
    const { events } = await tally();
    progress(`${events.toLocaleString('en')} of ${count.toLocaleString('en')} recovered`);
    if (events >= count) return;
    if (performance.now() - startedAtMs > SECONDS_MAX * 1_000)
      throw new Error(`Only ${events} of ${count} events were recovered.`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** Throws unless each event has a successful delivery. Only the receiver knows how often it was sent. */
async function assertDelivered(owner: pg.Client, events: number): Promise<void> {
  for (;;) {
    const { rows } = await owner.query(
      `select count(*)::int as deliveries, count(distinct event_id)::int as events,
        count(*) filter (where d.status = 'PENDING')::int as pending, count(*) filter (where d.status = 'DELIVERED')::int as delivered
      from webhook_deliveries d join events e using (platform_id, event_id) where e.resource_external_id = 'past'`,
    );
    const [{ pending, ...counts }] = rows;
    if (pending === 0 && Object.values(counts).every((count) => count === events)) return;
    if (pending === 0) throw new Error(`Of ${events} events: ${JSON.stringify(counts)}.`);
    await sleep(LOOK_EVERY_MS);
  }
}

const COMPANY = {
  legal_name: 'Café Morgenrot eG',
  legal_form: 'COOPERATIVE',
  business_identifiers: [{ type: 'VAT_ID', value: 'DE136695976', country: 'DE' }],
  business_address: { postcode: '10435', city: 'Berlin', country: 'DE' },
};

interface Recovered {
  events: number;
  tookMs: number;
  without: Lateness;
  meanwhile: Lateness;
  atKill: RecoveryTally;
  atEnd: RecoveryTally;
}

function findingOf({ events, tookMs, without, meanwhile, atKill, atEnd }: Recovered): Finding {
  const ratios = (['same', 'other'] as const).map(
    (which) => median(meanwhile[which]) / median(without[which]),
  );
  const seconds = tookMs / 1_000;
  return {
    id: 'W7',
    what: `recovery of ${events.toLocaleString('en')} events by ${SUBSCRIPTIONS} subscriptions, killed at ${Math.round((100 * atKill.events) / events)} %`,
    rate: events / seconds,
    baseline: 'live events without a recovery',
    baselineRate: LIVE_A_SECOND,
    ratio: Math.max(...ratios),
    ratioMin: Math.min(...ratios),
    ratioMax: Math.max(...ratios),
    bar: `≤ ${SLOWER_MAX} × as late`,
    p50Ms: median(meanwhile.same),
    p99Ms: percentile(meanwhile.same, 0.99),
    notes: [
      `All were delivered after ${seconds.toFixed(0)} s with a kill and a restart, each by one delivery.`,
      repeatNote(atKill, atEnd),
      latenessNote('a subscription that recovers', without.same, meanwhile.same),
      latenessNote('another subscription', without.other, meanwhile.other),
    ],
  };
}

/** Without a kill, nothing is sent again. After one, the attempts in progress are sent once more. */
function repeatNote(atKill: RecoveryTally, atEnd: RecoveryTally): string {
  const [before, after] = [atKill, atEnd].map(({ requests, events }) => requests - events) as [
    number,
    number,
  ];
  const isMet = before === 0 && after <= UNDER_WAY_MAX && atEnd.mostOfOne <= 2;
  return `Requests that repeated an event: ${before} before the kill and ${after - before} after it, at most ${atEnd.mostOfOne} requests for one event. A kill may repeat once what was under way, ${UNDER_WAY_MAX} at most: the bar is ${isMet ? 'met' : 'missed'}.`;
}

function latenessNote(what: string, without: readonly number[], meanwhile: readonly number[]): string {
  const shown = (values: readonly number[]) =>
    `p50 ${median(values).toFixed(1)} ms and p99 ${percentile(values, 0.99).toFixed(1)} ms`;
  const times = median(meanwhile) / median(without);
  return `Live events of ${what}, ${LIVE_A_SECOND} a second, from the request to the receiver: ${shown(without)} before, ${shown(meanwhile)} during the recovery, ${times.toFixed(2)} times at the median; the bar of ${SLOWER_MAX} times is ${times <= SLOWER_MAX ? 'met' : 'missed'}.`;
}
