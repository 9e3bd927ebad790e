import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { passTimeToNextAttempt } from '#test/deliveries';
import { NOT_FOUND } from '#test/problem';
import { type Receiver, startReceiver } from '#test/receiver';
import { createWorld, type World } from '#test/world';

describe('PUT /v1/webhooks/{type}', () => {
  let world: World;
  let receiver: Receiver;
  beforeAll(async () => {
    world = await createWorld();
  });
  beforeEach(async () => {
    world.clock.set(1_800_000_000);
    receiver = await startReceiver();
    await world.post('/v1/webhooks', { url: receiver.url, type: 'BUYER' });
  });
  afterEach(async () => {
    await world.delete('/v1/webhooks/BUYER/unsubscribe');
    await receiver.close();
  });
  afterAll(() => world.close());

  const replace = (url: unknown, more: object = {}) => world.put('/v1/webhooks/BUYER', { url }, more);

  describe('200', () => {
    it('replaces the URL and returns every field but the secret', async () => {
      world.clock.set(1_800_000_100);
      const { status, body, headers } = await replace('https://93.184.215.14/new');
      expect(status).toBe(200);
      expect(headers.get('etag')).toBe('"2"');
      expect(body).toEqual({
        type: 'BUYER',
        url: 'https://93.184.215.14/new',
        status: 'ACTIVE',
        created_at: 1_800_000_000,
        updated_at: 1_800_000_100,
        previous_secret_until: null,
      });
    });

    it('stores the origin of the new URL, also of one that a process of the version before writes', async () => {
      const stored = () =>
        world.sql("select receiver_origin as origin from webhook_subscriptions where status = 'ACTIVE'");
      await replace('https://bücher.example/new');
      expect(await stored()).toEqual([{ origin: 'https://xn--bcher-kva.example' }]);
      await world.sql(
        "update webhook_subscriptions set url = 'https://H.example.:443/' where status = 'ACTIVE'",
      );
      expect(await stored()).toEqual([{ origin: 'https://h.example' }]);
    });

    it('changes nothing when it is repeated', async () => {
      const first = await replace('https://93.184.215.14/new');
      world.clock.set(1_800_000_100);
      const again = await replace('https://93.184.215.14/new');
      expect(again.text).toBe(first.text);
      expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    });

    it('sends pending deliveries to the new URL, signed with the same secret', async () => {
      receiver.answerNext(500);
      await world.post('/v1/buyers', buyerBody({ external_id: 'pending' }));
      const [failed] = await receiver.waitFor(1);
      const next = await startReceiver();
      await replace(next.url);
      await passTimeToNextAttempt(world);
      const [delivered] = await next.waitFor(1);
      expect(delivered?.raw).toBe(failed?.raw);
      await next.close();
    });

    it('enables a disabled subscription again, also with the same URL', async () => {
      await world.sql(
        "update webhook_subscriptions set status = 'DISABLED', windows_lost = 5 where status = 'ACTIVE'",
      );
      world.clock.set(1_800_000_100);
      const { body } = await replace(receiver.url);
      expect(body).toMatchObject({ status: 'ACTIVE', updated_at: 1_800_000_100 });
      await world.post('/v1/buyers', buyerBody({ external_id: 'after-enabling' }));
      await receiver.waitFor(1, ({ event }) => event.data.external_id === 'after-enabling');
      expect(
        await world.sql("select windows_lost from webhook_subscriptions where status = 'ACTIVE'"),
      ).toEqual([{ windows_lost: 0 }]);
    });

    it('accepts If-Match with the current version', async () => {
      expect((await replace('https://93.184.215.14/', { headers: { 'if-match': '"1"' } })).status).toBe(200);
    });
  });

  describe('400', () => {
    it.each<[string, unknown, string]>([
      ['url missing', undefined, 'REQUIRED body.url'],
      ['url as a number', 5, 'INVALID_TYPE body.url'],
      ['a private address', 'https://192.168.0.1/', 'INVALID_VALUE body.url'],
      ['http to a public address', 'http://93.184.215.14/', 'INVALID_VALUE body.url'],
      ['credentials', 'https://user:word@hooks.shop.example/', 'INVALID_FORMAT body.url'],
    ])('refuses %s', async (_, url, issue) => {
      const { status, body } = await replace(url);
      expect(status).toBe(400);
      expect(body.issues.map((one: Record<string, string>) => `${one.code} ${one.path}`)).toEqual([issue]);
    });

    it('refuses another type in the body: a subscription keeps its type', async () => {
      const { status, body } = await world.put('/v1/webhooks/BUYER', { url: receiver.url, type: 'MERCHANT' });
      expect(status).toBe(400);
      expect(body.issues).toMatchObject([{ code: 'INVALID_VALUE', path: 'body.type' }]);
    });

    it('refuses a control character in the type', async () => {
      const { status, body } = await world.put('/v1/webhooks/BUYER%00', { url: receiver.url });
      expect(status).toBe(400);
      expect(body.issues).toMatchObject([{ code: 'INVALID_VALUE', path: 'params.type' }]);
    });
  });

  describe('403', () => {
    it('refuses a key restricted to a merchant', async () => {
      const key = await world.addKey({ merchantExternalId: 'merchant' });
      const { status, body } = await replace(receiver.url, { key });
      expect({ status, reason: body.reason }).toEqual({ status: 403, reason: 'MERCHANT_NOT_ALLOWED' });
    });
  });

  describe('404', () => {
    it.each(['BUYER.CREATED', 'buyer', 'NOTHING'])(
      'answers for %s, which is not subscribed',
      async (type) => {
        const { status, body } = await world.put(`/v1/webhooks/${type}`, { url: receiver.url });
        expect(status).toBe(404);
        expect(body).toEqual(NOT_FOUND);
      },
    );

    it('for an unsubscribed type, and for a subscription of another platform', async () => {
      await world.post('/v1/webhooks', { url: receiver.url, type: 'MERCHANT' });
      await world.delete('/v1/webhooks/MERCHANT/unsubscribe');
      const { apiKey } = await world.addPlatform();
      expect((await world.put('/v1/webhooks/MERCHANT', { url: receiver.url })).status).toBe(404);
      expect((await replace(receiver.url, { key: apiKey })).status).toBe(404);
    });
  });

  describe('412', () => {
    it('when If-Match names another version', async () => {
      const { status, body } = await replace('https://93.184.215.14/', { headers: { 'if-match': '"7"' } });
      expect({ status, code: body.code }).toEqual({ status: 412, code: 'PRECONDITION_FAILED' });
    });
  });
});
