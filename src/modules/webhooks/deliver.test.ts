import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#infra/time/clock';
import { signatureDigest, signatureHeader, standardSignature } from '#kernel/signature';
import { buyerBody, merchantBody } from '#test/bodies';
import { forgetEvents, passTimeToNextAttempt, storedDeliveries, untilFinished } from '#test/deliveries';
import { onEachRequest, type RawServer, startRawServer } from '#test/raw-server';
import { type Receiver, startReceiver } from '#test/receiver';
import { createWorld, type World } from '#test/world';

describe('A webhook', () => {
  let world: World;
  let receiver: Receiver;
  let secret: string;
  const rawServers: RawServer[] = [];
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_LOG_LEVEL: 'silent' } });
  });
  beforeEach(async () => {
    world.clock.set(systemClock.now());
    receiver = await startReceiver();
    secret = await subscribe('BUYER', receiver.url);
  });
  afterEach(async () => {
    for (const type of ['BUYER', 'BUYER.CREATED', 'BUYER.UPDATED'])
      await world.delete(`/v1/webhooks/${type}/unsubscribe`);
    await forgetEvents(world);
    await receiver.close();
    for (const server of rawServers.splice(0)) await server.close();
  });
  afterAll(() => world.close());

  const subscribe = async (type: string, url: string): Promise<string> =>
    (await world.post('/v1/webhooks', { url, type })).body.signing_secret;
  let registered = 0;
  const registry = async () => {
    const external_id = `b${++registered}`;
    await world.post('/v1/buyers', buyerBody({ external_id }));
    return external_id;
  };
  /** Subscribes a server that answers every request with these bytes; null closes the connection. */
  const subscribeTo = async (type: string, answer: string | null) => {
    const server = await startRawServer((socket) =>
      onEachRequest(socket, () => (answer === null ? socket.destroy() : socket.write(answer))),
    );
    rawServers.push(server);
    await subscribe(type, `http://127.0.0.1:${server.port}/`);
    return server;
  };
  const answering = (status: string, headers = '') =>
    `HTTP/1.1 ${status}\r\n${headers}Content-Length: 0\r\n\r\n`;

  it('is a POST of the event as JSON, with the documented headers and envelope', async () => {
    world.clock.set(1_800_000_000);
    const external_id = await registry();
    const [delivery] = await receiver.waitFor(1);
    expect(delivery?.event).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      occurred_at: 1_800_000_000,
      type: 'BUYER.CREATED',
      data: { external_id, sequence: 1 },
    });
    expect(delivery?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(delivery?.raw ?? '')),
      'user-agent': 'Tradeline-Webhooks/1',
      'webhook-id': delivery?.event.id,
      'webhook-attempt': '1',
      'webhook-timestamp': '1800000000',
      'webhook-signature': standardSignature([secret], {
        ...{ id: delivery?.event.id, body: delivery?.raw ?? '', unixSeconds: 1_800_000_000 },
      }),
      'service-signature': signatureHeader([secret], delivery?.raw ?? '', 1_800_000_000),
    });
  });

  it('is delivered for its type and for the prefix: the same event and id, each signed with its own secret', async () => {
    const exact = await startReceiver();
    const exactSecret = await subscribe('BUYER.CREATED', exact.url);
    await registry();
    const [[one], [two]] = [await receiver.waitFor(1), await exact.waitFor(1)];
    expect(two?.raw).toBe(one?.raw);
    expect(two?.headers['webhook-id']).toBe(one?.headers['webhook-id']);
    expect(exactSecret).not.toBe(secret);
    expect(one?.digests).toEqual([signatureDigest(secret, one?.raw ?? '', one?.t ?? 0)]);
    expect(two?.digests).toEqual([signatureDigest(exactSecret, two?.raw ?? '', two?.t ?? 0)]);
    await exact.close();
  });

  it('is not delivered for another type, resource or platform', async () => {
    const other = await world.addPlatform();
    const { url } = receiver;
    await subscribe('BUYER.UPDATED', `${url}/updated`);
    await world.post('/v1/webhooks', { url: `${url}/merchant`, type: 'MERCHANT' });
    await world.post('/v1/webhooks', { url: `${url}/other`, type: 'BUYER' }, { key: other.apiKey });
    await registry();
    await world.post('/v1/merchants', merchantBody({}));
    const deliveries = await untilFinished(world);
    expect(deliveries.map(({ type, resource }) => [type, resource])).toEqual([
      ['BUYER.CREATED', `b${registered}`],
      ['MERCHANT.ENROLLED', 'merchant'],
    ]);
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/hooks', '/hooks/merchant']);
    await world.delete('/v1/webhooks/MERCHANT/unsubscribe');
  });

  it('is not sent for events before the subscription', async () => {
    await world.delete('/v1/webhooks/BUYER/unsubscribe');
    await registry();
    await subscribe('BUYER', receiver.url);
    const later = await registry();
    await receiver.waitFor(1);
    expect(receiver.received.map(({ event }) => event.data.external_id)).toEqual([later]);
  });

  it('is not sent for a refused request', async () => {
    const external_id = await registry();
    await world.post('/v1/buyers', buyerBody({ external_id }));
    expect(await untilFinished(world)).toHaveLength(1);
  });

  it.each([200, 201, 202, 204, 299])('is delivered once the receiver answers %i', async (status) => {
    receiver.answerNext(status);
    await registry();
    expect(await untilFinished(world)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }]);
  });

  it.each([400, 401, 404, 429, 500, 503])('is retried when the receiver answers %i', async (status) => {
    receiver.answerNext(status);
    await registry();
    await passTimeToNextAttempt(world);
    await receiver.waitFor(2);
    expect(await untilFinished(world)).toMatchObject([{ status: 'DELIVERED', attempts: 2 }]);
  });

  it('does not follow a redirect: 3xx is a failure like any other', async () => {
    const elsewhere = await startReceiver();
    await world.delete('/v1/webhooks/BUYER/unsubscribe');
    await subscribeTo('BUYER', answering('307 Temporary Redirect', `Location: ${elsewhere.url}\r\n`));
    await registry();
    await passTimeToNextAttempt(world);
    expect(await storedDeliveries(world)).toMatchObject([{ status: 'PENDING' }]);
    expect(await world.sql('select distinct status_code from webhook_attempts')).toEqual([
      { status_code: 307 },
    ]);
    expect(elsewhere.received).toEqual([]);
    await elsewhere.close();
  });

  it('is retried when the receiver closes the connection or does not listen, with the failure recorded', async () => {
    await world.delete('/v1/webhooks/BUYER/unsubscribe');
    await subscribeTo('BUYER.CREATED', null);
    const gone = await startRawServer(() => {});
    await gone.close();
    await subscribe('BUYER', `http://127.0.0.1:${gone.port}/`);
    await registry();
    await passTimeToNextAttempt(world);
    const attempts = await world.sql('select status_code, failure from webhook_attempts where attempt = 1');
    expect(attempts).toEqual(Array(2).fill({ status_code: null, failure: 'CONNECTION' }));
  });

  it('has the same bytes and id at every attempt, and a new t and signature', async () => {
    receiver.answerNext(500, 500);
    const startedAt = world.clock.now();
    await registry();
    for (const later of [60, 120]) {
      await receiver.waitFor(later / 60);
      world.clock.set(startedAt + later);
      await passTimeToNextAttempt(world);
    }
    const attempts = await receiver.waitFor(3);
    expect(attempts.map(({ raw }) => raw)).toEqual(Array(3).fill(attempts[0]?.raw));
    expect(attempts.map(({ headers }) => headers['webhook-id'])).toEqual(
      Array(3).fill(attempts[0]?.event.id),
    );
    expect(attempts.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2', '3']);
    expect(attempts.map(({ t }) => t - startedAt)).toEqual([0, 60, 120]);
    for (const { digests, raw, t } of attempts) expect(digests).toEqual([signatureDigest(secret, raw, t)]);
  });

  it('waits for Retry-After, in seconds or as a date, if it is longer than the schedule', async () => {
    const inAnHour = new Date((world.clock.now() + 3_600) * 1_000).toUTCString();
    for (const [retryAfter, low, high] of [
      ['1800', 1_790, 1_800],
      [inAnHour, 3_590, 3_600],
      ['1', 8, 10],
      ['soon', 8, 10],
      // Beyond the 12 hours the schedule applies.
      ['86400', 8, 10],
      // Ten years.
      ['315360000', 8, 10],
    ] as const) {
      await world.delete('/v1/webhooks/BUYER/unsubscribe');
      await forgetEvents(world);
      await subscribeTo('BUYER', answering('503 Unavailable', `Retry-After: ${retryAfter}\r\n`));
      await registry();
      const [delivery] = await waitForAttempt(1);
      expect(delivery?.due_in_seconds).toBeGreaterThan(low);
      expect(delivery?.due_in_seconds).toBeLessThanOrEqual(high);
    }
  });

  it('is given up after its eleventh attempt', async () => {
    receiver.answerNext(...Array(11).fill(500));
    await registry();
    const dues: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt++) {
      const [delivery] = await waitForAttempt(attempt);
      dues.push(delivery?.due_in_seconds ?? 0);
      await passTimeToNextAttempt(world);
    }
    expect(await untilFinished(world)).toMatchObject([{ status: 'FAILED', attempts: 11 }]);
    const schedule = [10, 30, 120, 300, 900, 1_800, 3_600, 7_200, 14_400, 14_400];
    for (const [index, due] of dues.entries()) {
      const scheduled = schedule[index] as number;
      expect(due).toBeLessThanOrEqual(scheduled);
      expect(due).toBeGreaterThan(scheduled * 0.9 - 5);
    }
    expect(await world.sql('select count(*) as count from webhook_attempts')).toEqual([{ count: '11' }]);
  });

  it('is given up when its next attempt would be after 12 hours', async () => {
    receiver.answerNext(500, 500);
    await registry();
    await waitForAttempt(1);
    await world.sql(
      "update webhook_deliveries set waiting_since = now() - interval '11 hours 59 minutes 45 seconds'",
    );
    await passTimeToNextAttempt(world);
    expect(await untilFinished(world)).toMatchObject([{ status: 'FAILED', attempts: 2 }]);
  });

  it('that cannot be sent because of a defect is retried like any other, with an end', async () => {
    await world.sql("update webhook_subscriptions set secret_sealed = 'damaged' where status = 'ACTIVE'");
    await registry();
    const [delivery] = await waitForAttempt(1);
    expect(delivery).toMatchObject({ status: 'PENDING', attempts: 1 });
    expect(await world.sql('select failure from webhook_attempts')).toEqual([{ failure: 'INTERNAL' }]);
  });

  const waitForAttempt = async (attempt: number) => {
    for (;;) {
      const deliveries = await storedDeliveries(world);
      if (deliveries.some(({ attempts }) => attempts >= attempt)) return deliveries;
    }
  };
});
