import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { ADDRESS } from '#test/field-tables';
import { issuesOf } from '#test/paging';
import { recordedEvents, tablesHolding } from '#test/stored';
import { createWorld, type World } from '#test/world';

describe('POST /v1/contacts', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    await world.post('/v1/buyers', buyerBody({ external_id: 'b1' }));
  });
  afterAll(() => world.close());

  const contact = (external_id: string, more = {}) => ({ external_id, buyer_external_id: 'b1', ...more });

  describe('201', () => {
    it('has every documented field, null if it was omitted', async () => {
      world.clock.set(1_800_000_000);
      const { status, headers, body } = await world.post('/v1/contacts', contact('least'));
      expect(status).toBe(201);
      expect(headers.get('location')).toBe('/v1/contacts/least');
      expect(headers.get('etag')).toBe('"1"');
      expect(body).toEqual({
        external_id: 'least',
        buyer_external_id: 'b1',
        assign_to_all_invoices: false,
        created_at: 1_800_000_000,
        updated_at: 1_800_000_000,
        salutation: null,
        first_name: null,
        last_name: null,
        email: null,
        phone: null,
        address: null,
      });
    });

    it('has everything that was sent, and so has the contact at its Location', async () => {
      const sent = contact('most', {
        assign_to_all_invoices: true,
        salutation: 'MS',
        first_name: 'Ines',
        last_name: 'Albrecht',
        email: 'ines@b1.example',
        phone: '+493012345678',
        address: { ...ADDRESS, additional: null },
      });
      const made = await world.post('/v1/contacts', sent);
      expect(made.body).toMatchObject(sent);
      const read = await world.get(made.headers.get('location') as string);
      expect(read.text).toBe(made.text);
      expect(read.headers.get('etag')).toBe(made.headers.get('etag'));
    });

    it('does not change the buyer or its version, and records no event', async () => {
      const before = await world.get('/v1/buyers/b1');
      await world.post('/v1/contacts', contact('quiet'));
      const after = await world.get('/v1/buyers/b1');
      expect([after.text, after.headers.get('etag')]).toEqual([before.text, before.headers.get('etag')]);
      expect(await recordedEvents(world, 'quiet')).toEqual([]);
      expect(await recordedEvents(world, 'b1')).toHaveLength(1);
    });

    it('keeps the person out of every table in clear, even if the answer is stored for a repetition', async () => {
      const person = {
        first_name: 'Zyxwvu-Anneliese',
        last_name: 'Qponml-Krüger',
        email: 'zyxwvu.anneliese@qponml.example',
        phone: '+4930987654321',
        address: { street: 'Geheimratsgasse', postcode: 'PLZ-98765', city: 'Verborgenhausen' },
      };
      const headers = { 'idempotency-key': 'once-and-for-all' };
      await world.post('/v1/contacts', contact('sealed', person), { headers });
      const { address, ...texts } = person;
      expect(await tablesHolding(world, [...Object.values(texts), ...Object.values(address)])).toEqual([]);
      // The same search finds what is kept in clear.
      expect(await tablesHolding(world, ['sealed'])).toContain('contacts');
      expect(await tablesHolding(world, ['Café Morgenrot'])).toContain('buyers');
      expect((await world.get('/v1/contacts/sealed')).body).toMatchObject(texts);
    });

    it('takes an external_id that a buyer has, or that only another platform has', async () => {
      const { apiKey } = await world.addPlatform();
      await world.post('/v1/buyers', buyerBody({ external_id: 'b1' }), { key: apiKey });
      const replies = [
        await world.post('/v1/contacts', contact('b1')),
        await world.post('/v1/contacts', contact('b1'), { key: apiKey }),
      ];
      expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    });
  });

  describe('400', () => {
    it('returns every issue with its path', async () => {
      const reply = await world.post('/v1/contacts?notify=1', {
        external_id: 'a b',
        assign_to_all_invoices: 'yes',
        salutation: 'DR',
        first_name: 1,
        last_name: 'x'.repeat(101),
        email: 'nobody',
        phone: '030 1234',
        address: { country: 'de', zip: '1' },
        title: 'Dr.',
      });
      expect(reply.body.error).toBe('12 validation issues');
      expect(issuesOf(reply.body)).toEqual([
        'INVALID_ENUM body.salutation',
        'INVALID_FORMAT body.address.country',
        'INVALID_FORMAT body.email',
        'INVALID_FORMAT body.external_id',
        'INVALID_FORMAT body.phone',
        'INVALID_TYPE body.assign_to_all_invoices',
        'INVALID_TYPE body.first_name',
        'REQUIRED body.buyer_external_id',
        'TOO_LONG body.last_name',
        'UNRECOGNIZED_KEYS body.address.zip',
        'UNRECOGNIZED_KEYS body.title',
        'UNRECOGNIZED_KEYS query.notify',
      ]);
    });
  });

  describe('403', () => {
    it('refuses a key without orders:write and creates no contact', async () => {
      const key = await world.addKey({ scopes: ['read'] });
      const reply = await world.post('/v1/contacts', contact('unscoped'), { key });
      expect(reply.status).toBe(403);
      expect(reply.body).toMatchObject({ code: 'FORBIDDEN', reason: 'INSUFFICIENT_SCOPE' });
      expect((await world.get('/v1/contacts/unscoped')).status).toBe(404);
    });
  });

  describe('409', () => {
    it('refuses a taken external_id and does not change the contact', async () => {
      await world.post('/v1/buyers', buyerBody({ external_id: 'b2' }));
      const first = await world.post('/v1/contacts', contact('taken', { first_name: 'Ines' }));
      const reply = await world.post('/v1/contacts', { ...contact('taken'), buyer_external_id: 'b2' });
      expect(reply.status).toBe(409);
      expect(reply.body).toEqual({
        error: 'A contact with this external_id already exists',
        code: 'CONFLICT',
        reason: 'EXTERNAL_ID_ALREADY_EXISTS',
        details: { docs: expect.stringContaining('#EXTERNAL_ID_ALREADY_EXISTS') },
      });
      expect((await world.get('/v1/contacts/taken')).text).toBe(first.text);
    });

    it('is returned to all but one of 20 concurrent requests', async () => {
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => world.post('/v1/contacts', contact('rush'))),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    });
  });

  describe('422', () => {
    it('names the field with an unknown buyer or one of another platform, and creates no contact', async () => {
      const { apiKey } = await world.addPlatform();
      await world.post('/v1/buyers', buyerBody({ external_id: 'theirs' }), { key: apiKey });
      for (const buyer_external_id of ['nobody', 'theirs', 'B1']) {
        const reply = await world.post('/v1/contacts', { external_id: 'lost', buyer_external_id });
        expect(reply.status).toBe(422);
        expect(reply.body).toEqual({
          error: 'There is no buyer with this external_id',
          code: 'UNPROCESSABLE_ENTITY',
          reason: 'REFERENCED_ENTITY_NOT_FOUND',
          details: {
            field: 'body.buyer_external_id',
            value: buyer_external_id,
            remedy: 'No buyer has this external_id: register it first with POST /v1/buyers.',
            docs: expect.stringContaining('#REFERENCED_ENTITY_NOT_FOUND'),
          },
        });
      }
      expect((await world.get('/v1/contacts/lost')).status).toBe(404);
    });
  });
});
