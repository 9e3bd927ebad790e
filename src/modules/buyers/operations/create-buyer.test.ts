import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { ADDRESS, IDENTIFIER } from '#test/field-tables';
import { issuesOf } from '#test/paging';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

describe('POST /v1/buyers', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  describe('201', () => {
    it('has every documented field, null or [] if it was omitted', async () => {
      world.clock.set(1_800_000_000);
      const { status, headers, body } = await world.post('/v1/buyers', buyerBody({ external_id: 'least' }));
      expect(status).toBe(201);
      expect(headers.get('location')).toBe('/v1/buyers/least');
      expect(headers.get('etag')).toBe('"1"');
      expect(body).toEqual({
        ...buyerBody({ external_id: 'least' }),
        created_at: 1_800_000_000,
        updated_at: 1_800_000_000,
        max_days_past_due: null,
        registry: null,
        trading_name: null,
        registered_at: null,
        incorporated_at: null,
        business_identifiers: [],
        business_address: {
          street: null,
          house: null,
          postcode: '10435',
          city: 'Berlin',
          country: 'DE',
          additional: null,
        },
        delivery_address: null,
        custom_data: null,
        contact_email: null,
      });
    });

    it('has everything that was sent, and so has the buyer at its Location', async () => {
      const sent = {
        external_id: 'most',
        legal_name: 'Café Morgenrot eG',
        legal_form: 'COOPERATIVE',
        trading_name: 'Morgenrot',
        registered_at: 1_700_000_000,
        incorporated_at: 0,
        business_identifiers: [IDENTIFIER, { type: 'REGISTER_ID', value: 'GnR 635 B', country: 'DE' }],
        business_address: ADDRESS,
        delivery_address: { ...ADDRESS, house: null },
        custom_data: { z: 1, a: { list: [1.5, 'two', null] } },
      };
      const made = await world.post('/v1/buyers', sent);
      expect(made.body).toMatchObject(sent);
      expect(JSON.stringify(made.body.custom_data)).toBe(JSON.stringify(sent.custom_data));
      const read = await world.get(made.headers.get('location') as string);
      expect(read.text).toBe(made.text);
      expect(read.headers.get('etag')).toBe(made.headers.get('etag'));
    });

    it('records one BUYER.CREATED, with nothing about the company but its id', async () => {
      world.clock.set(1_800_000_001);
      await world.post('/v1/buyers', buyerBody({ external_id: 'told' }));
      expect(await recordedEvents(world, 'told')).toEqual([
        {
          id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
          occurred_at: 1_800_000_001,
          type: 'BUYER.CREATED',
          data: { external_id: 'told', sequence: 1 },
        },
      ]);
    });

    it('takes the key of one merchant as any other: buyers belong to the whole platform', async () => {
      const key = await world.addKey({ merchantExternalId: 'm1' });
      const { status } = await world.post('/v1/buyers', buyerBody({ external_id: 'common' }), { key });
      expect(status).toBe(201);
      expect((await world.get('/v1/buyers/common')).status).toBe(200);
    });

    it('distinguishes external_ids by case', async () => {
      const replies = [
        await world.post('/v1/buyers', buyerBody({ external_id: 'case' })),
        await world.post('/v1/buyers', buyerBody({ external_id: 'Case' })),
      ];
      expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    });

    it('takes an external_id that only another platform has', async () => {
      const { apiKey } = await world.addPlatform();
      const mine = await world.post('/v1/buyers', buyerBody({ external_id: 'shared', legal_name: 'Mine' }));
      const theirs = await world.post(
        '/v1/buyers',
        buyerBody({ external_id: 'shared', legal_name: 'Theirs' }),
        { key: apiKey },
      );
      expect([mine.status, theirs.status]).toEqual([201, 201]);
      expect((await world.get('/v1/buyers/shared')).body.legal_name).toBe('Mine');
    });
  });

  describe('400', () => {
    it('returns every issue with its path', async () => {
      const reply = await world.post('/v1/buyers?dry_run=true', {
        legal_name: ' ',
        legal_form: 'GMBH',
        trading_name: 5,
        registered_at: -1,
        incorporated_at: 1.5,
        business_identifiers: [IDENTIFIER, { type: 'VAT_ID', value: 'DE1', country: 'DE', note: '' }, {}],
        business_address: { city: '', country: 'XX', street: 'a\tb' },
        delivery_address: { house: 'x'.repeat(21), zip: '1' },
        custom_data: [],
        vat_number: 'DE1',
      });
      expect(reply.status).toBe(400);
      expect(reply.body.error).toBe('20 validation issues');
      expect(issuesOf(reply.body)).toEqual(
        [
          'INVALID_ENUM body.legal_form',
          'INVALID_FORMAT body.business_identifiers.1.value',
          'INVALID_TYPE body.custom_data',
          'INVALID_TYPE body.incorporated_at',
          'INVALID_TYPE body.trading_name',
          'INVALID_VALUE body.business_address.country',
          'INVALID_VALUE body.business_address.street',
          'REQUIRED body.business_address.postcode',
          'REQUIRED body.business_identifiers.2.country',
          'REQUIRED body.business_identifiers.2.type',
          'REQUIRED body.business_identifiers.2.value',
          'REQUIRED body.external_id',
          'TOO_LONG body.delivery_address.house',
          'TOO_SHORT body.business_address.city',
          'TOO_SHORT body.legal_name',
          'TOO_SMALL body.registered_at',
          'UNRECOGNIZED_KEYS body.business_identifiers.1.note',
          'UNRECOGNIZED_KEYS body.delivery_address.zip',
          'UNRECOGNIZED_KEYS body.vat_number',
          'UNRECOGNIZED_KEYS query.dry_run',
        ].sort(),
      );
    });

    it.each([
      ['no body', undefined, 'REQUIRED'],
      ['null', 'null', 'INVALID_TYPE'],
      ['a list', '[]', 'INVALID_TYPE'],
      ['a text', '"buyer"', 'INVALID_TYPE'],
      ['half an object', '{"external_id":', 'INVALID_JSON'],
    ])('answers for %s', async (_, body, code) => {
      const headers = { 'content-type': 'application/json' };
      const reply = await world.send('POST', '/v1/buyers', { headers, ...(body !== undefined && { body }) });
      expect(reply.status).toBe(400);
      expect(issuesOf(reply.body)).toEqual([`${code} body`]);
    });

    it('refuses fields that only the service sets', async () => {
      const readOnly = { created_at: 1, updated_at: 1, max_days_past_due: 0, contacts: [], version: 1 };
      const reply = await world.post('/v1/buyers', buyerBody({ external_id: 'read-only', ...readOnly }));
      expect(issuesOf(reply.body)).toEqual(
        Object.keys(readOnly)
          .map((name) => `UNRECOGNIZED_KEYS body.${name}`)
          .sort(),
      );
      expect((await world.get('/v1/buyers/read-only')).status).toBe(404);
    });
  });

  describe('403', () => {
    it('refuses a key without orders:write, whatever the body, and creates no buyer', async () => {
      const key = await world.addKey({ scopes: ['read', 'invoices:write'] });
      for (const body of [buyerBody({ external_id: 'unscoped' }), {}]) {
        const reply = await world.post('/v1/buyers', body, { key });
        expect(reply.status).toBe(403);
        expect(reply.body).toMatchObject({
          code: 'FORBIDDEN',
          reason: 'INSUFFICIENT_SCOPE',
          details: { scope: 'orders:write' },
        });
      }
      expect((await world.get('/v1/buyers/unscoped')).status).toBe(404);
    });
  });

  describe('409', () => {
    it('refuses a taken external_id and does not change the buyer', async () => {
      const first = await world.post('/v1/buyers', buyerBody({ external_id: 'taken' }));
      const reply = await world.post('/v1/buyers', buyerBody({ external_id: 'taken', legal_name: 'Other' }));
      expect(reply.status).toBe(409);
      expect(reply.body).toEqual({
        error: 'A buyer with this external_id already exists',
        code: 'CONFLICT',
        reason: 'EXTERNAL_ID_ALREADY_EXISTS',
        details: { docs: expect.stringContaining('#EXTERNAL_ID_ALREADY_EXISTS') },
      });
      expect(reply.headers.get('location')).toBeNull();
      expect((await world.get('/v1/buyers/taken')).text).toBe(first.text);
      expect(await recordedEvents(world, 'taken')).toHaveLength(1);
    });

    it('is returned to all but one of 20 concurrent requests', async () => {
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => world.post('/v1/buyers', buyerBody({ external_id: 'rush' }))),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
      expect((await world.get('/v1/buyers?external_id=rush')).body.total).toBe(1);
      expect(await recordedEvents(world, 'rush')).toHaveLength(1);
    });
  });
});
