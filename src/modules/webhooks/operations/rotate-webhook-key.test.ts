import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signatureDigest } from '#kernel/signature';
import { buyerBody } from '#test/bodies';
import { passTimeToNextAttempt } from '#test/deliveries';
import { type Received, type Receiver, startReceiver } from '#test/receiver';
import { createWorld, type World } from '#test/world';

describe('POST /v1/webhooks/{type}/signature_key', () => {
  let world: World;
  let receiver: Receiver;
  let secret: string;
  let registered = 0;
  beforeAll(async () => {
    world = await createWorld();
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    secret = (await world.post('/v1/webhooks', { url: receiver.url, type: 'BUYER' })).body.signing_secret;
  });
  afterEach(async () => {
    await world.delete('/v1/webhooks/BUYER/unsubscribe');
    await receiver.close();
  });
  afterAll(() => world.close());

  const rotate = (body?: object, more: object = {}) =>
    world.post('/v1/webhooks/BUYER/signature_key', body, more);
  const nextDelivery = async (): Promise<Received> => {
    const external_id = `b${++registered}`;
    await world.post('/v1/buyers', buyerBody({ external_id }));
    const [delivery] = await receiver.waitFor(1, ({ event }) => event.data.external_id === external_id);
    return delivery as Received;
  };
  const digestsOf = ({ raw, t }: Received, ...secrets: string[]) =>
    secrets.map((each) => signatureDigest(each, raw, t));

  describe('200', () => {
    it('returns the subscription with its new secret, once', async () => {
      const { status, body, headers } = await rotate();
      expect(status).toBe(200);
      expect(headers.get('etag')).toBe('"2"');
      expect(body).toEqual({
        type: 'BUYER',
        url: receiver.url,
        status: 'ACTIVE',
        created_at: expect.any(Number),
        updated_at: expect.any(Number),
        previous_secret_until: null,
        signing_secret: expect.stringMatching(/^tl_whsec_[A-Za-z0-9_-]{43}$/),
      });
      expect(body.signing_secret).not.toBe(secret);
      expect((await world.get('/v1/webhooks')).text).not.toContain('whsec');
    });

    it.each([[undefined], [{}], [{ grace_period_seconds: 0 }]])(
      'signs with the new secret alone from then on, with the body %s',
      async (body) => {
        const { body: rotated } = await rotate(body);
        const delivery = await nextDelivery();
        expect(delivery.digests).toEqual(digestsOf(delivery, rotated.signing_secret));
      },
    );

    it('signs with both during the grace period, the new one first, then only with the new one', async () => {
      const { body: rotated } = await rotate({ grace_period_seconds: 3_600 });
      const inAnHour = Math.floor(Date.now() / 1_000) + 3_600;
      expect(Math.abs(rotated.previous_secret_until - inAnHour)).toBeLessThan(10);
      const during = await nextDelivery();
      expect(during.digests).toEqual(digestsOf(during, rotated.signing_secret, secret));
      expect(during.headers['service-signature']).toBe(
        `t=${during.t},v1=${during.digests[0]},v1=${during.digests[1]}`,
      );
      await world.sql(
        "update webhook_subscriptions set previous_secret_until = now() where status = 'ACTIVE'",
      );
      const after = await nextDelivery();
      expect(after.digests).toEqual(digestsOf(after, rotated.signing_secret));
    });

    it('signs retries of pending deliveries with the new secret', async () => {
      receiver.answerNext(500);
      const failed = await nextDelivery();
      const { body: rotated } = await rotate();
      await passTimeToNextAttempt(world);
      const [, again] = await receiver.waitFor(2);
      expect(again?.raw).toBe(failed.raw);
      expect(again?.digests).toEqual(digestsOf(again as Received, rotated.signing_secret));
    });

    it('drops the oldest secret when it is rotated twice', async () => {
      const { body: second } = await rotate({ grace_period_seconds: 3_600 });
      const { body: third } = await rotate({ grace_period_seconds: 3_600 });
      const delivery = await nextDelivery();
      expect(delivery.digests).toEqual(digestsOf(delivery, third.signing_secret, second.signing_secret));
    });

    it('ends a running grace period when it is rotated without one', async () => {
      await rotate({ grace_period_seconds: 3_600 });
      const { body: last } = await rotate();
      expect(last.previous_secret_until).toBeNull();
      const delivery = await nextDelivery();
      expect(delivery.digests).toEqual(digestsOf(delivery, last.signing_secret));
    });

    it('shows the same secret again for the same Idempotency-Key, and rotates once', async () => {
      const send = () =>
        rotate({ grace_period_seconds: 60 }, { headers: { 'idempotency-key': 'rotate-once' } });
      const [first, again] = [await send(), await send()];
      expect([first.status, again.status]).toEqual([200, 200]);
      expect(again.text).toBe(first.text);
      expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      const delivery = await nextDelivery();
      expect(delivery.digests).toEqual(digestsOf(delivery, first.body.signing_secret, secret));
    });

    it('stores both secrets encrypted', async () => {
      const { body } = await rotate({ grace_period_seconds: 60 });
      const [row] = await world.sql<{ text: string }>(
        "select s::text as text from webhook_subscriptions s where status = 'ACTIVE'",
      );
      for (const each of [secret, body.signing_secret]) {
        expect(row?.text).not.toContain(each);
        expect(row?.text).not.toContain(Buffer.from(each).toString('hex'));
      }
    });
  });

  describe('400', () => {
    it.each([
      [{ grace_period_seconds: -1 }, 'TOO_SMALL body.grace_period_seconds'],
      [{ grace_period_seconds: 604_801 }, 'TOO_BIG body.grace_period_seconds'],
      [{ grace_period_seconds: 1.5 }, 'INVALID_TYPE body.grace_period_seconds'],
      [{ grace_period_seconds: '60' }, 'INVALID_TYPE body.grace_period_seconds'],
      [{ secret: 'mine' }, 'UNRECOGNIZED_KEYS body.secret'],
    ])('refuses %j', async (sent, issue) => {
      const { status, body } = await rotate(sent);
      expect(status).toBe(400);
      expect(body.issues.map((one: Record<string, string>) => `${one.code} ${one.path}`)).toEqual([issue]);
    });
  });

  describe('403', () => {
    it('refuses a key restricted to a merchant', async () => {
      const key = await world.addKey({ merchantExternalId: 'merchant' });
      const { status, body } = await rotate(undefined, { key });
      expect({ status, reason: body.reason }).toEqual({ status: 403, reason: 'MERCHANT_NOT_ALLOWED' });
    });
  });

  describe('404', () => {
    it('for a type that is not subscribed, and for another platform’s', async () => {
      const { apiKey } = await world.addPlatform();
      expect((await world.post('/v1/webhooks/MERCHANT/signature_key')).status).toBe(404);
      expect((await rotate(undefined, { key: apiKey })).status).toBe(404);
    });
  });

  describe('412', () => {
    it('when If-Match names another version; the secret is unchanged', async () => {
      expect((await rotate(undefined, { headers: { 'if-match': '"9"' } })).status).toBe(412);
      const delivery = await nextDelivery();
      expect(delivery.digests).toEqual(digestsOf(delivery, secret));
    });
  });
});
