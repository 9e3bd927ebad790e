/** Platforms whose subscriptions fill the slots of a worker, and deliveries that are all due at the same time. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { openDatabase } from '#infra/database/database';
import { createVault } from '#infra/secrets/vault';
import { systemClock } from '#infra/time/clock';
import { EVENT_TYPES } from '#kernel/event';
import { createPlatform, issueApiKey } from '#modules/platforms';
import { waitUntil } from './limits.ts';
import { startPart } from './part.ts';
import { postgresCpuUs, processCpuUs } from './process-usage.ts';
import type { Program } from './program.ts';
import { BARE_ID, type Received, type ReceiverJob, type Tally } from './webhook-receiver.ts';

/** With four slots each, twice as many as a worker has, so that neither subscriptions nor origins nor platforms are the limit. */
export const PLATFORMS = 8;
export const SUBSCRIPTIONS_EACH = 16;
const ORIGINS = 16;
const MASTER_KEY = createHash('sha256').update('bench').digest();

/** The program's setting, so that platforms can be added to it. */
export const MASTER_KEY_SETTING = { TRADELINE_MASTER_KEY: MASTER_KEY.toString('base64') };

/** The cost of deliveries that became due at the same time. */
export interface Delivered {
  perSecond: number;
  /** Processor time per delivery, in microseconds. */
  workersUs: number;
  postgresUs: number;
}

export interface WebhookLoad {
  urls: string[];
  owner: pg.Client;
  /** Makes `count` deliveries due at the same time, and waits for the last. */
  deliver(count: number): Promise<Delivered>;
  /** Waits for `count` requests from now on. */
  receive(count: number): Promise<Received[]>;
  /** What has arrived since the last tally. Waits until the last attempt is recorded. */
  tally(): Promise<Tally>;
  /** A body and its headers in the form in which they are sent. */
  example(): Promise<{ body: string; headers: Record<string, string> }>;
}

export async function startWebhookLoad(
  program: Program,
  started: AsyncDisposableStack,
  /** The processes that deliver; more can join. */
  workers: readonly number[],
): Promise<WebhookLoad> {
  const receiver = started.use(startPart<ReceiverJob, string[] | Received[] | Tally>('webhook-receiver.ts'));
  const urls = (await receiver.send({ kind: 'listen', count: ORIGINS })) as string[];
  const owner = new pg.Client(program.postgresOwner);
  await owner.connect();
  started.defer(() => owner.end());
  await subscribe(program, urls);
  const { rows } = await owner.query('select pg_backend_pid() as pid');
  const times = () => ({
    atMs: performance.timeOrigin + performance.now(),
    workersUs: workers.reduce((sum, pid) => sum + (processCpuUs(pid) ?? Number.NaN), 0),
    postgresUs: postgresCpuUs(rows[0].pid) ?? Number.NaN,
  });
  const receive = (count: number) => receiver.send({ kind: 'receive', count }) as Promise<Received[]>;
  return {
    urls,
    owner,
    receive,
    async deliver(count) {
      await owner.query(EVENTS, [count]);
      await numbered(owner);
      const arrived = receive(count);
      await owner.query(DELIVERIES);
      await owner.query(NOTICE);
      const before = times();
      const last = (await arrived).at(-1)?.atMs ?? Number.NaN;
      const after = times();
      return {
        perSecond: (count * 1_000) / (last - before.atMs),
        workersUs: (after.workersUs - before.workersUs) / count,
        postgresUs: (after.postgresUs - before.postgresUs) / count,
      };
    },
    async tally() {
      await waitUntil('the last attempt', async () => {
        const { rowCount } = await owner.query('select from webhook_leases limit 1');
        return rowCount === 0;
      });
      return (await receiver.send({ kind: 'tally' })) as Tally;
    },
    async example() {
      const { rows } = await owner.query('select body from events order by recorded_at limit 1');
      const signature = 'a'.repeat(64);
      return {
        body: rows[0]?.body as string,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Tradeline-Webhooks/1',
          'webhook-id': BARE_ID,
          'webhook-timestamp': '1763000000',
          'webhook-signature': `v1,${signature.slice(0, 44)}`,
          'webhook-attempt': '1',
          'service-signature': `t=1763000000,v1=${signature}`,
        },
      };
    },
  };
}

async function subscribe(program: Program, urls: readonly string[]): Promise<void> {
  const { db, close } = openDatabase({ connection: program.postgres, connectionsMax: 1 });
  const vault = createVault(MASTER_KEY);
  const now = systemClock.now();
  // Nothing else causes events of these types.
  const types = EVENT_TYPES.filter((each) => !each.startsWith('BUYER')).slice(-SUBSCRIPTIONS_EACH);
  for (let nth = 1; nth <= PLATFORMS; nth++) {
    const platform = await createPlatform(db, vault, now, {
      code: `receiver-${nth}`,
      name: `Receiver ${nth}`,
      country: 'DE',
      currency: 'EUR',
      language: 'EN',
    });
    if (!platform) throw new Error(`The platform receiver-${nth} exists already.`);
    const options = { name: 'bench', environment: 'sandbox' as const };
    const apiKey = await issueApiKey(db, platform.platform_id, now, options);
    for (const [at, type] of types.entries()) {
      const url = urls[(at + nth) % urls.length] as string;
      await program.send('POST', '/v1/webhooks', { type, url }, apiKey);
    }
  }
  await close();
}

/** Numbering events is part of the cost of a write, not of a delivery. */
const numbered = (owner: pg.Client) =>
  waitUntil('the number of the last event', async () => {
    const { rowCount } = await owner.query('select from events where position is null limit 1');
    return rowCount === 0;
  });

/** Events for all subscriptions in turn, whose ids they contain. */
const EVENTS = `
  with subscriptions as (
    select platform_id, subscription_id, row_number() over (order by subscription_id) - 1 as nth, count(*) over () as count
    from webhook_subscriptions
  )
  insert into events (platform_id, event_id, type, resource_external_id, occurred_at, body)
  select s.platform_id, gen_random_uuid(), 'T', s.subscription_id::text, 0,
    (select body from events order by recorded_at limit 1)
  from generate_series(1, $1::int) n join subscriptions s on s.nth = n % s.count
  order by n`;

/** Deliveries of the events that have none. */
const DELIVERIES = `
  insert into webhook_deliveries (platform_id, subscription_id, event_id, status, next_attempt_at)
  select platform_id, resource_external_id::uuid, event_id, 'PENDING', now() from events e
  where type = 'T' and not exists (
    select from webhook_deliveries d where d.platform_id = e.platform_id and d.event_id = e.event_id
  )
  order by ordinal`;

/** The notification that follows the commit of a request. */
const NOTICE = `select pg_notify('tradeline_commits', '')`;
