import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantBody } from '#test/bodies';
import { describePaging, idsOf, issuesOf } from '#test/paging';
import { createWorld, type World } from '#test/world';

/** Registered in this order, at these seconds after 1,800,000,000. */
const MERCHANTS: [externalId: string, second: number][] = [
  ['first', 0],
  ['z-tied', 1],
  ['A-tied', 1],
  ['a-tied', 1],
  ['last', 2],
];

describe('GET /v1/merchants', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    for (const [external_id, second] of MERCHANTS) {
      world.clock.set(1_800_000_000 + second);
      await world.post('/v1/merchants', merchantBody({ external_id, contact_emails: ['a@m.example'] }));
    }
    const { apiKey } = await world.addPlatform();
    await world.post('/v1/merchants', merchantBody({ external_id: 'theirs' }), { key: apiKey });
  });
  afterAll(() => world.close());

  describePaging(
    (parameters) => world.get(`/v1/merchants?${parameters}`),
    ['last', 'A-tied', 'a-tied', 'z-tied', 'first'],
  );

  describe('200', () => {
    it('has every merchant as a GET of it shows it', async () => {
      const { body } = await world.get('/v1/merchants');
      for (const merchant of body.items)
        expect(merchant).toEqual((await world.get(`/v1/merchants/${merchant.external_id}`)).body);
    });

    it.each([
      ['a-tied', ['a-tied']],
      ['not-registered-yet', []],
      ['theirs', []],
    ])('shows a key restricted to %s only %j', async (merchantExternalId, expected) => {
      const key = await world.addKey({ merchantExternalId });
      const { status, body } = await world.get('/v1/merchants', { key });
      expect(status).toBe(200);
      expect(idsOf(body)).toEqual(expected);
      expect(body.total).toBe(expected.length);
    });
  });

  describe('400', () => {
    it('refuses a status that no merchant has', async () => {
      const { body } = await world.get('/v1/merchants?status=ENROLLED,GONE');
      expect(issuesOf(body)).toEqual(['INVALID_ENUM query.status']);
    });

    it.each(['external_id=first', 'sort_by=created_at'])('refuses ?%s', async (query) => {
      const { status, body } = await world.get(`/v1/merchants?${query}`);
      expect(status).toBe(400);
      expect(issuesOf(body)).toEqual([`UNRECOGNIZED_KEYS query.${query.split('=')[0]}`]);
    });
  });

  describe('403', () => {
    it('answers a key without read', async () => {
      const key = await world.addKey({ scopes: ['orders:write'] });
      const { status, body } = await world.get('/v1/merchants', { key });
      expect(status).toBe(403);
      expect(body).toMatchObject({ reason: 'INSUFFICIENT_SCOPE', details: { scope: 'read' } });
    });
  });
});
