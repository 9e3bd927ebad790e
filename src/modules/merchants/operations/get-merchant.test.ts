import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantBody } from '#test/bodies';
import { issuesOf } from '#test/paging';
import { NOT_FOUND } from '#test/problem';
import { createWorld, type World } from '#test/world';

describe('GET /v1/merchants/{external_id}', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    for (const external_id of ['m1', 'm2'])
      await world.post('/v1/merchants', merchantBody({ external_id, contact_emails: ['a@m.example'] }));
  });
  afterAll(() => world.close());

  describe('200', () => {
    it('has every documented field, null if empty', async () => {
      const { status, headers, body } = await world.get('/v1/merchants/m1');
      expect(status).toBe(200);
      expect(headers.get('etag')).toBe('"1"');
      expect(body).toEqual({
        ...merchantBody({ external_id: 'm1' }),
        status: 'ENROLLED',
        created_at: expect.any(Number),
        updated_at: expect.any(Number),
        trading_name: null,
        business_identifiers: [],
        business_address: {
          street: null,
          house: null,
          postcode: '20457',
          city: 'Hamburg',
          country: 'DE',
          additional: null,
        },
        contact_emails: ['a@m.example'],
      });
    });

    it('shows a key restricted to one merchant that one', async () => {
      const key = await world.addKey({ merchantExternalId: 'm1' });
      const { status, text } = await world.get('/v1/merchants/m1', { key });
      expect([status, text]).toEqual([200, (await world.get('/v1/merchants/m1')).text]);
    });
  });

  describe('400', () => {
    it('refuses an external_id that cannot be one, and every parameter', async () => {
      const { status, body } = await world.get('/v1/merchants/m.1?expand=buyers');
      expect(status).toBe(400);
      expect(issuesOf(body)).toEqual(['INVALID_FORMAT params.external_id', 'UNRECOGNIZED_KEYS query.expand']);
    });
  });

  describe('403', () => {
    it('answers a key without read', async () => {
      const key = await world.addKey({ scopes: ['orders:write'] });
      const { status, body } = await world.get('/v1/merchants/m1', { key });
      expect(status).toBe(403);
      expect(body).toMatchObject({ reason: 'INSUFFICIENT_SCOPE', details: { scope: 'read' } });
    });

    it('answers a key restricted to another merchant, in the same bytes whether this one exists', async () => {
      const key = await world.addKey({ merchantExternalId: 'm1' });
      const existing = await world.get('/v1/merchants/m2', { key });
      const unknown = await world.get('/v1/merchants/m3', { key });
      expect(existing.status).toBe(403);
      expect(existing.body).toMatchObject({
        code: 'FORBIDDEN',
        reason: 'MERCHANT_NOT_ALLOWED',
        details: { merchant_external_id: 'm1' },
      });
      expect([unknown.status, unknown.text]).toEqual([403, existing.text]);
    });
  });

  describe('404', () => {
    it('answers for an unknown merchant, and for one of another platform in the same bytes', async () => {
      const { apiKey } = await world.addPlatform();
      const unknown = await world.get('/v1/merchants/nobody');
      const foreign = await world.get('/v1/merchants/m1', { key: apiKey });
      expect(unknown.status).toBe(404);
      expect(unknown.body).toEqual(NOT_FOUND);
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    });
  });
});
