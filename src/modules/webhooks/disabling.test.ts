import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#infra/time/clock';
import { buyerBody } from '#test/bodies';
import { forgetEvents, passTimeToNextAttempt, storedDeliveries, untilFinished } from '#test/deliveries';
import { onEachRequest, startRawServer } from '#test/raw-server';
import { type Receiver, startReceiver } from '#test/receiver';
import { until } from '#test/until';
import { createWorld, type World } from '#test/world';
import { finishAbandonedDeliveries } from './delivery.queries.ts';

describe('A webhook subscription', () => {
  let world: World;
  let receiver: Receiver;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_LOG_LEVEL: 'silent' } });
  });
  beforeEach(async () => {
    world.clock.set(systemClock.now() - 500);
    receiver = await startReceiver();
    await world.post('/v1/webhooks', { url: receiver.url, type: 'BUYER' });
  });
  afterEach(async () => {
    await world.delete('/v1/webhooks/BUYER/unsubscribe');
    await forgetEvents(world);
    await receiver.close();
  });
  afterAll(() => world.close());

  let registered = 0;
  const registry = () => world.post('/v1/buyers', buyerBody({ external_id: `b${++registered}` }));
  const subscription = async () => (await world.get('/v1/webhooks?status=ACTIVE,DISABLED')).body.items[0];
  /** Creates a buyer whose event is given up after 12 hours. */
  const loseWindow = async () => {
    receiver.answerNext(500, 500);
    await registry();
    await until(async () => (await storedDeliveries(world)).some(({ attempts }) => attempts > 0));
    await world.sql(
      "update webhook_deliveries set waiting_since = now() - interval '12 hours' where status = 'PENDING'",
    );
    await passTimeToNextAttempt(world);
    await untilFinished(world);
    await forgetEvents(world);
  };
  const deliver = async () => {
    await registry();
    expect(await untilFinished(world)).toMatchObject([{ status: 'DELIVERED' }]);
    await forgetEvents(world);
  };

  describe('whose receiver answers 410', () => {
    it('is disabled at once, and pending deliveries are discarded', async () => {
      receiver.answerNext(500, 500);
      await registry();
      await registry();
      await receiver.waitFor(2);
      world.clock.set(systemClock.now());
      receiver.answerNext(410);
      await registry();
      await until(async () => (await subscription()).status === 'DISABLED');
      expect((await subscription()).updated_at).toBe(world.clock.now());
      const deliveries = await untilFinished(world);
      expect(deliveries.map(({ status }) => status)).toEqual(Array(3).fill('DISCARDED'));
      expect(receiver.received).toHaveLength(3);
    });

    it('receives nothing until its URL is replaced, then only new events', async () => {
      receiver.answerNext(410);
      await registry();
      await until(async () => (await subscription()).status === 'DISABLED');
      await registry();
      expect(await storedDeliveries(world)).toHaveLength(1);
      await world.put('/v1/webhooks/BUYER', { url: receiver.url });
      await registry();
      await receiver.waitFor(2);
      expect(receiver.received.map(({ event }) => event.data.external_id)).toEqual([
        `b${registered - 2}`,
        `b${registered}`,
      ]);
    });

    it('is not disabled if its URL was replaced during the attempt', async () => {
      const gone = await startRawServer((socket) =>
        onEachRequest(socket, async () => {
          await world.put('/v1/webhooks/BUYER', { url: receiver.url });
          socket.write('HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n');
        }),
      );
      await world.put('/v1/webhooks/BUYER', { url: `http://127.0.0.1:${gone.port}/` });
      const external_id = `b${registered + 1}`;
      await registry();
      // It did not reach the new URL, and goes there immediately.
      const [delivery] = await receiver.waitFor(1);
      expect(delivery).toMatchObject({
        event: { data: { external_id } },
        headers: { 'webhook-attempt': '2' },
      });
      expect(await untilFinished(world)).toMatchObject([{ status: 'DELIVERED', attempts: 2 }]);
      expect(await subscription()).toMatchObject({ status: 'ACTIVE', url: receiver.url });
      await gone.close();
    });
  });

  describe('whose deliveries are given up', () => {
    it('is disabled by the fifth consecutive one', async () => {
      for (let lost = 1; lost <= 4; lost++) await loseWindow();
      const { updated_at, ...before } = await subscription();
      expect(before.status).toBe('ACTIVE');
      world.clock.set(systemClock.now());
      await loseWindow();
      // Each of them had two attempts.
      const health = { ...before.health, failures_in_row: before.health.failures_in_row + 2 };
      expect(await subscription()).toEqual({
        ...before,
        ...{ status: 'DISABLED', updated_at: world.clock.now(), health },
      });
      expect(updated_at).toBeLessThan(world.clock.now());
    });

    it('resets the count with every success', async () => {
      for (let lost = 1; lost <= 4; lost++) await loseWindow();
      await deliver();
      for (let lost = 1; lost <= 4; lost++) await loseWindow();
      expect((await subscription()).status).toBe('ACTIVE');
      await loseWindow();
      expect((await subscription()).status).toBe('DISABLED');
    });

    it('keeps its version until it is disabled: the count is not visible', async () => {
      await loseWindow();
      const { status } = await world.put(
        '/v1/webhooks/BUYER',
        { url: `${receiver.url}/other` },
        { headers: { 'if-match': '"1"' } },
      );
      expect(status).toBe(200);
    });

    it('resets the count when it is enabled again', async () => {
      for (let lost = 1; lost <= 5; lost++) await loseWindow();
      await world.put('/v1/webhooks/BUYER', { url: receiver.url });
      await loseWindow();
      expect((await subscription()).status).toBe('ACTIVE');
    });
  });

  describe('that is no longer active', () => {
    const leavePending = async (status: string, createdAgo: string) => {
      receiver.answerNext(500);
      await registry();
      await until(async () => (await storedDeliveries(world)).some(({ attempts }) => attempts > 0));
      await world.sql("update webhook_subscriptions set status = $1 where status = 'ACTIVE'", [status]);
      await world.sql('update webhook_deliveries set waiting_since = now() - $1::interval', [createdAgo]);
    };

    it.each([
      ['UNSUBSCRIBED', '1 second', 'DISCARDED'],
      ['DISABLED', '12 hours 1 second', 'FAILED'],
      ['DISABLED', '11 hours 59 minutes', 'PENDING'],
      ['ACTIVE', '12 hours 1 second', 'PENDING'],
    ])(
      'has its pending deliveries finished: %s after %s makes them %s',
      async (status, createdAgo, expected) => {
        await leavePending(status, createdAgo);
        await finishAbandonedDeliveries(world.installation.db, 100);
        expect(await storedDeliveries(world)).toMatchObject([{ status: expected }]);
      },
    );

    it('has them finished in batches', async () => {
      for (let i = 0; i < 3; i++) await registry();
      await untilFinished(world);
      await world.sql(
        "update webhook_deliveries set status = 'PENDING', finished_at = null, next_attempt_at = now() + interval '1 hour'",
      );
      await world.sql("update webhook_subscriptions set status = 'UNSUBSCRIBED' where status = 'ACTIVE'");
      const { db } = world.installation;
      expect([await finishAbandonedDeliveries(db, 2), await finishAbandonedDeliveries(db, 2)]).toEqual([
        2, 1,
      ]);
    });
  });
});
