import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { ADDRESS, IDENTIFIER } from '#test/field-tables';
import { type Body, literal, withField } from '#test/fields';
import { issuesOf } from '#test/paging';
import { NOT_FOUND } from '#test/problem';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const full: Body = {
  legal_name: 'Café Morgenrot eG',
  legal_form: 'COOPERATIVE',
  trading_name: 'Morgenrot',
  registered_at: 1_700_000_000,
  incorporated_at: 1_000_000_000,
  business_identifiers: [IDENTIFIER],
  business_address: ADDRESS,
  delivery_address: ADDRESS,
  custom_data: { segment: 'gastronomy', tags: ['a', 'b'] },
};

const EMPTY = {
  trading_name: null,
  registered_at: null,
  incorporated_at: null,
  delivery_address: null,
  custom_data: null,
  contact_email: null,
};

/** Each settable field with another value than `full` has. */
const CHANGES: [field: string, value: unknown][] = [
  ['legal_name', 'Café Abendrot eG'],
  ['legal_form', 'OTHER'],
  ['trading_name', null],
  ['registered_at', 1_700_000_001],
  ['incorporated_at', null],
  ['business_identifiers', []],
  ['business_address', { ...ADDRESS, house: '13' }],
  ['delivery_address', null],
  ['custom_data', { segment: 'gastronomy', tags: ['b', 'a'] }],
  ['contact_email', 'einkauf@morgenrot.example'],
];

const reversed = (body: Body): Body => Object.fromEntries(Object.entries(body).reverse());

