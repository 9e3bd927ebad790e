import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { untilFinished } from '#test/deliveries';
import { type Receiver, startReceiver } from '#test/receiver';
import { until } from '#test/until';
import { createWorld, type World } from '#test/world';

const URL = 'https://93.184.215.14/hooks';

describe('GET /v1/webhooks/{type}/history', () => {
  let world: World;
  let receiver: Receiver;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_LOG_LEVEL: 'silent' } });
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await world.close();
    await receiver.close();
  });

  const history = async (type: string) => (await world.get(`/v1/webhooks/${type}/history`)).body.items;

  describe('200', () => {
    it('has every change with who made it, the latest first, also of deleted subscriptions', async () => {
      world.clock.set(1_800_000_000);
      const first = await world.addKey();
      const second = await world.addKey();
      await world.post('/v1/webhooks', { type: 'ORDER', url: URL }, { key: first });
      world.clock.set(1_800_000_060);
      await world.put('/v1/webhooks/ORDER', { url: `${URL}/v2` }, { key: second });
      await world.put('/v1/webhooks/ORDER', { url: `${URL}/v2` });
      await world.post('/v1/webhooks/ORDER/signature_key', {}, { key: first });
      await world.delete('/v1/webhooks/ORDER/unsubscribe', { key: second });
      world.clock.set(1_800_000_120);
      await world.post('/v1/webhooks', { type: 'ORDER', url: URL }, { key: first });
      const items = await history('ORDER');
      const actors = items.map(({ actor }: { actor: string }) => actor);
      expect(actors).toEqual([0, 1, 0, 1, 0].map((nth) => actors[nth]));
      expect(actors[0]).toMatch(/^api_key:/);
      expect(actors[1]).not.toBe(actors[0]);
      const change = (trigger: string, from_status: string | null, to_status: string, more: object) => ({
        ...{ trigger, from_status, to_status, failure: null, actor: expect.any(String), ...more },
      });
      const v2 = { transitioned_at: 1_800_000_060, url: `${URL}/v2` };
      expect(items).toEqual([
        change('subscribe', null, 'ACTIVE', { sequence: 1, transitioned_at: 1_800_000_120, url: URL }),
        change('unsubscribe', 'ACTIVE', 'UNSUBSCRIBED', { sequence: 4, ...v2 }),
        change('rotate', 'ACTIVE', 'ACTIVE', { sequence: 3, ...v2 }),
        change('replace', 'ACTIVE', 'ACTIVE', { sequence: 2, ...v2 }),
        change('subscribe', null, 'ACTIVE', { sequence: 1, transitioned_at: 1_800_000_000, url: URL }),
      ]);
    });

    it('says why the service disabled one, and the list how its receiver does', async () => {
      await world.post('/v1/webhooks', { type: 'BUYER', url: receiver.url });
      const health = async () =>
        (await world.get('/v1/webhooks?status=ACTIVE,DISABLED')).body.items.find(
          ({ type }: { type: string }) => type === 'BUYER',
        ).health;
      await world.post('/v1/buyers', buyerBody({ external_id: 'b1' }));
      await untilFinished(world);
      await until(async () => (await health()).last_success_at !== null);
      expect(await health()).toMatchObject({ oldest_waiting_since: null, failures_in_row: 0 });
      receiver.answerNext(503);
      await world.post('/v1/buyers', buyerBody({ external_id: 'b2' }));
      await until(async () => (await health()).failures_in_row === 1);
      const [waiting] = await world.sql<{ since: number }>(
        "select floor(extract(epoch from waiting_since))::int as since from webhook_deliveries where status = 'PENDING'",
      );
      expect(await health()).toMatchObject({ oldest_waiting_since: waiting?.since });
      receiver.answerNext(410);
      await world.post('/v1/buyers', buyerBody({ external_id: 'b3' }));
      await until(async () => (await health()).failures_in_row === 2);
      expect(await history('BUYER')).toMatchObject([
        { trigger: 'disable', to_status: 'DISABLED', actor: 'service', failure: 'STATUS 410', sequence: 2 },
        { trigger: 'subscribe' },
      ]);
      const { body } = await world.get('/v1/webhooks?status=DISABLED');
      const replaced = await world.put('/v1/webhooks/BUYER', body.items[0]);
      expect(replaced.status).toBe(200);
      expect(await history('BUYER')).toMatchObject([
        { trigger: 'replace', from_status: 'DISABLED', to_status: 'ACTIVE' },
        { trigger: 'disable' },
        { trigger: 'subscribe' },
      ]);
    });

    it('pages', async () => {
      const { body } = await world.get('/v1/webhooks/ORDER/history?limit=1&offset=1');
      expect(body).toMatchObject({ items: [{ trigger: 'unsubscribe' }], total: 5, limit: 1, offset: 1 });
    });
  });

  describe('403', () => {
    it('refuses a key restricted to a merchant', async () => {
      const key = await world.addKey({ scopes: ['read'], merchantExternalId: 'm1' });
      const { status, body } = await world.get('/v1/webhooks/ORDER/history', { key });
      expect({ status, reason: body.reason }).toEqual({ status: 403, reason: 'MERCHANT_NOT_ALLOWED' });
    });
  });

  describe('404', () => {
    it.each(['MERCHANT', 'NOTHING'])('for %s, which was never subscribed', async (type) => {
      expect((await world.get(`/v1/webhooks/${type}/history`)).status).toBe(404);
    });

    it("for another platform's subscription", async () => {
      const { apiKey } = await world.addPlatform();
      expect((await world.get('/v1/webhooks/ORDER/history', { key: apiKey })).status).toBe(404);
    });
  });
});
