/** The scenario of the guide: listen, trigger, an outage of an hour by the clock of the sandbox, recover. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runHere } from '#test/command';
import { type Receiver, startReceiver } from '#test/receiver';
import { until } from '#test/until';
import { createWorld, type World } from '#test/world';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

let world: World;
let listener: Receiver;
let receiver: Receiver;
beforeAll(async () => {
  [world, listener, receiver] = await Promise.all([
    createWorld({ settings: { TRADELINE_LOG_LEVEL: 'silent' } }),
    startReceiver(),
    startReceiver(),
  ]);
});
afterAll(async () => {
  await world.close();
  await Promise.all([listener.close(), receiver.close()]);
});

const env = () => ({ TRADELINE_BASE_URL: world.baseUrl, TRADELINE_API_KEY: world.apiKey });
const trigger = async (type: string) => {
  expect(await runHere(['trigger', type], env())).toMatchObject({ code: 0, stderr: '' });
};
const typesAt = ({ received }: Receiver) => received.map(({ event }) => event.type);

it('what happened while a receiver was away is delivered afterwards, once and in full', async () => {
  const { PATH = '', HOME = '' } = process.env;
  const args = ['listen', '--forward-to', listener.url, '--types', 'ORDER'];
  const listening = spawn(process.execPath, [MAIN, ...args], { env: { PATH, HOME, ...env() } });
  let said = '';
  listening.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  await until(() => said.includes('Events after position'));

  const { status } = await world.post('/v1/webhooks', { type: 'ORDER', url: receiver.url });
  expect(status).toBe(201);
  await trigger('ORDER.CONFIRMED');
  await receiver.waitFor(1);
  // An event may arrive before it has its position in the list.
  const seen = await until(async () => {
    const { items, next } = (await world.get('/v1/events?limit=100&type=ORDER')).body;
    return items.length > 0 && next;
  });

  // The receiver is gone permanently: its proxy answers 410.
  receiver.answerNext(410);
  // Only one event: of several, another could be acknowledged at the same time.
  await trigger('ORDER.CONFIRMED');
  const disabled = async () => (await world.get('/v1/webhooks?status=DISABLED')).body.items;
  await until(async () => (await disabled()).length === 1);
  await trigger('ORDER.CANCELLED');
  await world.post('/v1/sandbox/clock', { advance_seconds: 3_600 });
  await trigger('ORDER.EXPIRED');
  expect(typesAt(receiver).at(0)).toBe('ORDER.CONFIRMED');
  const beforeRecovery = receiver.received.length;

  const [subscription] = await disabled();
  const enabled = await world.put('/v1/webhooks/ORDER', { url: subscription.url, recover_after: seen });
  expect(enabled.body.status).toBe('ACTIVE');
  const since = async (): Promise<{ id: string; type: string }[]> =>
    (await world.get(`/v1/events?after=${seen}&type=ORDER`)).body.items;
  await until(async () => (await since()).some(({ type }) => type === 'ORDER.EXPIRED'));
  const missed = (await since()).map(({ id }) => id);
  expect(missed.length).toBeGreaterThan(2);
  const acknowledged = () => receiver.received.slice(beforeRecovery).map(({ event }) => event.id);
  await until(() => missed.every((id) => acknowledged().includes(id)));
  expect(acknowledged().sort()).toEqual([...missed].sort());

  // The desk was there all the time.
  await until(() => missed.every((id) => listener.received.some(({ event }) => event.id === id)));
  expect(new Set(typesAt(listener))).toEqual(
    new Set(['ORDER.CONFIRMED', 'ORDER.CANCELLED', 'ORDER.EXPIRED']),
  );
  listening.kill('SIGINT');
  await once(listening, 'close');
  const { actor, failure } = (await world.get('/v1/webhooks/ORDER/history')).body.items[1];
  expect({ actor, failure }).toEqual({ actor: 'service', failure: 'STATUS 410' });
});
