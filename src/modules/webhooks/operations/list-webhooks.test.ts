import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '#test/world';

const URL = 'https://93.184.215.14/hooks';

describe('GET /v1/webhooks', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    for (const type of ['MERCHANT', 'BUYER.CREATED', 'WEBHOOK', 'BUYER'])
      await world.post('/v1/webhooks', { url: URL, type });
    await world.delete('/v1/webhooks/WEBHOOK/unsubscribe');
    await world.sql("update webhook_subscriptions set status = 'DISABLED' where type = 'MERCHANT'");
  });
  afterAll(() => world.close());

  describe('200', () => {
    it('lists the active ones by type, with every field but the secret', async () => {
      const { status, body, text } = await world.get('/v1/webhooks');
      expect(status).toBe(200);
      const item = (type: string, more: object = {}) => ({
        type,
        url: URL,
        status: 'ACTIVE',
        created_at: expect.any(Number),
        updated_at: expect.any(Number),
        previous_secret_until: null,
        health: { last_success_at: null, oldest_waiting_since: null, failures_in_row: 0, recovery: null },
        ...more,
      });
      expect(body).toEqual({
        items: [item('BUYER'), item('BUYER.CREATED')],
        total: 2,
        limit: 100,
        offset: 0,
        next: null,
      });
      expect(text).not.toContain('whsec');
      expect(text).not.toContain('sealed');
    });

    it.each([
      ['ACTIVE', ['BUYER', 'BUYER.CREATED']],
      ['DISABLED', ['MERCHANT']],
      ['ACTIVE,DISABLED', ['BUYER', 'BUYER.CREATED', 'MERCHANT']],
    ])('lists those with the status %s', async (status, types) => {
      const { body } = await world.get(`/v1/webhooks?status=${status}`);
      expect(body.items.map(({ type }: { type: string }) => type)).toEqual(types);
      expect(body.total).toBe(types.length);
    });

    it('pages', async () => {
      const { body } = await world.get('/v1/webhooks?status=ACTIVE,DISABLED&limit=1&offset=1');
      expect(body).toMatchObject({ items: [{ type: 'BUYER.CREATED' }], total: 3, limit: 1, offset: 1 });
    });

    it('lists only the subscriptions of the platform', async () => {
      const { apiKey } = await world.addPlatform();
      expect((await world.get('/v1/webhooks', { key: apiKey })).body).toMatchObject({ items: [], total: 0 });
    });
  });

  describe('400', () => {
    it.each([
      ['limit=101', 'TOO_BIG query.limit'],
      ['offset=-1', 'TOO_SMALL query.offset'],
      ['type=BUYER', 'UNRECOGNIZED_KEYS query.type'],
      ['status=UNSUBSCRIBED', 'INVALID_ENUM query.status'],
      ['status=', 'INVALID_ENUM query.status'],
    ])('refuses %s', async (query, issue) => {
      const { status, body } = await world.get(`/v1/webhooks?${query}`);
      expect(status).toBe(400);
      expect(body.issues.map((one: Record<string, string>) => `${one.code} ${one.path}`)).toEqual([issue]);
    });
  });

  describe('403', () => {
    it('refuses a key restricted to a merchant, and one without the scope read', async () => {
      const restricted = await world.addKey({ merchantExternalId: 'merchant' });
      const unscoped = await world.addKey({ scopes: ['webhooks:write'] });
      const replies = [
        await world.get('/v1/webhooks', { key: restricted }),
        await world.get('/v1/webhooks', { key: unscoped }),
      ];
      expect(replies.map(({ status, body }) => [status, body.reason])).toEqual([
        [403, 'MERCHANT_NOT_ALLOWED'],
        [403, 'INSUFFICIENT_SCOPE'],
      ]);
    });
  });
});
