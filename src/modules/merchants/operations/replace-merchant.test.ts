import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantBody } from '#test/bodies';
import { ADDRESS, IDENTIFIER } from '#test/field-tables';
import type { Body } from '#test/fields';
import { describeIfMatch } from '#test/if-match';
import { issuesOf } from '#test/paging';
import { NOT_FOUND } from '#test/problem';
import { recordedEvents, tablesHolding } from '#test/stored';
import { createWorld, type World } from '#test/world';

const full: Body = {
  legal_name: 'Nordlicht Kaffeerösterei GmbH',
  legal_form: 'LIMITED_COMPANY',
  trading_name: 'Nordlicht',
  business_identifiers: [IDENTIFIER],
  business_address: ADDRESS,
  contact_emails: ['office@nordlicht.example'],
};

describe('PUT /v1/merchants/{external_id}', () => {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  /** A new merchant with every field filled, registered at 1,800,000,000. Returns its path. */
  const registry = async () => {
    const external_id = `merchant-${++made}`;
    world.clock.set(1_800_000_000);
    await world.post('/v1/merchants', { external_id, ...full });
    return `/v1/merchants/${external_id}`;
  };

  describe('200', () => {
    it('clears what is left out', async () => {
      const path = await registry();
      world.clock.set(1_800_000_100);
      const { legal_name, legal_form, business_address } = full;
      const { status, headers, body } = await world.put(path, { legal_name, legal_form, business_address });
      expect(status).toBe(200);
      expect(headers.get('etag')).toBe('"2"');
      expect(body).toEqual({
        external_id: path.split('/')[3],
        status: 'ENROLLED',
        created_at: 1_800_000_000,
        updated_at: 1_800_000_100,
        legal_name,
        legal_form,
        business_address,
        trading_name: null,
        business_identifiers: [],
        contact_emails: [],
      });
      expect((await world.get(path)).body).toEqual(body);
    });

    it.each<[string, unknown]>([
      ['legal_name', 'Südlicht GmbH'],
      ['legal_form', 'OTHER'],
      ['trading_name', null],
      ['business_identifiers', []],
      ['business_address', { ...ADDRESS, house: '13' }],
      ['contact_emails', ['billing@nordlicht.example']],
    ])('increments version and updated_at if %s changed, and records no event', async (field, value) => {
      const path = await registry();
      world.clock.set(1_800_000_100);
      const { headers, body } = await world.put(path, { ...full, [field]: value });
      expect(headers.get('etag')).toBe('"2"');
      expect(body).toMatchObject({ ...full, [field]: value, updated_at: 1_800_000_100, status: 'ENROLLED' });
      expect(await recordedEvents(world, path.split('/')[3] as string)).toHaveLength(1);
    });

    it('keeps the new e-mails out of every table in clear', async () => {
      const path = await registry();
      const contact_emails = ['zyxwvu@qponml.example'];
      await world.put(path, { ...full, contact_emails });
      expect(await tablesHolding(world, contact_emails)).toEqual([]);
      expect((await world.get(path)).body.contact_emails).toEqual(contact_emails);
    });

    it('never decreases updated_at, even if an earlier request is processed later', async () => {
      const path = await registry();
      world.clock.set(1_799_999_999);
      const { body } = await world.put(path, { ...full, trading_name: null });
      expect(body.updated_at).toBe(1_800_000_000);
    });

    it('serves 20 different ones at the same time one after the other', async () => {
      const path = await registry();
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, nth) => world.put(path, { ...full, legal_name: `Name ${nth}` })),
      );
      expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
      const last = await world.get(path);
      expect(last.headers.get('etag')).toBe('"21"');
      expect(last.text).toBe(replies.find(({ headers }) => headers.get('etag') === '"21"')?.text);
    });

    it('lets a key restricted to the merchant change it', async () => {
      const path = await registry();
      const key = await world.addKey({ merchantExternalId: path.split('/')[3] as string });
      const { status } = await world.put(path, { ...full, trading_name: 'Changed' }, { key });
      expect(status).toBe(200);
    });
  });

  describe('the same request again', () => {
    it('changes nothing', async () => {
      const path = await registry();
      const first = await world.get(path);
      world.clock.set(1_800_000_900);
      const second = await world.put(path, full);
      expect([second.status, second.text]).toEqual([200, first.text]);
      expect(second.headers.get('etag')).toBe('"1"');
    });
  });

  describeIfMatch({
    world: () => world,
    make: registry,
    change: (path, nth, more) => world.put(path, { ...full, legal_name: `Name ${nth}` }, more),
  });

  describe('400', () => {
    it('requires every field that must not be empty, and returns every other issue', async () => {
      const reply = await world.put('/v1/merchants/a.b?force=1', { contact_emails: null });
      expect(reply.status).toBe(400);
      expect(issuesOf(reply.body)).toEqual([
        'INVALID_FORMAT params.external_id',
        'INVALID_TYPE body.contact_emails',
        'REQUIRED body.business_address',
        'REQUIRED body.legal_form',
        'REQUIRED body.legal_name',
        'UNRECOGNIZED_KEYS query.force',
      ]);
    });
  });

  describe('403', () => {
    it('answers a key without admin and changes nothing', async () => {
      const path = await registry();
      const key = await world.addKey({ scopes: ['read', 'orders:write'] });
      const reply = await world.put(path, { ...full, legal_name: 'Other' }, { key });
      expect(reply.status).toBe(403);
      expect(reply.body).toMatchObject({ reason: 'INSUFFICIENT_SCOPE', details: { scope: 'admin' } });
      expect((await world.get(path)).headers.get('etag')).toBe('"1"');
    });

    it('answers a key restricted to another merchant and changes nothing', async () => {
      const path = await registry();
      const key = await world.addKey({ merchantExternalId: 'another' });
      const reply = await world.put(path, { ...full, legal_name: 'Other' }, { key });
      expect(reply.status).toBe(403);
      expect(reply.body).toMatchObject({
        reason: 'MERCHANT_NOT_ALLOWED',
        details: { merchant_external_id: 'another' },
      });
      expect((await world.get(path)).headers.get('etag')).toBe('"1"');
    });
  });

  describe('404', () => {
    it('answers for an unknown merchant and creates none', async () => {
      const { status, body } = await world.put('/v1/merchants/typo', full);
      expect(status).toBe(404);
      expect(body).toEqual(NOT_FOUND);
      expect((await world.get('/v1/merchants/typo')).status).toBe(404);
      expect(await recordedEvents(world, 'typo')).toEqual([]);
    });

    it('does not find a merchant of another platform and does not change it', async () => {
      const { apiKey } = await world.addPlatform();
      const theirs = await world.post('/v1/merchants', merchantBody({ external_id: 'theirs' }), {
        key: apiKey,
      });
      expect((await world.put('/v1/merchants/theirs', full)).status).toBe(404);
      expect((await world.get('/v1/merchants/theirs', { key: apiKey })).text).toBe(theirs.text);
    });
  });
});
