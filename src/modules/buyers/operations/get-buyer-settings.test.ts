import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { issuesOf } from '#test/paging';
import { NOT_FOUND } from '#test/problem';
import { createWorld, type World } from '#test/world';

describe('GET /v1/buyers/{external_id}/settings', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    await world.post('/v1/buyers', buyerBody({ external_id: 'b1' }));
  });
  afterAll(() => world.close());

  describe('200', () => {
    it('has both fields, null before anything was set', async () => {
      const { status, body } = await world.get('/v1/buyers/b1/settings');
      expect(status).toBe(200);
      expect(body).toEqual({ language: null, formality: null });
    });

    it('has what was set, and the ETag of the buyer', async () => {
      await world.put('/v1/buyers/b1/settings', { language: 'UK', formality: 'INFORMAL' });
      const { body, headers } = await world.get('/v1/buyers/b1/settings');
      expect(body).toEqual({ language: 'UK', formality: 'INFORMAL' });
      expect(headers.get('etag')).toBe('"2"');
      expect((await world.get('/v1/buyers/b1')).headers.get('etag')).toBe('"2"');
    });
  });

  describe('400', () => {
    it('refuses an external_id that cannot be one, and every parameter', async () => {
      const { status, body } = await world.get('/v1/buyers/a.b/settings?expand=contacts');
      expect(status).toBe(400);
      expect(issuesOf(body)).toEqual(['INVALID_FORMAT params.external_id', 'UNRECOGNIZED_KEYS query.expand']);
    });
  });

  describe('403', () => {
    it('answers a key without read', async () => {
      const key = await world.addKey({ scopes: ['orders:write'] });
      const { status, body } = await world.get('/v1/buyers/b1/settings', { key });
      expect(status).toBe(403);
      expect(body).toMatchObject({ reason: 'INSUFFICIENT_SCOPE', details: { scope: 'read' } });
    });
  });

  describe('404', () => {
    it('answers for an unknown buyer, and for one of another platform', async () => {
      const { apiKey } = await world.addPlatform();
      const unknown = await world.get('/v1/buyers/nobody/settings');
      const foreign = await world.get('/v1/buyers/b1/settings', { key: apiKey });
      expect(unknown.status).toBe(404);
      expect(unknown.body).toEqual(NOT_FOUND);
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    });
  });
});
