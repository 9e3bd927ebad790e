import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signatureDigest } from '#kernel/signature';
import { forgetEvents, passTimeToNextAttempt, untilFinished } from '#test/deliveries';
import { type Receiver, startReceiver } from '#test/receiver';
import { createWorld, type World } from '#test/world';

const TYPES = ['BUYER', 'BUYER.CREATED', 'WEBHOOK', 'WEBHOOK.TEST'];

describe('POST /v1/webhooks/{type}/test', () => {
  let world: World;
  let receiver: Receiver;
  const secrets = new Map<string, string>();
  beforeAll(async () => {
    world = await createWorld();
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    for (const type of TYPES) {
      const { body } = await world.post('/v1/webhooks', { url: `${receiver.url}/${type}`, type });
      secrets.set(type, body.signing_secret);
    }
  });
  afterEach(async () => {
    for (const type of TYPES) await world.delete(`/v1/webhooks/${type}/unsubscribe`);
    await forgetEvents(world);
    await receiver.close();
  });
  afterAll(() => world.close());

  const test = (type: string, more: object = {}) => world.post(`/v1/webhooks/${type}/test`, undefined, more);

  describe('200', () => {
    it.each(TYPES)('sends a signed WEBHOOK.TEST to the subscription of %s, and to no other', async (type) => {
      world.clock.set(1_800_000_000);
      const { status, body } = await test(type);
      expect(status).toBe(200);
      expect(body).toEqual({
        event_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      });
      await untilFinished(world);
      expect(receiver.received).toHaveLength(1);
      const [delivery] = receiver.received;
      expect(delivery?.path).toBe(`/hooks/${type}`);
      expect(delivery?.event).toEqual({
        id: body.event_id,
        occurred_at: 1_800_000_000,
        type: 'WEBHOOK.TEST',
        data: {
          external_id: type,
          sequence: expect.any(Number),
          status: 'ACTIVE',
          previous_status: 'ACTIVE',
        },
      });
      expect(delivery?.digests).toEqual([
        signatureDigest(secrets.get(type) ?? '', delivery?.raw ?? '', delivery?.t ?? 0),
      ]);
    });

    it('is retried like any other event', async () => {
      receiver.answerNext(503);
      await test('BUYER');
      await receiver.waitFor(1);
      await passTimeToNextAttempt(world);
      const [first, second] = await receiver.waitFor(2);
      expect(second?.raw).toBe(first?.raw);
    });

    it('increments the sequence of the subscription', async () => {
      await test('BUYER');
      await test('BUYER');
      await untilFinished(world);
      const sequences = receiver.received.map(({ event }) => event.data.sequence);
      expect(new Set(sequences).size).toBe(2);
    });

    it('accepts an empty object as body', async () => {
      expect((await world.post('/v1/webhooks/BUYER/test', {})).status).toBe(200);
    });
  });

  describe('400', () => {
    it('refuses any field', async () => {
      const { status, body } = await world.post('/v1/webhooks/BUYER/test', { type: 'BUYER.CREATED' });
      expect(status).toBe(400);
      expect(body.issues).toMatchObject([{ code: 'UNRECOGNIZED_KEYS' }]);
    });
  });

  describe('403', () => {
    it('refuses a key restricted to a merchant', async () => {
      const key = await world.addKey({ merchantExternalId: 'merchant' });
      const { status, body } = await test('BUYER', { key });
      expect({ status, reason: body.reason }).toEqual({ status: 403, reason: 'MERCHANT_NOT_ALLOWED' });
    });
  });

  describe('404', () => {
    it('for a type that is not subscribed, and for another platform’s', async () => {
      const { apiKey } = await world.addPlatform();
      expect((await test('MERCHANT')).status).toBe(404);
      expect((await test('BUYER', { key: apiKey })).status).toBe(404);
    });
  });

  describe('409', () => {
    it('for a disabled subscription, with the transitions it allows', async () => {
      await world.sql(
        "update webhook_subscriptions set status = 'DISABLED' where type = 'BUYER' and status = 'ACTIVE'",
      );
      const { status, body } = await test('BUYER');
      expect(status).toBe(409);
      expect(body).toMatchObject({
        code: 'CONFLICT',
        reason: 'INVALID_STATUS_TRANSITION',
        details: { status: 'DISABLED', trigger: 'test', allowed: ['rotate', 'replace', 'unsubscribe'] },
      });
    });
  });
});
