/** Postcodes, VAT numbers and register numbers have the format of their country; stored values do not change. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCompanies } from '#modules/registry';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { expectProblem } from '#test/problem';
import { NO_ADDRESS, registerId, registryEntry, vatId } from '#test/registry-entry';
import { createWorld, type Reply, type World } from '#test/world';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.post('/v1/merchants', merchantBody({}));
});
afterAll(() => world.close());

const issuesOf = (reply: Reply) =>
  expectProblem(reply, 'BAD_REQUEST').issues.map(
    ({ code, path, message }: Record<string, string>) => `${code} ${path} ${message}`,
  );

const WRONG = {
  business_identifiers: [vatId('DE811907981'), registerId('12345'), registerId('552032535', 'FR')],
  business_address: { postcode: '1010', city: 'Berlin', country: 'DE' },
  delivery_address: { postcode: '1012', city: 'Amsterdam', country: 'NL' },
};

describe('POST /v1/buyers', () => {
  it('names every value that has not the format of its country, beside other issues', async () => {
    const reply = await world.post('/v1/buyers', buyerBody({ ...WRONG, registered_at: -1 }));
    expect(issuesOf(reply).sort()).toEqual([
      'INVALID_FORMAT body.business_address.postcode must be a postcode of DE, such as 10115',
      'INVALID_FORMAT body.business_identifiers.0.value must be a VAT number of DE with a valid check digit',
      'INVALID_FORMAT body.business_identifiers.1.value must be a register number of DE, such as HRB 12345',
      'INVALID_FORMAT body.business_identifiers.2.value must be a register number of FR, such as 552 032 534',
      'INVALID_FORMAT body.delivery_address.postcode must be a postcode of NL, such as 1012 AB',
      expect.stringMatching(/^TOO_SMALL body.registered_at /),
    ]);
  });

  it('accepts any postcode where addresses need none, and stores every value as sent', async () => {
    const sent = {
      business_identifiers: [vatId('811907980'), registerId('hrb 12 345', 'DE')],
      business_address: { ...NO_ADDRESS, postcode: '-', city: 'Dubai', country: 'AE' },
      delivery_address: { ...NO_ADDRESS, postcode: 'd-10115', city: 'Berlin', country: 'DE' },
    };
    const { status, body } = await world.post(
      '/v1/buyers',
      buyerBody({ external_id: 'any', ...sent, legal_form: 'LIMITED_COMPANY' }),
    );
    expect([status, body]).toMatchObject([201, sent]);
  });
});

describe('PUT /v1/buyers/{external_id}', () => {
  /** Values that a registry has, or that were stored before formats were checked. */
  const DIRTY = {
    business_identifiers: [vatId('DE811907980'), registerId('B 12345')],
    business_address: { ...NO_ADDRESS, postcode: 'D 1', city: 'Husum', country: 'DE' },
  };

  it('accepts what is stored, so that the buyer can be read, merged and sent, and refuses what is new', async () => {
    const entry = registryEntry({ identifiers: DIRTY.business_identifiers, address: DIRTY.business_address });
    await writeCompanies(world.installation.db, [entry], 1_700_000_000);
    const { body: buyer } = await world.post('/v1/buyers', {
      external_id: 'from-a-registry',
      business_identifiers: [vatId('DE811907980')],
    });
    expect(buyer).toMatchObject({ business_address: DIRTY.business_address });
    expect(buyer.business_identifiers).toContainEqual(registerId('B 12345'));
    const put = (more: object) => world.put('/v1/buyers/from-a-registry', { ...buyer, ...more });

    const renamed = await put({ trading_name: 'Nordlicht' });
    expect(renamed).toMatchObject({ status: 200, body: { trading_name: 'Nordlicht', ...DIRTY } });
    const street = { ...DIRTY.business_address, street: 'Hafenstraße' };
    expect((await put({ updated_at: renamed.body.updated_at, business_address: street })).status).toBe(200);

    const { updated_at } = (await world.get('/v1/buyers/from-a-registry')).body;
    const other = { ...DIRTY.business_address, postcode: 'D 2' };
    const reply = await put({
      updated_at,
      registry: (await world.get('/v1/buyers/from-a-registry')).body.registry,
      business_address: other,
      business_identifiers: [...DIRTY.business_identifiers, registerId('B 12346')],
    });
    expect(issuesOf(reply).sort()).toEqual([
      'INVALID_FORMAT body.business_address.postcode must be a postcode of DE, such as 10115',
      'INVALID_FORMAT body.business_identifiers.2.value must be a register number of DE, such as HRB 12345',
    ]);
  });
});

describe('other addresses', () => {
  it('of merchants, contacts and orders are checked as well', async () => {
    const wrong = { postcode: '123', city: 'Paris', country: 'FR' };
    await world.post('/v1/buyers', buyerBody({}));
    const order = draftOrderBody({
      payment_method: 'TRANSFER',
      payment_term: 'PREPAYMENT',
      delivery_address: wrong,
    });
    const replies = [
      await world.post('/v1/merchants', merchantBody({ external_id: 'm', business_address: wrong })),
      await world.post('/v1/contacts', { external_id: 'c', buyer_external_id: 'buyer', address: wrong }),
      await world.post('/v1/orders', order),
    ];
    expect(replies.map((reply) => issuesOf(reply))).toEqual(
      ['business_address', 'address', 'delivery_address'].map((field) => [
        `INVALID_FORMAT body.${field}.postcode must be a postcode of FR, such as 75002`,
      ]),
    );
  });
});
