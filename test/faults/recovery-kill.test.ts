/** Two subscriptions recover 2,000 events, and the server is killed with SIGKILL before the recoveries have ended. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as events from '#test/event-audit';
import { patience } from '#test/patience';
import { endPrograms, launchProgram, type RunningProgram, startProgram } from '#test/program';
import { post } from '#test/program-requests';
import { type Receiver, startReceiver } from '#test/receiver';
import { eventually, until } from '#test/until';

const EVENTS = 2_000;
/** The types of the events, in turn. */
const TYPES = ['BUYER.UPDATED', 'ORDER.CONFIRMED'];
const OF_EACH = EVENTS / TYPES.length;
/** Concurrent attempts of a subscription: those that a kill leaves without an outcome are sent again. */
const UNDER_WAY_MAX = 4;

vi.setConfig({ testTimeout: patience(90) });

let program: RunningProgram;
let audit: events.Audit;
const receivers: Receiver[] = [];

beforeAll(async () => {
  program = await startProgram({ args: ['--empty'] });
  audit = await events.auditOf(program.dataDir);
  await audit(`
    with made as (
      insert into events (platform_id, event_id, position, type, resource_external_id, occurred_at, body)
      select platform_id, gen_random_uuid(), n, ('{${TYPES}}'::text[])[1 + n % ${TYPES.length}], 'past', 1763629199,
        '{"type":"T","data":{}}'
      from platforms cross join generate_series(1, ${EVENTS}) n
      returning platform_id
    )
    insert into event_positions (platform_id, position_last) select distinct platform_id, ${EVENTS} from made
    on conflict (platform_id) do update set position_last = excluded.position_last`);
  for (const type of TYPES) {
    const receiver = await startReceiver();
    receivers.push(receiver);
    await sent('/v1/webhooks', { type, url: receiver.url });
  }
}, patience(90));

afterAll(async () => {
  await program?.stop();
  for (const receiver of receivers) await receiver.close();
  await endPrograms();
});

async function sent(path: string, body: object): Promise<void> {
  const { status, text } = await post(program, path, body);
  if (status >= 300) throw new Error(`POST ${path} answered ${status} ${text}`);
}

it('each gets every event of its type by one delivery, and twice at most what was under way at the kill', async () => {
  for (const type of TYPES) await sent(`/v1/webhooks/${type}/recover`, { after: 0 });
  await until(() => receivers.every(({ received }) => received.length >= OF_EACH / 4), 30);
  process.kill(program.pid, 'SIGKILL');
  await program.exited;
  const atKill = receivers.map(({ received }) => received.length);
  const launched = launchProgram({ dataDir: program.dataDir });
  program = { ...program, ...launched, baseUrl: (await launched.ready).baseUrl };
  audit = await events.auditOf(program.dataDir);
  expect(Math.max(...atKill)).toBeLessThan(OF_EACH);

  await eventually(async () => expect(await events.deliveriesAmiss(audit)).toEqual([]), 60);
  for (const [nth, { received }] of receivers.entries()) {
    const recorded = await audit(`select event_id from events where type = '${TYPES[nth]}'`);
    const byId = Map.groupBy(received, ({ headers }) => headers['webhook-id']);
    expect(new Set(byId.keys())).toEqual(new Set(recorded.map(({ event_id }) => event_id)));
    expect(byId.size).toBe(OF_EACH);
    expect(received.length - byId.size).toBeLessThanOrEqual(UNDER_WAY_MAX);
    expect(Math.max(...[...byId.values()].map(({ length }) => length))).toBeLessThanOrEqual(2);
  }
});
