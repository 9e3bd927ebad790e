import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ADDRESS,
  companyFields,
  customData,
  emailField,
  IDENTIFIER,
  identifierFields,
  looseAddressFields,
  readOnlyFields,
} from '#test/field-tables';
import { type Body, type Change, type Field, itRefuses, itTakes, optional, seconds } from '#test/fields';
import { createWorld, type World } from '#test/world';

const readOnly = readOnlyFields({
  external_id: 'another',
  created_at: 1,
  updated_at: 1,
  max_days_past_due: 3,
  registry: { registry: 'GLEIF', business_id: '1', is_active: true, fields: [], refreshed_at: 1 },
});

/** Keeps its value if omitted. */
const contactEmail = emailField('contact_email');

const fields: Field[] = [
  ...companyFields,
  ...identifierFields('required'),
  { path: 'registered_at', ...optional(seconds) },
  { path: 'incorporated_at', ...optional(seconds) },
  ...looseAddressFields('delivery_address'),
  { path: 'custom_data', ...optional(customData) },
  { ...contactEmail, fitting: contactEmail.fitting.filter(({ sent }) => sent !== undefined) },
  ...readOnly,
];

describe('PUT /v1/buyers/{external_id}, field by field', () => {
  const full: Body = {
    legal_name: 'Café Morgenrot eG',
    legal_form: 'COOPERATIVE',
    trading_name: 'Morgenrot',
    registered_at: 1_700_000_000,
    incorporated_at: 1_000_000_000,
    business_identifiers: [IDENTIFIER],
    business_address: ADDRESS,
    delivery_address: ADDRESS,
    custom_data: { segment: 'gastronomy' },
    contact_email: 'einkauf@morgenrot.example',
  };
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    for (const external_id of ['changed', 'untouched'])
      await world.post('/v1/buyers', { external_id, ...full });
  });
  afterAll(() => world.close());

  describe('200', () => {
    itTakes(fields, 200, (change) => world.put('/v1/buyers/changed', change(full)));
  });

  describe('400', () => {
    const put = (change: Change) => world.put('/v1/buyers/untouched', change(full));
    itRefuses(fields, put);

    it('changes nothing', async () => {
      const { headers, body } = await world.get('/v1/buyers/untouched');
      expect(headers.get('etag')).toBe('"1"');
      expect(body).toMatchObject(full);
    });
  });
});