describe('PUT /v1/buyers/{external_id}', () => {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  /** A new buyer with every field filled, registered at 1,800,000,000; answers its id. */
  const registry = async () => {
    const externalId = `buyer-${++made}`;
    world.clock.set(1_800_000_000);
    await world.post('/v1/buyers', { external_id: externalId, ...full });
    return externalId;
  };

  describe('200', () => {
    it('clears every nullable field that is left out', async () => {
      const id = await registry();
      const { legal_name, legal_form, business_identifiers } = full;
      const { status, body } = await world.put(`/v1/buyers/${id}`, {
        legal_name,
        legal_form,
        business_identifiers,
        business_address: { postcode: '53111', city: 'Bonn', country: 'DE' },
      });
      expect(status).toBe(200);
      expect(body).toEqual({
        external_id: id,
        created_at: 1_800_000_000,
        updated_at: 1_800_000_000,
        max_days_past_due: null,
        registry: null,
        legal_name,
        legal_form,
        business_identifiers,
        ...EMPTY,
        business_address: {
          street: null,
          house: null,
          postcode: '53111',
          city: 'Bonn',
          country: 'DE',
          additional: null,
        },
      });
      expect((await world.get(`/v1/buyers/${id}`)).body).toEqual(body);
    });

    it('clears every nullable field that is null, and the identifiers with []', async () => {
      const id = await registry();
      const { body } = await world.put(`/v1/buyers/${id}`, { ...full, ...EMPTY, business_identifiers: [] });
      expect(body).toMatchObject({ ...EMPTY, business_identifiers: [] });
    });

    it('replaces identifiers and custom_data whole, without merging', async () => {
      const id = await registry();
      const wanted = {
        business_identifiers: [{ type: 'REGISTER_ID', value: 'GnR 635 B', country: 'DE' }],
        custom_data: { note: 'x' },
      };
      const { body } = await world.put(`/v1/buyers/${id}`, { ...full, ...wanted });
      expect(body).toMatchObject(wanted);
      expect(body.custom_data).toEqual({ note: 'x' });
    });

    it.each(CHANGES)(
      'increments version and updated_at and records that %s changed',
      async (field, value) => {
        const id = await registry();
        world.clock.set(1_800_000_100);
        const { status, headers, body } = await world.put(`/v1/buyers/${id}`, { ...full, [field]: value });
        expect(status).toBe(200);
        expect(headers.get('etag')).toBe('"2"');
        expect(body).toMatchObject({
          ...full,
          [field]: value,
          created_at: 1_800_000_000,
          updated_at: 1_800_000_100,
        });
        const [created, ...later] = await recordedEvents(world, id);
        expect(created?.type).toBe('BUYER.CREATED');
        expect(later).toEqual([
          {
            id: expect.any(String),
            occurred_at: 1_800_000_100,
            type: 'BUYER.UPDATED',
            data: { external_id: id, sequence: 2, changed_fields: [field] },
          },
        ]);
      },
    );

    it('records one event for several changes, with all names and no values', async () => {
      const id = await registry();
      await world.put(`/v1/buyers/${id}`, { ...full, ...Object.fromEntries(CHANGES) });
      const events = await recordedEvents(world, id);
      expect(events).toHaveLength(2);
      expect(events[1]?.data.changed_fields?.toSorted()).toEqual(CHANGES.map(([field]) => field).sort());
      const [row] = await world.sql<{ bodies: string }>(
        "select string_agg(body, '') as bodies from events where resource_external_id = $1",
        [id],
      );
      expect(row?.bodies).not.toMatch(/Abendrot|Morgenrot|Kastanienallee|Berlin|gastronomy|DE136695976/);
    });

    it('counts sequences up by one with every change', async () => {
      const id = await registry();
      for (const legal_name of ['A', 'B', 'C']) await world.put(`/v1/buyers/${id}`, { ...full, legal_name });
      const events = await recordedEvents(world, id);
      expect(events.map(({ data }) => data.sequence)).toEqual([1, 2, 3, 4]);
    });

    it('keeps the settings, which are not in the body', async () => {
      const id = await registry();
      await world.put(`/v1/buyers/${id}/settings`, { language: 'DE', formality: 'FORMAL' });
      await world.put(`/v1/buyers/${id}`, { ...full, legal_name: 'Other' });
      expect((await world.get(`/v1/buyers/${id}/settings`)).body).toEqual({
        language: 'DE',
        formality: 'FORMAL',
      });
    });

    it('never decreases updated_at, even if an earlier request is processed later', async () => {
      const id = await registry();
      world.clock.set(1_800_000_200);
      await world.put(`/v1/buyers/${id}`, { ...full, legal_name: 'Later' });
      world.clock.set(1_800_000_199);
      const { body } = await world.put(`/v1/buyers/${id}`, { ...full, legal_name: 'Earlier' });
      expect(body.updated_at).toBe(1_800_000_200);
      const events = await recordedEvents(world, id);
      expect(events.map(({ occurred_at }) => occurred_at)).toEqual([
        1_800_000_000, 1_800_000_200, 1_800_000_200,
      ]);
    });
  });

  describe('the same request again', () => {
    it.each<[string, Body]>([
      ['in full', full],
      ['with nothing but what is required', { ...full, ...EMPTY }],
      ['with blanks for what is empty', { ...full, trading_name: ' ', delivery_address: { city: '' } }],
      ['with keys in another order', reversed({ ...full, custom_data: reversed(full.custom_data as Body) })],
      ['with -0', withField({ ...full, custom_data: { n: literal('-0') } }, 'registered_at', literal('-0'))],
    ])('changes nothing, %s', async (_, body) => {
      const id = await registry();
      const first = await world.put(`/v1/buyers/${id}`, body);
      const events = await recordedEvents(world, id);
      world.clock.set(1_800_000_900);
      const second = await world.put(`/v1/buyers/${id}`, body);
      expect(second.status).toBe(200);
      expect(second.text).toBe(first.text);
      expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
      expect(await recordedEvents(world, id)).toEqual(events);
    });
  });

  describe('400', () => {
    it('requires every field that must not be empty', async () => {
      const id = await registry();
      const reply = await world.put(`/v1/buyers/${id}`, {});
      expect(reply.status).toBe(400);
      expect(issuesOf(reply.body)).toEqual([
        'REQUIRED body.business_address',
        'REQUIRED body.business_identifiers',
        'REQUIRED body.legal_form',
        'REQUIRED body.legal_name',
      ]);
    });

    it('returns the issues of path, query and body together', async () => {
      const reply = await world.put('/v1/buyers/a.b?force=1', { ...full, legal_name: 1 });
      expect(issuesOf(reply.body)).toEqual([
        'INVALID_FORMAT params.external_id',
        'INVALID_TYPE body.legal_name',
        'UNRECOGNIZED_KEYS query.force',
      ]);
    });
  });

  describe('403', () => {
    it('answers a key without orders:write and changes nothing', async () => {
      const id = await registry();
      const key = await world.addKey({ scopes: ['read'] });
      const reply = await world.put(`/v1/buyers/${id}`, { ...full, legal_name: 'Other' }, { key });
      expect(reply.status).toBe(403);
      expect(reply.body).toMatchObject({ code: 'FORBIDDEN', reason: 'INSUFFICIENT_SCOPE' });
      expect((await world.get(`/v1/buyers/${id}`)).headers.get('etag')).toBe('"1"');
    });
  });

  describe('404', () => {
    it('answers for an unknown buyer and creates none', async () => {
      const { status, body } = await world.put('/v1/buyers/typo', full);
      expect(status).toBe(404);
      expect(body).toEqual(NOT_FOUND);
      expect((await world.get('/v1/buyers/typo')).status).toBe(404);
      expect(await recordedEvents(world, 'typo')).toEqual([]);
    });

    it('answers for an unknown buyer with If-Match: *, too', async () => {
      const reply = await world.put('/v1/buyers/typo', full, { headers: { 'if-match': '*' } });
      expect(reply.status).toBe(404);
    });

    it('does not find a buyer of another platform and does not change it', async () => {
      const { apiKey } = await world.addPlatform();
      await world.post('/v1/buyers', buyerBody({ external_id: 'theirs' }), { key: apiKey });
      expect((await world.put('/v1/buyers/theirs', full)).status).toBe(404);
      const { body } = await world.get('/v1/buyers/theirs', { key: apiKey });
      expect(body.trading_name).toBeNull();
    });
  });
});
