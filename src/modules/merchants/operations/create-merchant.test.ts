import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantBody } from '#test/bodies';
import { ADDRESS, IDENTIFIER } from '#test/field-tables';
import { issuesOf } from '#test/paging';
import { recordedEvents, tablesHolding } from '#test/stored';
import { createWorld, type World } from '#test/world';

describe('POST /v1/merchants', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  describe('201', () => {
    it('has every documented field, null or [] if it was omitted', async () => {
      world.clock.set(1_800_000_000);
      const { status, headers, body } = await world.post(
        '/v1/merchants',
        merchantBody({ external_id: 'least' }),
      );
      expect(status).toBe(201);
      expect(headers.get('location')).toBe('/v1/merchants/least');
      expect(headers.get('etag')).toBe('"1"');
      expect(body).toEqual({
        ...merchantBody({ external_id: 'least' }),
        status: 'ENROLLED',
        created_at: 1_800_000_000,
        updated_at: 1_800_000_000,
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
        contact_emails: [],
      });
    });

    it('has everything that was sent, and so has the merchant at its Location', async () => {
      const sent = merchantBody({
        external_id: 'most',
        trading_name: 'Nordlicht',
        business_identifiers: [IDENTIFIER, { type: 'VAT_ID', value: 'DE136695976', country: 'DE' }],
        business_address: ADDRESS,
        contact_emails: ['office@nordlicht.example', 'billing@nordlicht.example'],
      });
      const made = await world.post('/v1/merchants', sent);
      expect(made.body).toMatchObject(sent);
      const read = await world.get(made.headers.get('location') as string);
      expect(read.text).toBe(made.text);
      expect(read.headers.get('etag')).toBe(made.headers.get('etag'));
    });

    it('records one MERCHANT.ENROLLED, with nothing about the company but its id and status', async () => {
      world.clock.set(1_800_000_001);
      const contact_emails = ['office@nordlicht.example'];
      await world.post('/v1/merchants', merchantBody({ external_id: 'told', contact_emails }));
      expect(await recordedEvents(world, 'told')).toEqual([
        {
          id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
          occurred_at: 1_800_000_001,
          type: 'MERCHANT.ENROLLED',
          data: { external_id: 'told', sequence: 1, status: 'ENROLLED', previous_status: null },
        },
      ]);
    });

    it('keeps the e-mails out of every table in clear, even if the answer is stored for a repetition', async () => {
      const contact_emails = ['zyxwvu@qponml.example', 'second.zyxwvu@qponml.example'];
      const headers = { 'idempotency-key': 'once-and-for-all' };
      const body = merchantBody({ external_id: 'sealed', contact_emails });
      await world.post('/v1/merchants', body, { headers });
      expect(await tablesHolding(world, contact_emails)).toEqual([]);
      // The same search finds columns that are not encrypted.
      expect(await tablesHolding(world, ['sealed'])).toContain('merchants');
      expect((await world.get('/v1/merchants/sealed')).body.contact_emails).toEqual(contact_emails);
    });

    it('takes an external_id that a buyer has, or that only another platform has', async () => {
      const { apiKey } = await world.addPlatform();
      const replies = [
        await world.post('/v1/merchants', merchantBody({ external_id: 'shared' })),
        await world.post('/v1/merchants', merchantBody({ external_id: 'shared' }), { key: apiKey }),
      ];
      expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    });
  });

  describe('400', () => {
    it('returns every issue with its path', async () => {
      const reply = await world.post('/v1/merchants?dry_run=1', {
        legal_name: '',
        legal_form: 'GMBH',
        business_identifiers: null,
        business_address: { postcode: '1', city: 'X', country: 'de' },
        contact_emails: ['office@nordlicht.example', 'office', null],
        status: 'INACTIVE',
      });
      expect(reply.body.error).toBe('9 validation issues');
      expect(issuesOf(reply.body)).toEqual([
        'INVALID_ENUM body.legal_form',
        'INVALID_FORMAT body.business_address.country',
        'INVALID_FORMAT body.contact_emails.1',
        'INVALID_TYPE body.business_identifiers',
        'INVALID_TYPE body.contact_emails.2',
        'REQUIRED body.external_id',
        'TOO_SHORT body.legal_name',
        'UNRECOGNIZED_KEYS body.status',
        'UNRECOGNIZED_KEYS query.dry_run',
      ]);
    });
  });

  describe('403', () => {
    it('refuses a key without admin and creates no merchant', async () => {
      const key = await world.addKey({ scopes: ['read', 'orders:write', 'invoices:write', 'payouts:write'] });
      const reply = await world.post('/v1/merchants', merchantBody({ external_id: 'unscoped' }), { key });
      expect(reply.status).toBe(403);
      expect(reply.body).toMatchObject({
        code: 'FORBIDDEN',
        reason: 'INSUFFICIENT_SCOPE',
        details: { scope: 'admin' },
      });
      expect((await world.get('/v1/merchants/unscoped')).status).toBe(404);
    });

    it('answers a key restricted to one merchant, even for that one', async () => {
      const key = await world.addKey({ merchantExternalId: 'own' });
      const reply = await world.post('/v1/merchants', merchantBody({ external_id: 'own' }), { key });
      expect(reply.status).toBe(403);
      expect(reply.body).toMatchObject({
        code: 'FORBIDDEN',
        reason: 'MERCHANT_NOT_ALLOWED',
        details: { merchant_external_id: 'own' },
      });
      expect((await world.get('/v1/merchants/own')).status).toBe(404);
    });
  });

  describe('409', () => {
    it('refuses a taken external_id and does not change the merchant', async () => {
      const first = await world.post('/v1/merchants', merchantBody({ external_id: 'taken' }));
      const again = merchantBody({ external_id: 'taken', legal_name: 'Other' });
      const reply = await world.post('/v1/merchants', again);
      expect(reply.status).toBe(409);
      expect(reply.body).toEqual({
        error: 'A merchant with this external_id already exists',
        code: 'CONFLICT',
        reason: 'EXTERNAL_ID_ALREADY_EXISTS',
        details: { docs: expect.stringContaining('#EXTERNAL_ID_ALREADY_EXISTS') },
      });
      expect((await world.get('/v1/merchants/taken')).text).toBe(first.text);
      expect(await recordedEvents(world, 'taken')).toHaveLength(1);
    });

    it('is returned to all but one of 20 concurrent requests', async () => {
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => world.post('/v1/merchants', merchantBody({ external_id: 'rush' }))),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
      expect(await recordedEvents(world, 'rush')).toHaveLength(1);
    });
  });

  describe('on a single-merchant platform', () => {
    const addSinglePlatform = async () => (await world.addPlatform({ is_single_merchant: true })).apiKey;

    it('registers the first, refuses a second with 403 and the first again with 409', async () => {
      const key = await addSinglePlatform();
      const post = (external_id: string) =>
        world.post('/v1/merchants', merchantBody({ external_id }), { key });
      expect((await post('only')).status).toBe(201);
      const second = await post('second');
      expect(second.status).toBe(403);
      expect(second.body).toMatchObject({ code: 'FORBIDDEN', reason: 'MERCHANT_NOT_ALLOWED' });
      const again = await post('only');
      expect(again.status).toBe(409);
      expect(again.body).toMatchObject({ reason: 'EXTERNAL_ID_ALREADY_EXISTS' });
      expect((await world.get('/v1/merchants', { key })).body.total).toBe(1);
    });

    it('registers one of 20 different ones that come at the same time', async () => {
      const key = await addSinglePlatform();
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, nth) =>
          world.post('/v1/merchants', merchantBody({ external_id: `only-${nth}` }), { key }),
        ),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(403)]);
      expect((await world.get('/v1/merchants', { key })).body.total).toBe(1);
    });
  });
});
