import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { forgetEvents, passTimeToNextAttempt, storedDeliveries, untilFinished } from '#test/deliveries';
import { type Receiver, startReceiver } from '#test/receiver';
import { createWorld, type World } from '#test/world';

describe('DELETE /v1/webhooks/{type}/unsubscribe', () => {
  let world: World;
  let receiver: Receiver;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_LOG_LEVEL: 'silent' } });
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    await world.post('/v1/webhooks', { url: receiver.url, type: 'BUYER' });
  });
  afterEach(async () => {
    await world.delete('/v1/webhooks/BUYER/unsubscribe');
    await forgetEvents(world);
    await receiver.close();
  });
  afterAll(() => world.close());

  const unsubscribe = (more: object = {}) => world.delete('/v1/webhooks/BUYER/unsubscribe', more);
  let registered = 0;
  const registry = () => world.post('/v1/buyers', buyerBody({ external_id: `b${++registered}` }));

  describe('200', () => {
    it('returns null, and the subscription has ended', async () => {
      const { status, text, headers } = await unsubscribe();
      expect({ status, text }).toEqual({ status: 200, text: 'null' });
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect((await world.get('/v1/webhooks')).body.total).toBe(0);
    });

    it('discards pending deliveries: they never arrive', async () => {
      receiver.answerNext(500, 500);
      await registry();
      await registry();
      await receiver.waitFor(2);
      await unsubscribe();
      expect((await untilFinished(world)).map(({ status }) => status)).not.toContain('PENDING');
      await world.sql('update webhook_deliveries set next_attempt_at = now()');
      const seen = receiver.received.length;
      // A later subscription gets its event: the worker has processed everything that was due.
      await world.post('/v1/webhooks', { url: receiver.url, type: 'BUYER' });
      await registry();
      await receiver.waitFor(1, ({ event }) => event.data.external_id === `b${registered}`);
      expect(receiver.received).toHaveLength(seen + 1);
    });

    it('leaves finished deliveries unchanged', async () => {
      await registry();
      await receiver.waitFor(1);
      await untilFinished(world);
      await unsubscribe();
      expect(await storedDeliveries(world)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }]);
    });

    it('does not affect other subscriptions of the event', async () => {
      const other = await startReceiver();
      await world.post('/v1/webhooks', { url: other.url, type: 'BUYER.CREATED' });
      receiver.answerNext(500);
      other.answerNext(500);
      await registry();
      await Promise.all([receiver.waitFor(1), other.waitFor(1)]);
      await unsubscribe();
      await passTimeToNextAttempt(world);
      await other.waitFor(2);
      expect(receiver.received).toHaveLength(1);
      await world.delete('/v1/webhooks/BUYER.CREATED/unsubscribe');
      await other.close();
    });

    it('allows a new subscription of the type, with a new secret and no old deliveries', async () => {
      const { body: first } = await world.post('/v1/webhooks', { url: receiver.url, type: 'MERCHANT' });
      await world.delete('/v1/webhooks/MERCHANT/unsubscribe');
      const { status, body: second } = await world.post('/v1/webhooks', {
        url: receiver.url,
        type: 'MERCHANT',
      });
      expect(status).toBe(201);
      expect(second.signing_secret).not.toBe(first.signing_secret);
      await world.delete('/v1/webhooks/MERCHANT/unsubscribe');
    });

    it('ends a disabled subscription too', async () => {
      await world.sql("update webhook_subscriptions set status = 'DISABLED' where status = 'ACTIVE'");
      expect((await unsubscribe()).status).toBe(200);
      expect((await world.get('/v1/webhooks')).body.total).toBe(0);
    });
  });

  describe('400', () => {
    it('refuses a body', async () => {
      const { status, body } = await unsubscribe({ body: { type: 'BUYER' } });
      expect(status).toBe(400);
      expect(body.issues).toMatchObject([{ code: 'UNRECOGNIZED_KEYS', path: 'body' }]);
    });
  });

  describe('403', () => {
    it('refuses a key restricted to a merchant', async () => {
      const { status, body } = await unsubscribe({
        key: await world.addKey({ merchantExternalId: 'merchant' }),
      });
      expect({ status, reason: body.reason }).toEqual({ status: 403, reason: 'MERCHANT_NOT_ALLOWED' });
    });
  });

  describe('404', () => {
    it('for a type that is not subscribed, unsubscribed already, or of another platform', async () => {
      const { apiKey } = await world.addPlatform();
      const replies = [
        await world.delete('/v1/webhooks/BUYER.CREATED/unsubscribe'),
        await unsubscribe({ key: apiKey }),
        (await unsubscribe()) && (await unsubscribe()),
      ];
      expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
    });
  });

  describe('412', () => {
    it('when If-Match names another version', async () => {
      expect((await unsubscribe({ headers: { 'if-match': '"9"' } })).status).toBe(412);
      expect((await unsubscribe({ headers: { 'if-match': '"1"' } })).status).toBe(200);
    });
  });
});
