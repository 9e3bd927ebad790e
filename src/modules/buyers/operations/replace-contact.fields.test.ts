import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { ADDRESS, personFields, readOnlyFields } from '#test/field-tables';
import { defaulted, externalId, type Field, itRefuses, itTakes } from '#test/fields';
import { createWorld, type World } from '#test/world';

const fields: Field[] = [
  ...personFields,
  {
    path: 'buyer_external_id',
    fitting: [
      { what: 'the stored one', sent: 'b1' },
      { what: 'nothing at all', sent: undefined, shown: 'b1' },
    ],
    offending: defaulted(externalId, 'b1').offending,
  },
  ...readOnlyFields({ external_id: 'another', created_at: 1, updated_at: 1 }),
];

describe('PUT /v1/contacts/{external_id}, field by field', () => {
  const full = {
    buyer_external_id: 'b1',
    assign_to_all_invoices: true,
    salutation: 'MS',
    first_name: 'Ines',
    last_name: 'Albrecht',
    email: 'ines@b1.example',
    phone: '+493012345678',
    address: ADDRESS,
  };
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    await world.post('/v1/buyers', buyerBody({ external_id: 'b1' }));
    for (const external_id of ['changed', 'untouched'])
      await world.post('/v1/contacts', { external_id, ...full });
  });
  afterAll(() => world.close());

  describe('200', () => {
    itTakes(fields, 200, (change) => world.put('/v1/contacts/changed', change(full)));
  });

  describe('400', () => {
    itRefuses(fields, (change) => world.put('/v1/contacts/untouched', change(full)));

    it('changes nothing', async () => {
      const { headers, body } = await world.get('/v1/contacts/untouched');
      expect(headers.get('etag')).toBe('"1"');
      expect(body).toMatchObject(full);
    });
  });
});
