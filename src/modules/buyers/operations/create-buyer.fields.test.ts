import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ADDRESS,
  companyFields,
  customData,
  emailField,
  externalIdField,
  IDENTIFIER,
  identifierFields,
  looseAddressFields,
} from '#test/field-tables';
import { type Change, type Field, itRefuses, itTakes, optional, seconds } from '#test/fields';
import { createWorld, type World } from '#test/world';

const reservedName: Field = {
  path: 'external_id',
  fitting: [{ what: 'a name that begins as the search does', sent: 'search2' }],
  offending: [{ what: 'the name of the search', sent: 'search', code: 'INVALID_VALUE' }],
};

const fields: Field[] = [
  externalIdField,
  reservedName,
  ...companyFields,
  ...identifierFields('defaulted'),
  { path: 'registered_at', ...optional(seconds) },
  { path: 'incorporated_at', ...optional(seconds) },
  ...looseAddressFields('delivery_address'),
  { path: 'custom_data', ...optional(customData) },
  emailField('contact_email'),
];

describe('POST /v1/buyers, field by field', () => {
  let world: World;
  let sent = 0;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  const full = (externalId: string) => ({
    external_id: externalId,
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
  });
  const post = (change: Change) => world.post('/v1/buyers', change(full(`buyer-${++sent}`)));

  describe('201', () => {
    itTakes(fields, 201, post);
  });

  describe('400', () => {
    itRefuses(fields, (change) => world.post('/v1/buyers', change(full('refused'))));

    it('creates no buyer', async () => {
      expect((await world.get('/v1/buyers/refused')).status).toBe(404);
      expect((await world.get('/v1/buyers?external_id=search')).body.total).toBe(0);
    });
  });
});
