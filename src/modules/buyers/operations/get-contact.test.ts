import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { issuesOf } from '#test/paging';
import { NOT_FOUND } from '#test/problem';
import { createWorld, type World } from '#test/world';

describe('GET /v1/contacts/{external_id}', () => {
  let world: World;
  beforeAll(async () => {
    // One test damages a row; its error must not appear in the log of the run.
    world = await createWorld({ settings: { TRADELINE_LOG_LEVEL: 'silent' } });
    world.clock.set(1_800_000_000);
    await world.post('/v1/buyers', buyerBody({ external_id: 'b1' }));
    const ids = { external_id: 'c1', buyer_external_id: 'b1' };
    await world.post('/v1/contacts', { ...ids, email: 'c1@b1.example', address: { city: 'Bonn' } });
  });
  afterAll(() => world.close());

  describe('200', () => {
    it('has every documented field, null if empty', async () => {
      const { status, headers, body } = await world.get('/v1/contacts/c1');
      expect(status).toBe(200);
      expect(headers.get('etag')).toBe('"1"');
      expect(body).toEqual({
        external_id: 'c1',
        buyer_external_id: 'b1',
        assign_to_all_invoices: false,
        created_at: 1_800_000_000,
        updated_at: 1_800_000_000,
        salutation: null,
        first_name: null,
        last_name: null,
        email: 'c1@b1.example',
        phone: null,
        address: { street: null, house: null, postcode: null, city: 'Bonn', country: null, additional: null },
      });
    });
  });

  describe('400', () => {
    it('refuses an external_id that cannot be one, and every parameter', async () => {
      const { status, body } = await world.get(`/v1/contacts/${'x'.repeat(101)}?expand=buyer`);
      expect(status).toBe(400);
      expect(issuesOf(body)).toEqual(['TOO_LONG params.external_id', 'UNRECOGNIZED_KEYS query.expand']);
    });
  });

  describe('403', () => {
    it('answers a key without read', async () => {
      const key = await world.addKey({ scopes: ['orders:write'] });
      const { status, body } = await world.get('/v1/contacts/c1', { key });
      expect(status).toBe(403);
      expect(body).toMatchObject({ reason: 'INSUFFICIENT_SCOPE', details: { scope: 'read' } });
    });
  });

  describe('404', () => {
    it('answers for an unknown contact, and for one of another platform in the same bytes', async () => {
      const { apiKey } = await world.addPlatform();
      const unknown = await world.get('/v1/contacts/nobody');
      const foreign = await world.get('/v1/contacts/c1', { key: apiKey });
      expect(unknown.status).toBe(404);
      expect(unknown.body).toEqual(NOT_FOUND);
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    });
  });

  describe('500', () => {
    it('answers for a row that was put in place of another, rather than showing its person', async () => {
      const ids = { external_id: 'c2', buyer_external_id: 'b1' };
      await world.post('/v1/contacts', { ...ids, email: 'c2@b1.example' });
      await world.sql(
        `update contacts set person_sealed = (
          select person_sealed from contacts where platform_id = $1 and external_id = 'c1'
        ) where platform_id = $1 and external_id = 'c2'`,
        [world.platform.platform_id],
      );
      const { status, text } = await world.get('/v1/contacts/c2');
      expect(status).toBe(500);
      expect(text).not.toContain('b1.example');
    });
  });
});
