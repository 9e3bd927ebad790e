import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeCompanies } from '#modules/registry';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { ADDRESS } from '#test/field-tables';
import { issuesOf } from '#test/paging';
import { registryEntry, vatId } from '#test/registry-entry';
import { recordedEvents, tablesHolding } from '#test/stored';
import { createWorld, type World } from '#test/world';

const EMAIL = 'einkauf@zebrafink.example';
const VAT = vatId('DE811907980');
const WHOLE = {
  legal_name: 'Nordlicht Energie AG',
  legal_form: 'PUBLIC_COMPANY',
  business_address: { ...ADDRESS },
};
const UNKNOWN = { legal_name: null, legal_form: null, business_address: null };

describe('POST /v1/buyers, for a buyer who is only invited', () => {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await createWorld();
    world.clock.set(1_800_000_000);
    await world.post('/v1/merchants', merchantBody({}));
  });
  afterAll(() => world.close());
  beforeEach(() => world.sql('truncate registry_companies, registry_followed'));

  const invite = (more: object = {}) => {
    const body = { external_id: `invited-${++made}`, contact_email: EMAIL, ...more };
    return world.post('/v1/buyers', body);
  };
  const order = (more: object) => draftOrderBody({ external_id: `order-${++made}`, ...more });

  describe('201', () => {
    it('accepts an external_id and an e-mail address without a company', async () => {
      const { status, headers, body } = await invite();
      expect(status).toBe(201);
      expect(headers.get('etag')).toBe('"1"');
      expect(body).toEqual({
        external_id: `invited-${made}`,
        created_at: 1_800_000_000,
        updated_at: 1_800_000_000,
        max_days_past_due: null,
        ...UNKNOWN,
        trading_name: null,
        registered_at: null,
        incorporated_at: null,
        business_identifiers: [],
        delivery_address: null,
        custom_data: null,
        contact_email: EMAIL,
        registry: null,
      });
      expect((await world.get(headers.get('location') as string)).body).toEqual(body);
    });

    it('records its BUYER.CREATED as of any', async () => {
      await invite();
      expect(await recordedEvents(world, `invited-${made}`)).toMatchObject([
        { type: 'BUYER.CREATED', data: { external_id: `invited-${made}`, sequence: 1 } },
      ]);
    });

    it('completes the buyer if the registry has the company', async () => {
      await writeCompanies(world.installation.db, [registryEntry({})], 1_799_999_000);
      const { status, body } = await invite({ business_identifiers: [VAT] });
      expect(status).toBe(201);
      expect(body).toMatchObject({ legal_name: 'Nordlicht Energie AG', contact_email: EMAIL });
      expect(body.registry.fields).toContain('legal_name');
    });

    it('keeps identifiers that are in no registry', async () => {
      const { status, body } = await invite({ business_identifiers: [VAT], trading_name: 'Nordlicht' });
      expect(status).toBe(201);
      expect(body).toMatchObject({ ...UNKNOWN, business_identifiers: [VAT], trading_name: 'Nordlicht' });
      expect(body.registry).toBeNull();
    });

    it('takes no values from a company that is incomplete in the registry', async () => {
      const unnamed = registryEntry({ legalName: 'x'.repeat(256) });
      await writeCompanies(world.installation.db, [unnamed], 1_799_999_000);
      const { status, body } = await invite({ business_identifiers: [VAT] });
      expect(status).toBe(201);
      expect(body).toMatchObject({ ...UNKNOWN, business_identifiers: [VAT], registry: null });
    });

    it('keeps the address of a whole buyer as well', async () => {
      const { status, body } = await invite(WHOLE);
      expect(status).toBe(201);
      expect(body).toMatchObject({ ...WHOLE, contact_email: EMAIL });
    });
  });

  describe('400', () => {
    it('refuses half a company', async () => {
      const { status, body } = await invite({ legal_name: 'Nordlicht Energie AG' });
      expect(status).toBe(400);
      expect(issuesOf(body)).toEqual(['REQUIRED body.business_address', 'REQUIRED body.legal_form']);
      expect(body.issues[0].message).toContain('send legal_name, legal_form and business_address together');
    });

    it('requires the company data if the address is null', async () => {
      const { status, body } = await invite({ contact_email: null });
      expect(status).toBe(400);
      expect(issuesOf(body)).toEqual(
        ['business_address', 'legal_form', 'legal_name'].map((name) => `REQUIRED body.${name}`),
      );
    });
  });

  describe('afterwards', () => {
    it('is read, listed and searched as the others are, but never found by its address', async () => {
      await invite();
      const id = `invited-${made}`;
      const { body } = await world.get(`/v1/buyers/${id}?expand=contacts`);
      expect(body).toMatchObject({ ...UNKNOWN, contact_email: EMAIL, contacts: [] });
      expect(
        (await world.get(`/v1/buyers?external_id=${id}&sort_by=legal_name`)).body.items[0],
      ).toMatchObject({ ...UNKNOWN, contact_email: EMAIL });
      expect((await world.get(`/v1/buyers?external_id=${id}&country=DE`)).body.total).toBe(0);
      expect((await world.get(`/v1/buyers/search?query=${id}`)).body.total).toBe(1);
      expect((await world.get('/v1/buyers/search?query=zebrafink')).body.total).toBe(0);
    });

    it('keeps the address encrypted, and only in the row of the buyer', async () => {
      await invite();
      expect(await tablesHolding(world, ['zebrafink'])).toEqual([]);
      const [first, second] = await world.sql<{ external_id: string }>(
        'select external_id from buyers where contact_email_sealed is not null order by external_id limit 2',
      );
      await world.sql(
        `update buyers b set contact_email_sealed = o.contact_email_sealed from buyers o
         where b.platform_id = $3 and b.external_id = $1 and o.platform_id = $3 and o.external_id = $2`,
        [first?.external_id, second?.external_id, world.platform.platform_id],
      );
      expect((await world.get(`/v1/buyers/${first?.external_id}`)).status).toBe(500);
      await world.sql('delete from buyers where external_id = $1', [first?.external_id]);
    });

    it('can have draft orders, in which the legal name is null', async () => {
      await invite();
      const { status, body } = await world.post(
        '/v1/orders/draft',
        order({ buyer_external_id: `invited-${made}` }),
      );
      expect(status).toBe(201);
      expect(body.buyer).toEqual({ legal_name: null });
      expect((await world.get(`/v1/orders/${body.external_id}`)).body).toEqual(body);
      const { body: listed } = await world.get(`/v1/orders?external_id=${body.external_id}&expand=buyer`);
      expect(listed.items[0].buyer).toMatchObject({ ...UNKNOWN, contact_email: EMAIL });
    });

    it.each([
      ['an order on credit', 'DEFER_30D'],
      ['an order paid before delivery', 'PREPAYMENT'],
    ])('cannot place %s', async (_, payment_term) => {
      await invite();
      const chosen = { buyer_external_id: `invited-${made}`, payment_method: 'TRANSFER', payment_term };
      const { status, body } = await world.post('/v1/orders', order(chosen));
      expect({ status, reason: body.reason }).toEqual({ status: 422, reason: 'BUYER_INCOMPLETE' });
      expect((await world.get(`/v1/orders/order-${made}`)).status).toBe(404);
    });

    it('cannot have a facility, neither requested nor simulated', async () => {
      await invite();
      const requested = await world.post(`/v1/buyers/invited-${made}/facility`, {});
      expect(requested.status).toBe(422);
      expect(requested.body.reason).toBe('BUYER_INCOMPLETE');
      const key = await world.addKey({ scopes: ['admin'] });
      const options = { buyer_external_id: `invited-${made}`, trigger: 'grant' };
      const simulated = await world.post('/v1/sandbox/facilities', options, { key });
      expect(simulated.body.reason).toBe('BUYER_INCOMPLETE');
      expect((await world.get(`/v1/buyers/invited-${made}/facility`)).status).toBe(404);
    });

    it('is offered only prepayment', async () => {
      await invite();
      const { status, body } = await world.get(`/v1/buyers/invited-${made}/payment_terms?gross_amount=1000`);
      expect(status).toBe(200);
      expect(body.payment_terms.map((each: { payment_term: string }) => each.payment_term)).toEqual([
        'PREPAYMENT',
      ]);
      expect(body.unavailable_terms[0].reason).toBe('NO_ACTIVE_FACILITY');
    });

    it('is completed by a PUT, which names what changed and no value', async () => {
      await invite();
      const id = `invited-${made}`;
      const { status, body } = await world.put(`/v1/buyers/${id}`, { ...WHOLE, business_identifiers: [VAT] });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        ...WHOLE,
        contact_email: 'einkauf@zebrafink.example',
        business_identifiers: [VAT],
      });
      expect((await recordedEvents(world, id)).at(-1)?.data).toEqual({
        external_id: id,
        sequence: 2,
        changed_fields: ['legal_name', 'legal_form', 'business_identifiers', 'business_address'],
      });
      const chosen = { payment_method: 'TRANSFER', payment_term: 'PREPAYMENT' };
      const placed = await world.post('/v1/orders', order({ buyer_external_id: id, ...chosen }));
      expect(placed.status).toBe(201);
    });

    it('is not made of a whole buyer by a PUT', async () => {
      await world.post('/v1/buyers', buyerBody({ external_id: 'whole' }));
      const { status, body } = await world.put('/v1/buyers/whole', {
        contact_email: EMAIL,
        business_identifiers: [],
      });
      expect(status).toBe(400);
      expect(body.error).toBe('3 validation issues');
    });

    it('changes nothing with the same address again', async () => {
      await world.post('/v1/buyers', buyerBody({ external_id: 'again' }));
      const { external_id: _, ...rest } = buyerBody({
        contact_email: 'einkauf@zebrafink.example',
        business_identifiers: [],
      });
      const first = await world.put('/v1/buyers/again', rest);
      const second = await world.put('/v1/buyers/again', rest);
      expect([first, second].map(({ headers }) => headers.get('etag'))).toEqual(['"2"', '"2"']);
      expect(second.body.contact_email).toBe(EMAIL);
    });
  });
});
