import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { describeIfMatch } from '#test/if-match';
import { idsOf, issuesOf } from '#test/paging';
import { NOT_FOUND } from '#test/problem';
import { createWorld, type World } from '#test/world';

describe('DELETE /v1/contacts/{external_id}', () => {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await createWorld();
    await world.post('/v1/buyers', buyerBody({ external_id: 'b1' }));
  });
  afterAll(() => world.close());

  const registry = async () => {
    const external_id = `contact-${++made}`;
    await world.post('/v1/contacts', { external_id, buyer_external_id: 'b1', email: 'ines@b1.example' });
    return `/v1/contacts/${external_id}`;
  };

  describe('200', () => {
    it('answers null, and the contact is gone from everywhere', async () => {
      const path = await registry();
      const stays = await registry();
      const { status, headers, text } = await world.delete(path);
      expect([status, text]).toEqual([200, 'null']);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('etag')).toBeNull();
      expect((await world.get(path)).status).toBe(404);
      expect(idsOf((await world.get('/v1/contacts')).body)).not.toContain(path.split('/')[3]);
      const { body } = await world.get('/v1/buyers/b1?expand=contacts');
      expect(idsOf({ items: body.contacts })).toEqual([stays.split('/')[3]]);
    });

    it('leaves no row behind', async () => {
      const path = await registry();
      await world.delete(path);
      const rows = await world.sql('select from contacts where external_id = $1', [path.split('/')[3]]);
      expect(rows).toEqual([]);
    });

    it('makes the external_id available for a new contact, which starts at version 1', async () => {
      const path = await registry();
      await world.put(path, { first_name: 'Ines' });
      await world.delete(path);
      const again = { external_id: path.split('/')[3], buyer_external_id: 'b1' };
      const { status, headers, body } = await world.post('/v1/contacts', again);
      expect(status).toBe(201);
      expect(headers.get('etag')).toBe('"1"');
      expect(body).toMatchObject({ first_name: null, email: null });
    });

    it('takes an empty object as body', async () => {
      expect((await world.delete(await registry(), { body: {} })).status).toBe(200);
    });
  });

  describeIfMatch({
    world: () => world,
    make: registry,
    change: (path, _, more) => world.delete(path, more),
  });

  describe('400', () => {
    it('refuses an external_id that cannot be one, every parameter, and a body', async () => {
      const reply = await world.delete('/v1/contacts/a.b?force=1', { body: { reason: 'x' } });
      expect(reply.status).toBe(400);
      expect(issuesOf(reply.body)).toEqual([
        'INVALID_FORMAT params.external_id',
        'UNRECOGNIZED_KEYS body',
        'UNRECOGNIZED_KEYS query.force',
      ]);
    });
  });

  describe('403', () => {
    it('answers a key without orders:write and deletes nothing', async () => {
      const path = await registry();
      const key = await world.addKey({ scopes: ['read'] });
      const reply = await world.delete(path, { key });
      expect(reply.status).toBe(403);
      expect(reply.body).toMatchObject({ code: 'FORBIDDEN', reason: 'INSUFFICIENT_SCOPE' });
      expect((await world.get(path)).status).toBe(200);
    });
  });

  describe('404', () => {
    it('answers the second time, and for a contact that never was', async () => {
      const path = await registry();
      await world.delete(path);
      for (const missing of [path, '/v1/contacts/nobody']) {
        const { status, body } = await world.delete(missing);
        expect(status).toBe(404);
        expect(body).toEqual(NOT_FOUND);
      }
    });

    it('is returned to all but one of 20 concurrent requests', async () => {
      const path = await registry();
      const replies = await Promise.all(Array.from({ length: 20 }, () => world.delete(path)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(404)]);
    });

    it('does not find a contact of another platform and does not change it', async () => {
      const { apiKey } = await world.addPlatform();
      await world.post('/v1/buyers', buyerBody({ external_id: 'b1' }), { key: apiKey });
      await world.post('/v1/contacts', { external_id: 'theirs', buyer_external_id: 'b1' }, { key: apiKey });
      expect((await world.delete('/v1/contacts/theirs')).status).toBe(404);
      expect((await world.get('/v1/contacts/theirs', { key: apiKey })).status).toBe(200);
    });
  });
});
