import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RegistryEntry, writeCompanies } from '#modules/registry';
import { issuesOf } from '#test/paging';
import { NO_ADDRESS, registerId, registryEntry, vatId } from '#test/registry-entry';
import { createWorld, type World } from '#test/world';

const ADDRESS = { ...NO_ADDRESS, street: 'Deich', house: '1', postcode: '25813', city: 'Husum' };
const VAT = vatId('DE811907980');
const FITTING: Record<string, unknown> = {
  legal_name: 'Nordlicht Energie AG',
  legal_form: 'PUBLIC_COMPANY',
  business_address: ADDRESS,
};

describe('POST /v1/buyers, for companies that the registry does not identify', () => {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await createWorld();
    world.clock.set(1_800_000_000);
  });
  afterAll(() => world.close());
  beforeEach(() => world.sql('truncate registry_companies, registry_followed'));

  const know = (...entries: Partial<RegistryEntry>[]) =>
    writeCompanies(
      world.installation.db,
      entries.map((more, nth) => registryEntry({ registryKey: `${nth + 1}`, ...more })),
      1_799_999_000,
    );
  const post = (body: object) => world.post('/v1/buyers', { external_id: `buyer-${++made}`, ...body });
  const postByVat = (body: object = {}) => post({ business_identifiers: [VAT], ...body });

  describe('400', () => {
    const REQUIRED = ['business_address', 'legal_form', 'legal_name'].map((name) => `REQUIRED body.${name}`);
    const messagesOf = (body: { issues: { message: string }[] }) => [
      ...new Set(body.issues.map(({ message }) => message)),
    ];

    const unknown: [what: string, identifiers: object[]][] = [
      ['nobody has', [vatId('DE136695976')]],
      ['a company of another country has', [registerId('FN 70008 a', 'AT')]],
      ['is of another type', [vatId('HRB70008', 'US')]],
    ];
    it.each(unknown)('lists every missing field, for an identifier that %s', async (_, sent) => {
      await know({});
      const { status, body } = await post({ business_identifiers: sent });
      expect(status).toBe(400);
      expect(body.error).toBe('3 validation issues');
      expect(issuesOf(body)).toEqual(REQUIRED);
      expect(messagesOf(body)).toEqual(['is required: the registry has no company with this identifier']);
    });

    const ambiguous: [what: string, entries: Partial<RegistryEntry>[], count: number][] = [
      ['of one registry', [{}, { legalName: 'Nordlicht Wind SE' }, { legalName: 'Nordlicht Bau SE' }], 3],
      ['of one registry and one name', [{}, {}], 2],
      ['of different names in two registries', [{}, { registry: 'GLEIF', legalName: 'Südlicht AG' }], 2],
      ['that are all dissolved', [{ isActive: false }, { isActive: false }], 2],
    ];
    it.each(ambiguous)('does not choose between companies %s', async (_, entries, count) => {
      await know(...entries);
      const { status, body } = await postByVat();
      expect(status).toBe(400);
      expect(issuesOf(body)).toEqual(REQUIRED);
      expect(messagesOf(body)).toEqual([
        `is required: the registry has ${count} companies with this identifier`,
      ]);
    });

    it('does not choose between the companies of two identifiers', async () => {
      await know({}, { legalName: 'Südlicht AG', identifiers: [registerId('HRB 1')] });
      const { status, body } = await post({ business_identifiers: [VAT, registerId('HRB 1')] });
      expect(status).toBe(400);
      expect(messagesOf(body)).toEqual(['is required: the registry has 2 companies with this identifier']);
    });

    const unfit: [what: string, entry: Partial<RegistryEntry>, field: string][] = [
      ['a name that is too long', { legalName: `${'x'.repeat(253)} AG` }, 'legal_name'],
      ['a name with a control character', { legalName: 'Nord\tlicht AG' }, 'legal_name'],
      ['a form that nobody knows', { legalForm: 'Company type 7', legalName: 'Nordlicht' }, 'legal_form'],
      ['an address without city', { address: { ...ADDRESS, city: null } }, 'business_address'],
      ['an address without postcode', { address: { ...ADDRESS, postcode: null } }, 'business_address'],
      [
        'a postcode that is too long',
        { address: { ...ADDRESS, postcode: '1'.repeat(17) } },
        'business_address',
      ],
    ];
    it.each(unfit)(
      'requires a field whose registry value is invalid for a buyer: %s',
      async (_, entry, field) => {
        await know(entry);
        const { status, body } = await postByVat();
        expect(status).toBe(400);
        expect(issuesOf(body)).toEqual([`REQUIRED body.${field}`]);
        expect(messagesOf(body)).toEqual(['is required: neither the request nor the registry has it']);
        expect((await postByVat({ [field]: FITTING[field] })).status).toBe(201);
      },
    );

    it('returns every issue at once if no identifier can be in a registry', async () => {
      const sent = { business_identifiers: [{ type: 'TAX_ID', value: '1', country: 'DE' }], custom_data: 1 };
      const { status, body } = await post(sent);
      expect(status).toBe(400);
      expect(issuesOf(body)).toEqual(['INVALID_TYPE body.custom_data', ...REQUIRED]);
    });

    it('creates no buyer and follows no company', async () => {
      await know({ legalName: 'x'.repeat(256) });
      const { body } = await post({ external_id: 'nobody', business_identifiers: [VAT] });
      expect(body.code).toBe('BAD_REQUEST');
      expect((await world.get('/v1/buyers/nobody')).status).toBe(404);
      expect(await world.sql('select 1 from registry_followed')).toEqual([]);
    });
  });
});
