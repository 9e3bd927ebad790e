/**
 * The clock of a sandbox is moved ahead, and thousands of invoices fall due at the same time: the events of another platform arrive
 * as before. `BURST` in the environment sets the number; `npm run soak` makes 5,000. If a claim holds no delivery, it examines only
 * those that are due longest, and the events of the other platform wait behind nearly all of the burst.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { buyerBody, invoiceBody, merchantBody } from '#test/bodies';
import { isOnCluster } from '#test/cluster';
import { copyInvoice } from '#test/invoice-copies';
import { patience } from '#test/patience';
import { onEachRequest, type RawServer, startRawServer } from '#test/raw-server';
import { type Receiver, startReceiver } from '#test/receiver';
import { until } from '#test/until';
import { createWorld, type World } from '#test/world';

const BURST = Number(process.env.BURST ?? 1_000);
/** Each transition is delivered to both. */
const BURST_TYPES = ['INVOICE', 'INVOICE.DUE'];
const BUYERS = ['one', 'two', 'three'];
const DAY = 86_400;
/** With the four slots of each subscription, the burst takes seconds. */
const ANSWER_MS = 20;
const CALM_EVENTS = 10;
/** Twice the number of deliveries that a claim examines. */
const BACKLOG_MIN = 512;
/** Events of the burst that arrive while one event of the other platform is on its way. */
const OVERTAKING_SHARE_MAX = 0.1;

vi.setConfig({ hookTimeout: patience(60), testTimeout: patience(60) });

let world: World;
let calmKey: string;
let calm: Receiver;
let busy: RawServer;
let arrivedOfBurst = 0;

beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_LOG_LEVEL: 'silent' } });
  calm = await startReceiver();
  busy = await startRawServer((socket) =>
    onEachRequest(socket, () => {
      arrivedOfBurst++;
      setTimeout(() => socket.write('HTTP/1.1 204 No Content\r\n\r\n'), ANSWER_MS);
    }),
  );
  calmKey = (await world.addPlatform()).apiKey;
  await world.post('/v1/webhooks', { type: 'BUYER', url: calm.url }, { key: calmKey });
  await world.post('/v1/merchants', merchantBody({}));
  for (const external_id of BUYERS) await world.post('/v1/buyers', buyerBody({ external_id }));
  const due_at = world.clock.now() + 10 * DAY;
  const invoice = invoiceBody({ external_id: 'due', buyer_external_id: 'one', due_at });
  expect((await world.post('/v1/invoices', invoice)).status).toBe(201);
  await copyInvoice((sql) => world.sql(sql), { invoice: 'due', count: BURST - 1, buyers: BUYERS });
  for (const type of BURST_TYPES) {
    await world.post('/v1/webhooks', { type, url: `http://127.0.0.1:${busy.port}/` });
    await world.post(`/v1/webhooks/${type}/test`);
  }
});
afterAll(async () => {
  await world?.close();
  await calm?.close();
  await busy?.close();
});

interface Calm {
  /** From the request to its event. */
  tookMs: number;
  /** Events of the burst that arrived during that time. */
  overtaking: number;
}

/** Sends events of the other platform, one after the other. */
async function sendCalm(): Promise<Calm[]> {
  const sent: Calm[] = [];
  for (let nth = 1; nth <= CALM_EVENTS; nth++) {
    const before = { atMs: performance.now(), arrivedOfBurst, received: calm.received.length };
    await world.post('/v1/webhooks/BUYER/test', undefined, { key: calmKey });
    await calm.waitFor(before.received + 1);
    const overtaking = arrivedOfBurst - before.arrivedOfBurst;
    sent.push({ tookMs: performance.now() - before.atMs, overtaking });
  }
  return sent;
}

async function backlog(): Promise<number> {
  const [row] = await world.sql<{ pending: number }>(
    "select count(*)::int as pending from webhook_deliveries where status = 'PENDING'",
  );
  return row?.pending ?? 0;
}

// The copies of the invoice are written by the owner of one machine's tables.
it.skipIf(isOnCluster())(
  'the events of a platform arrive as before beside the burst of another',
  async () => {
    const before = await sendCalm();
    const advancing = world.post('/v1/sandbox/clock', { advance_seconds: 11 * DAY });
    await until(async () => (await backlog()) >= BACKLOG_MIN);
    const beside = await sendCalm();
    const left = await backlog();
    const median = (sent: Calm[]) =>
      sent
        .map(({ tookMs }) => tookMs)
        .toSorted((a, b) => a - b)
        [CALM_EVENTS / 2]?.toFixed(1);
    const overtaking = beside.map((event) => event.overtaking);
    console.log(
      `${BURST} transitions at once: events of another platform arrive after ${median(beside)} ms (median), ${median(before)} ms before ` +
        `them; ${overtaking.join(' ')} events of the burst arrive meanwhile, ${left} are left`,
    );
    expect(Math.max(...overtaking)).toBeLessThan(OVERTAKING_SHARE_MAX * BURST * BURST_TYPES.length);
    expect(left).toBeGreaterThan(0);
    expect((await advancing).status).toBe(200);
  },
);
