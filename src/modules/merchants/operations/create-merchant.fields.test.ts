import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ADDRESS,
  companyFields,
  emailsField,
  externalIdField,
  IDENTIFIER,
  identifierFields,
} from '#test/field-tables';
import { type Change, type Field, itRefuses, itTakes } from '#test/fields';
import { createWorld, type World } from '#test/world';

const fields: Field[] = [
  externalIdField,
  ...companyFields,
  ...identifierFields('defaulted'),
  emailsField('contact_emails'),
  {
    path: 'status',
    fitting: [],
    offending: [{ what: 'a field of the service', sent: 'ENROLLED', code: 'UNRECOGNIZED_KEYS' }],
  },
];

describe('POST /v1/merchants, field by field', () => {
  let world: World;
  let sent = 0;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  const full = (externalId: string) => ({
    external_id: externalId,
    legal_name: 'Nordlicht Kaffeerösterei GmbH',
    legal_form: 'LIMITED_COMPANY',
    trading_name: 'Nordlicht',
    business_identifiers: [IDENTIFIER],
    business_address: ADDRESS,
    contact_emails: ['office@nordlicht.example'],
  });
  const post = (change: Change) => world.post('/v1/merchants', change(full(`merchant-${++sent}`)));

  describe('201', () => {
    itTakes(fields, 201, post);
  });

  describe('400', () => {
    itRefuses(fields, (change) => world.post('/v1/merchants', change(full('refused'))));

    it('creates no merchant', async () => {
      expect((await world.get('/v1/merchants/refused')).status).toBe(404);
    });
  });
});
