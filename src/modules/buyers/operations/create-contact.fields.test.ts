import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { ADDRESS, externalIdField, personFields } from '#test/field-tables';
import { type Change, externalId, type Field, itRefuses, itTakes, required } from '#test/fields';
import { createWorld, type World } from '#test/world';

const fields: Field[] = [
  externalIdField,
  { path: 'buyer_external_id', fitting: [], offending: required(externalId).offending },
  ...personFields,
];

describe('POST /v1/contacts, field by field', () => {
  let world: World;
  let sent = 0;
  beforeAll(async () => {
    world = await createWorld();
    await world.post('/v1/buyers', buyerBody({ external_id: 'b1' }));
  });
  afterAll(() => world.close());

  const full = (externalId: string) => ({
    external_id: externalId,
    buyer_external_id: 'b1',
    assign_to_all_invoices: true,
    salutation: 'MS',
    first_name: 'Ines',
    last_name: 'Albrecht',
    email: 'ines@b1.example',
    phone: '+493012345678',
    address: ADDRESS,
  });
  const post = (change: Change) => world.post('/v1/contacts', change(full(`contact-${++sent}`)));

  describe('201', () => {
    itTakes(fields, 201, post);
  });

  describe('400', () => {
    itRefuses(fields, (change) => world.post('/v1/contacts', change(full('refused'))));

    it('creates no contact', async () => {
      expect((await world.get('/v1/contacts/refused')).status).toBe(404);
    });
  });
});
