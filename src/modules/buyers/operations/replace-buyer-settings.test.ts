import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORMALITIES, LANGUAGES } from '#kernel/language';
import { buyerBody } from '#test/bodies';
import { type Field, itRefuses, itTakes, oneOf, optional } from '#test/fields';
import { describeIfMatch } from '#test/if-match';
import { issuesOf } from '#test/paging';
import { NOT_FOUND } from '#test/problem';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

// The lists of the service description, so that a missing value fails a test.
const LISTED_LANGUAGES =
  'AR, BG, CS, DA, DE, EL, EN, ES, ET, FI, FR, GA, HR, HU, IT, JA, LT, LV, MT, NL, NO, PL, PT, RO, RU, SK, SL, SV, TR, UK, ZH';

const fields: Field[] = [
  { path: 'language', ...optional(oneOf(LISTED_LANGUAGES.split(', '))) },
  { path: 'formality', ...optional(oneOf(['NEUTRAL', 'FORMAL', 'INFORMAL'])) },
  {
    path: 'currency',
    fitting: [],
    offending: [{ what: 'an unknown field', sent: 'EUR', code: 'UNRECOGNIZED_KEYS' }],
  },
];

describe('PUT /v1/buyers/{external_id}/settings', () => {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  /** A new buyer without settings, registered at 1,800,000,000; answers its id. */
  const registry = async () => {
    const external_id = `buyer-${++made}`;
    world.clock.set(1_800_000_000);
    await world.post('/v1/buyers', buyerBody({ external_id }));
    return external_id;
  };

  describe('200', () => {
    itTakes(fields, 200, async (change) =>
      world.put(`/v1/buyers/${await registry()}/settings`, change({ language: 'EN', formality: 'NEUTRAL' })),
    );

    it('takes no language and no formality that is not in the description', () => {
      expect([LANGUAGES.join(', '), FORMALITIES.length]).toEqual([LISTED_LANGUAGES, 3]);
    });

    it('answers both fields and nothing else, with the ETag of the buyer', async () => {
      const id = await registry();
      const { status, body, headers } = await world.put(`/v1/buyers/${id}/settings`, { language: 'DE' });
      expect(status).toBe(200);
      expect(body).toEqual({ language: 'DE', formality: null });
      expect(headers.get('etag')).toBe('"2"');
      expect((await world.get(`/v1/buyers/${id}`)).headers.get('etag')).toBe('"2"');
      expect((await world.get(`/v1/buyers/${id}/settings`)).body).toEqual(body);
    });

    it.each([{}, { language: null, formality: null }, { formality: null }])(
      'clears both with %j',
      async (body) => {
        const id = await registry();
        await world.put(`/v1/buyers/${id}/settings`, { language: 'DE', formality: 'FORMAL' });
        const reply = await world.put(`/v1/buyers/${id}/settings`, body);
        expect(reply.body).toEqual({ language: null, formality: null });
      },
    );

    it('increments version and updated_at of the buyer and records one BUYER.UPDATED', async () => {
      const id = await registry();
      world.clock.set(1_800_000_100);
      await world.put(`/v1/buyers/${id}/settings`, { language: 'FR', formality: 'FORMAL' });
      world.clock.set(1_800_000_200);
      await world.put(`/v1/buyers/${id}/settings`, { language: 'FR', formality: 'NEUTRAL' });
      expect((await world.get(`/v1/buyers/${id}`)).body).toMatchObject({
        created_at: 1_800_000_000,
        updated_at: 1_800_000_200,
      });
      const [, ...updates] = await recordedEvents(world, id);
      expect(updates).toEqual([
        {
          id: expect.any(String),
          occurred_at: 1_800_000_100,
          type: 'BUYER.UPDATED',
          data: { external_id: id, sequence: 2, changed_fields: ['language', 'formality'] },
        },
        {
          id: expect.any(String),
          occurred_at: 1_800_000_200,
          type: 'BUYER.UPDATED',
          data: { external_id: id, sequence: 3, changed_fields: ['formality'] },
        },
      ]);
    });

    it('does not change the rest of the buyer', async () => {
      const id = await registry();
      const before = (await world.get(`/v1/buyers/${id}`)).body;
      await world.put(`/v1/buyers/${id}/settings`, { language: 'FR' });
      expect((await world.get(`/v1/buyers/${id}`)).body).toEqual(before);
    });

    it('never decreases updated_at, even if an earlier request is processed later', async () => {
      const id = await registry();
      world.clock.set(1_799_999_999);
      await world.put(`/v1/buyers/${id}/settings`, { language: 'FR' });
      expect((await world.get(`/v1/buyers/${id}`)).body.updated_at).toBe(1_800_000_000);
    });
  });

  describe('the same request again', () => {
    it.each([{}, { language: 'DE', formality: 'FORMAL' }])('changes nothing: %j', async (body) => {
      const id = await registry();
      const first = await world.put(`/v1/buyers/${id}/settings`, body);
      const buyer = await world.get(`/v1/buyers/${id}`);
      const events = await recordedEvents(world, id);
      world.clock.set(1_800_000_900);
      const second = await world.put(`/v1/buyers/${id}/settings`, body);
      expect([second.status, second.text]).toEqual([200, first.text]);
      expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
      expect((await world.get(`/v1/buyers/${id}`)).text).toBe(buyer.text);
      expect(await recordedEvents(world, id)).toEqual(events);
    });
  });

  describeIfMatch({
    world: () => world,
    make: async () => `/v1/buyers/${await registry()}/settings`,
    change: (path, nth, more) => world.put(path, { language: LANGUAGES[nth] }, more),
  });

  describe('400', () => {
    itRefuses(fields, async (change) =>
      world.put('/v1/buyers/nobody/settings', change({ language: 'EN', formality: 'NEUTRAL' })),
    );

    it('returns every issue at once', async () => {
      const reply = await world.put('/v1/buyers/a.b/settings?force', {
        language: 'de',
        formality: 1,
        tone: 'DU',
      });
      expect(issuesOf(reply.body)).toEqual([
        'INVALID_ENUM body.language',
        'INVALID_FORMAT params.external_id',
        'INVALID_TYPE body.formality',
        'UNRECOGNIZED_KEYS body.tone',
        'UNRECOGNIZED_KEYS query.force',
      ]);
    });
  });

  describe('403', () => {
    it('answers a key without orders:write and sets nothing', async () => {
      const id = await registry();
      const key = await world.addKey({ scopes: ['read'] });
      const reply = await world.put(`/v1/buyers/${id}/settings`, { language: 'DE' }, { key });
      expect(reply.status).toBe(403);
      expect(reply.body).toMatchObject({ code: 'FORBIDDEN', reason: 'INSUFFICIENT_SCOPE' });
      expect((await world.get(`/v1/buyers/${id}/settings`)).body.language).toBeNull();
    });
  });

  describe('404', () => {
    it('answers for an unknown buyer, and for one of another platform', async () => {
      const { apiKey } = await world.addPlatform();
      await world.post('/v1/buyers', buyerBody({ external_id: 'theirs' }), { key: apiKey });
      const unknown = await world.put('/v1/buyers/nobody/settings', { language: 'DE' });
      const foreign = await world.put('/v1/buyers/theirs/settings', { language: 'DE' });
      expect(unknown.status).toBe(404);
      expect(unknown.body).toEqual(NOT_FOUND);
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
      const { body } = await world.get('/v1/buyers/theirs/settings', { key: apiKey });
      expect(body.language).toBeNull();
    });
  });
});
