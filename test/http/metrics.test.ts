/** Metrics for operators, at a separate address, without names of tenants. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { untilFinished } from '#test/deliveries';
import { type Receiver, startReceiver } from '#test/receiver';
import { until } from '#test/until';
import { createWorld, type World } from '#test/world';

const TOKEN = 'a-token-of-16-characters-or-more';

let world: World;
let receiver: Receiver;
beforeAll(async () => {
  world = await createWorld({
    settings: { TRADELINE_METRICS_PORT: '0', TRADELINE_METRICS_TOKEN: TOKEN, TRADELINE_LOG_LEVEL: 'silent' },
    platform: { name: 'Secret Marketplace' },
  });
  receiver = await startReceiver();
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});

const url = () => world.metricsUrl as string;
const read = async () => {
  const reply = await fetch(url(), { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return reply.text();
};
/** The value of a line: `tradeline_mails_pending`, or `name{label="value"}`. */
const figure = (text: string, name: string) => {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? null : Number(line.split(' ').at(-1));
};

describe('GET /metrics', () => {
  it('has the usual figures of process, database, requests and background work', async () => {
    await world.get('/v1/merchants');
    await world.get('/no-such-address/of-somebody');
    await until(async () =>
      /tradeline_work_turn_duration_seconds_count\{work="sweeping"\} \d/.test(await read()),
    );
    const text = await read();
    for (const name of [
      'process_cpu_seconds_total',
      'nodejs_eventloop_lag_seconds',
      'tradeline_database_connections{state="used"}',
      'tradeline_database_connections{state="waiting"}',
      'tradeline_http_requests_total{method="GET",route="/v1/merchants",status="200"}',
      'tradeline_http_requests_total{method="GET",route="none",status="404"}',
      'tradeline_http_request_duration_seconds_count{method="GET",route="/v1/merchants"}',
      'tradeline_queue_claim_duration_seconds_count{queue="webhook"}',
      'tradeline_queue_claim_duration_seconds_count{queue="mail"}',
      'tradeline_events_unnumbered',
      'tradeline_mails_pending',
      'tradeline_mail_oldest_pending_seconds',
      'tradeline_schedule_platforms_due',
    ])
      expect(figure(text, name), name).not.toBeNull();
    expect(figure(text, 'tradeline_backlog_readable')).toBe(1);
  });

  it('counts what waits to be delivered, since when, and what became of attempts', async () => {
    await world.post('/v1/webhooks', { type: 'BUYER', url: receiver.url });
    receiver.answerNext(503);
    await world.post('/v1/buyers', buyerBody({ external_id: 'first-buyer-of-all' }));
    await receiver.waitFor(1);
    await until(
      async () => figure(await read(), 'tradeline_queue_attempts_total{queue="webhook",outcome="5xx"}') === 1,
    );
    const text = await read();
    expect(figure(text, 'tradeline_webhook_deliveries_pending')).toBe(1);
    expect(figure(text, 'tradeline_webhook_deliveries_due')).toBe(0);
    expect(figure(text, 'tradeline_webhook_oldest_pending_seconds')).toBeGreaterThan(0);
    await world.sql("update webhook_deliveries set waiting_since = now() - interval '1 hour'");
    expect(figure(await read(), 'tradeline_webhook_oldest_pending_seconds')).toBeGreaterThan(3_599);
    await world.sql('update webhook_deliveries set next_attempt_at = now()');
    await untilFinished(world);
    const after = await read();
    expect(figure(after, 'tradeline_queue_attempts_total{queue="webhook",outcome="2xx"}')).toBe(1);
    expect(figure(after, 'tradeline_webhook_deliveries_pending')).toBe(0);
    expect(figure(after, 'tradeline_webhook_oldest_pending_seconds')).toBe(0);
    await world.sql("update webhook_subscriptions set status = 'DISABLED'");
    expect(figure(await read(), 'tradeline_webhook_subscriptions_disabled')).toBe(1);
  });

  it('names no tenant, no key, no resource and no receiver', async () => {
    await world.get('/v1/buyers/first-buyer-of-all');
    const text = await read();
    const unspoken = [
      world.platform.code,
      'Secret Marketplace',
      'first-buyer',
      'of-somebody',
      '127.0.0.1',
      'tl_test_',
    ];
    for (const word of unspoken) expect(text).not.toContain(word);
    const labels = [...text.matchAll(/^tradeline_\w+\{(.*)\}/gm)].flatMap(([, list = '']) =>
      list.match(/\w+(?==)/g),
    );
    expect([...new Set(labels)].sort()).toEqual([
      'le',
      'method',
      'outcome',
      'queue',
      'route',
      'state',
      'status',
      'work',
    ]);
  });

  it('refuses a request without its token, and has nothing else', async () => {
    const status = async (path: string, init: RequestInit = {}) =>
      (await fetch(new URL(path, url()), init)).status;
    expect(await status('/metrics')).toBe(401);
    expect(await status('/metrics', { headers: { authorization: `Bearer ${TOKEN}x` } })).toBe(401);
    expect(await status('/metrics', { headers: { authorization: `Bearer ${world.apiKey}` } })).toBe(401);
    expect(await status('/')).toBe(404);
    expect(await status('/metrics', { method: 'POST' })).toBe(404);
    expect((await world.get('/metrics')).status).toBe(404);
  });

  it('answers while the database is away, and says so', async () => {
    await world.sql('revoke select on mails from tradeline_service');
    const text = await read();
    await world.sql('grant select on mails to tradeline_service');
    expect(figure(text, 'tradeline_backlog_readable')).toBe(0);
    expect(figure(text, 'tradeline_mails_pending')).toBeNull();
    expect(figure(text, 'process_cpu_seconds_total')).not.toBeNull();
    expect(figure(await read(), 'tradeline_backlog_readable')).toBe(1);
  });
});
