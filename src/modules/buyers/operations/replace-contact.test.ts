import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { ADDRESS } from '#test/field-tables';
import type { Body } from '#test/fields';
import { describeIfMatch } from '#test/if-match';
import { issuesOf } from '#test/paging';
import { NOT_FOUND } from '#test/problem';
import { recordedEvents, tablesHolding } from '#test/stored';
import { createWorld, type World } from '#test/world';

const full: Body = {
  assign_to_all_invoices: true,
  salutation: 'MS',
  first_name: 'Ines',
  last_name: 'Albrecht',
  email: 'ines@b1.example',
  phone: '+493012345678',
  address: ADDRESS,
};

const EMPTY = {
  salutation: null,
  first_name: null,
  last_name: null,
  email: null,
  phone: null,
  address: null,
};

describe('PUT /v1/contacts/{external_id}', () => {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await createWorld();
    for (const external_id of ['b1', 'b2']) await world.post('/v1/buyers', buyerBody({ external_id }));
  });
  afterAll(() => world.close());

  /** A new contact with every field filled, registered at 1,800,000,000; answers its path. */
  const registry = async () => {
    const external_id = `contact-${++made}`;
    world.clock.set(1_800_000_000);
    await world.post('/v1/contacts', { external_id, buyer_external_id: 'b1', ...full });
    return `/v1/contacts/${external_id}`;
  };

  describe('200', () => {
    it.each([{}, EMPTY, { ...EMPTY, first_name: ' ', address: { street: '' } }])(
      'clears what is left out, null or blank: %j',
      async (body) => {
        const path = await registry();
        world.clock.set(1_800_000_100);
        const reply = await world.put(path, body);
        expect(reply.status).toBe(200);
        expect(reply.headers.get('etag')).toBe('"2"');
        expect(reply.body).toEqual({
          external_id: path.split('/')[3],
          buyer_external_id: 'b1',
          assign_to_all_invoices: false,
          created_at: 1_800_000_000,
          updated_at: 1_800_000_100,
          ...EMPTY,
        });
        expect((await world.get(path)).text).toBe(reply.text);
      },
    );

    it.each<[string, unknown]>([
      ['assign_to_all_invoices', false],
      ['salutation', 'OTHER'],
      ['first_name', 'Inez'],
      ['last_name', null],
      ['email', 'inez@b1.example'],
      ['phone', '+493012345679'],
      ['address', { ...ADDRESS, house: '13' }],
    ])('increments version and updated_at if %s changed, and records no event', async (field, value) => {
      const path = await registry();
      world.clock.set(1_800_000_100);
      const { headers, body } = await world.put(path, { ...full, [field]: value });
      expect(headers.get('etag')).toBe('"2"');
      expect(body).toMatchObject({ ...full, [field]: value, updated_at: 1_800_000_100 });
      expect(await recordedEvents(world, path.split('/')[3] as string)).toEqual([]);
      expect(await recordedEvents(world, 'b1')).toHaveLength(1);
    });

    it('keeps the new person out of every table in clear', async () => {
      const path = await registry();
      const person = { first_name: 'Zyxwvu-Anneliese', email: 'zyxwvu.anneliese@qponml.example' };
      await world.put(path, { ...full, ...person });
      expect(await tablesHolding(world, Object.values(person))).toEqual([]);
      expect((await world.get(path)).body).toMatchObject(person);
    });

    it('never decreases updated_at, even if an earlier request is processed later', async () => {
      const path = await registry();
      world.clock.set(1_799_999_999);
      expect((await world.put(path, {})).body.updated_at).toBe(1_800_000_000);
    });

    it('serves 20 different ones at the same time one after the other', async () => {
      const path = await registry();
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, nth) => world.put(path, { ...full, first_name: `Ines ${nth}` })),
      );
      expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
      const last = await world.get(path);
      expect(last.headers.get('etag')).toBe('"21"');
      expect(last.text).toBe(replies.find(({ headers }) => headers.get('etag') === '"21"')?.text);
    });
  });

  describe('the same request again', () => {
    it.each([full, {}, { ...full, buyer_external_id: 'b1' }])('changes nothing: %j', async (body) => {
      const path = await registry();
      const first = await world.put(path, body);
      world.clock.set(1_800_000_900);
      const second = await world.put(path, body);
      expect([second.status, second.text]).toEqual([200, first.text]);
      expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    });
  });

  describeIfMatch({
    world: () => world,
    make: registry,
    change: (path, nth, more) => world.put(path, { ...full, first_name: `Ines ${nth}` }, more),
  });

  describe('400', () => {
    it('returns the issues of path, query and body together', async () => {
      const reply = await world.put('/v1/contacts/a.b?force=1', { email: 'x', address: { country: 'XX' } });
      expect(reply.status).toBe(400);
      expect(issuesOf(reply.body)).toEqual([
        'INVALID_FORMAT body.email',
        'INVALID_FORMAT params.external_id',
        'INVALID_VALUE body.address.country',
        'UNRECOGNIZED_KEYS query.force',
      ]);
    });
  });

  describe('403', () => {
    it('answers a key without orders:write and changes nothing', async () => {
      const path = await registry();
      const key = await world.addKey({ scopes: ['read'] });
      const reply = await world.put(path, {}, { key });
      expect(reply.status).toBe(403);
      expect(reply.body).toMatchObject({ code: 'FORBIDDEN', reason: 'INSUFFICIENT_SCOPE' });
      expect((await world.get(path)).headers.get('etag')).toBe('"1"');
    });
  });

  describe('404', () => {
    it('answers for an unknown contact and creates none', async () => {
      const { status, body } = await world.put('/v1/contacts/typo', { buyer_external_id: 'b1', ...full });
      expect(status).toBe(404);
      expect(body).toEqual(NOT_FOUND);
      expect((await world.get('/v1/contacts/typo')).status).toBe(404);
    });

    it('does not find a contact of another platform and does not change it', async () => {
      const { apiKey } = await world.addPlatform();
      await world.post('/v1/buyers', buyerBody({ external_id: 'b1' }), { key: apiKey });
      const theirs = { external_id: 'theirs', buyer_external_id: 'b1', ...full };
      const before = await world.post('/v1/contacts', theirs, { key: apiKey });
      expect((await world.put('/v1/contacts/theirs', {})).status).toBe(404);
      expect((await world.get('/v1/contacts/theirs', { key: apiKey })).text).toBe(before.text);
    });
  });

  describe('409', () => {
    it.each(['b2', 'nobody'])('refuses to move the contact to the buyer %s', async (buyer_external_id) => {
      const path = await registry();
      const reply = await world.put(path, { ...full, buyer_external_id, first_name: 'Moved' });
      expect(reply.status).toBe(409);
      expect(reply.body).toEqual({
        error: 'A contact cannot move to another buyer',
        code: 'CONFLICT',
        reason: 'IMMUTABLE_FIELD',
        details: { field: 'body.buyer_external_id', docs: expect.stringContaining('#IMMUTABLE_FIELD') },
      });
      const { headers, body } = await world.get(path);
      expect(headers.get('etag')).toBe('"1"');
      expect(body).toMatchObject({ ...full, buyer_external_id: 'b1' });
    });
  });
});
