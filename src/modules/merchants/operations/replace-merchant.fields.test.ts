import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ADDRESS,
  companyFields,
  emailsField,
  IDENTIFIER,
  identifierFields,
  readOnlyFields,
} from '#test/field-tables';
import { type Field, itRefuses, itTakes } from '#test/fields';
import { createWorld, type World } from '#test/world';

const readOnly = readOnlyFields({
  external_id: 'another',
  status: 'INACTIVE',
  created_at: 1,
  updated_at: 1,
});

const fields: Field[] = [
  ...companyFields,
  ...identifierFields('defaulted'),
  emailsField('contact_emails'),
  ...readOnly,
];

describe('PUT /v1/merchants/{external_id}, field by field', () => {
  const full = {
    legal_name: 'Nordlicht Kaffeerösterei GmbH',
    legal_form: 'LIMITED_COMPANY',
    trading_name: 'Nordlicht',
    business_identifiers: [IDENTIFIER],
    business_address: ADDRESS,
    contact_emails: ['office@nordlicht.example'],
  };
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    for (const external_id of ['changed', 'untouched'])
      await world.post('/v1/merchants', { external_id, ...full });
  });
  afterAll(() => world.close());

  describe('200', () => {
    itTakes(fields, 200, (change) => world.put('/v1/merchants/changed', change(full)));
  });

  describe('400', () => {
    itRefuses(fields, (change) => world.put('/v1/merchants/untouched', change(full)));

    it('changes nothing', async () => {
      const { headers, body } = await world.get('/v1/merchants/untouched');
      expect(headers.get('etag')).toBe('"1"');
      expect(body).toMatchObject(full);
    });
  });
});
