import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RegistryEntry, writeCompanies } from '#modules/registry';
import { buyerBody } from '#test/bodies';
import { NO_ADDRESS, registerId, registryEntry, vatId } from '#test/registry-entry';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const REFRESHED_AT = 1_799_999_000;
const ADDRESS = { ...NO_ADDRESS, street: 'Deich', house: '1', postcode: '25813', city: 'Husum' };
const VAT = vatId('DE811907980');
const KNOWN = {
  legal_name: 'Nordlicht Energie AG',
  legal_form: 'PUBLIC_COMPANY',
  trading_name: 'Nordlicht',
  incorporated_at: 1_041_379_200,
  business_address: ADDRESS,
  business_identifiers: [VAT, registerId('HRB 70008')],
};
const ALL = Object.keys(KNOWN);

describe('POST /v1/buyers, with registry data', () => {
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
      REFRESHED_AT,
    );
  const post = (body: object) => world.post('/v1/buyers', { external_id: `buyer-${++made}`, ...body });
  const postByVat = (body: object = {}) => post({ business_identifiers: [VAT], ...body });

  describe('201', () => {
    it('fills every field for an external_id and one identifier, and names the filled fields', async () => {
      await know({});
      const { status, headers, body } = await postByVat();
      expect(status).toBe(201);
      expect(headers.get('etag')).toBe('"1"');
      expect(body).toEqual({
        ...KNOWN,
        external_id: `buyer-${made}`,
        created_at: 1_800_000_000,
        updated_at: 1_800_000_000,
        max_days_past_due: null,
        registered_at: null,
        delivery_address: null,
        custom_data: null,
        contact_email: null,
        registry: {
          registry: 'TEST',
          business_id: 'TEST-1',
          is_active: true,
          fields: ALL,
          refreshed_at: REFRESHED_AT,
        },
      });
      const search = new URLSearchParams({
        search_type: 'identifier',
        country: 'DE',
        identifier_type: 'VAT_ID',
        identifier_value: VAT.value,
      });
      const found = await world.get(`/v1/businesses/search?${search}`);
      expect(found.body.items[0].id).toBe(body.registry.business_id);
    });

    it('shows the same when it is read, listed and searched for', async () => {
      await know({});
      const { text, body } = await postByVat();
      expect((await world.get(`/v1/buyers/${body.external_id}`)).text).toBe(text);
      const listed = await world.get(`/v1/buyers?external_id=${body.external_id}`);
      const searched = await world.get(`/v1/buyers/search?query=${body.external_id}`);
      expect([listed.body.items, searched.body.items]).toEqual([[body], [body]]);
    });

    it('records one BUYER.CREATED, with nothing about the company but its id', async () => {
      await know({});
      const { body } = await postByVat();
      expect(await recordedEvents(world, body.external_id)).toMatchObject([
        { type: 'BUYER.CREATED', data: { external_id: body.external_id, sequence: 1 } },
      ]);
    });

    const own: [field: string, sent: unknown][] = [
      ['legal_name', 'Nordlicht AG i. Gr.'],
      ['trading_name', 'NL'],
      ['trading_name', null],
      ['incorporated_at', 7],
      ['incorporated_at', null],
      [
        'business_address',
        { postcode: '2450', city: 'Kiel', country: 'DK', street: null, house: null, additional: null },
      ],
    ];
    it.each(own)('keeps %s as sent: %j', async (field, sent) => {
      await know({});
      const { status, body } = await postByVat({ [field]: sent });
      expect(status).toBe(201);
      expect(body).toMatchObject({ ...KNOWN, [field]: sent });
      expect(body.registry.fields).toEqual(ALL.filter((name) => name !== field));
    });

    it('keeps identifiers as sent, and adds only other ones', async () => {
      await know({});
      const sent = [
        vatId('de 811.907 980'),
        registerId('HRB 70'),
        { type: 'AGENCY1_ID', value: '1', country: 'DE' },
      ];
      const { body } = await post({ business_identifiers: sent });
      expect(body.business_identifiers).toEqual([...sent, KNOWN.business_identifiers[1]]);
    });

    it('adds no identifier beyond the hundred a buyer may have', async () => {
      await know({});
      const agencies = Array.from({ length: 99 }, (_, nth) => ({
        type: 'AGENCY1_ID',
        value: `${nth}`,
        country: 'DE',
      }));
      const { body } = await postByVat({ business_identifiers: [VAT, ...agencies] });
      expect(body.business_identifiers).toHaveLength(100);
      expect(body.registry.fields).not.toContain('business_identifiers');
    });

    const lesser: [what: string, entry: Partial<RegistryEntry>, absent: object][] = [
      ['a day before 1970', { incorporatedAt: -86_400 }, { incorporated_at: null }],
      ['no day', { incorporatedAt: null }, { incorporated_at: null }],
      ['no trading name', { tradingName: null }, { trading_name: null }],
      ['a trading name that is too long', { tradingName: 'x'.repeat(256) }, { trading_name: null }],
      ['a trading name with a line break', { tradingName: 'North\nlight' }, { trading_name: null }],
      ['no further identifier', { identifiers: [vatId('DE811907980')] }, { business_identifiers: [VAT] }],
      [
        'an identifier that is too long',
        { identifiers: [vatId('DE811907980'), registerId('9'.repeat(49))] },
        { business_identifiers: [VAT] },
      ],
    ];
    it.each(lesser)('does without what does not fit a buyer: %s', async (_, entry, absent) => {
      await know(entry);
      const { status, body } = await postByVat();
      expect(status).toBe(201);
      expect(body).toMatchObject({ ...KNOWN, ...absent });
      expect(body.registry.fields).toEqual(ALL.filter((field) => !(field in absent)));
    });

    const forms: [what: string, entry: Partial<RegistryEntry>, form: string][] = [
      ['its ELF code before its words', { elfCode: '2HBR', legalForm: 'Genossenschaft' }, 'LIMITED_COMPANY'],
      ['its words before its name', { legalForm: 'eingetragene Genossenschaft' }, 'COOPERATIVE'],
      ['its words, where the code is of no table', { elfCode: 'ZZZZ' }, 'PUBLIC_COMPANY'],
      ['its name, where the words say nothing', { legalForm: 'Company type 7' }, 'PUBLIC_COMPANY'],
      ['its name, where there are no words', { legalForm: null, legalName: 'Nord KG' }, 'PARTNERSHIP'],
      ['the table, where that says OTHER', { legalForm: 'eingetragener Verein' }, 'OTHER'],
    ];
    it.each(forms)('reads the legal form by %s', async (_, entry, form) => {
      await know(entry);
      const { body } = await postByVat();
      expect(body.legal_form).toBe(form);
      expect(body.registry.fields).toContain('legal_form');
    });

    it('finds a company by its register number, however it is written', async () => {
      await know({ identifiers: [registerId('HRB 70008 Flensburg')] });
      const { status, body } = await post({ business_identifiers: [registerId('hrb070008')] });
      expect(status).toBe(201);
      expect(body.business_identifiers).toEqual([registerId('hrb070008')]);
    });

    it('uses a dissolved company if no other has the identifier, and shows that it is dissolved', async () => {
      await know({ isActive: false });
      const { status, body } = await postByVat();
      expect(status).toBe(201);
      expect(body.registry.is_active).toBe(false);
    });

    it('takes the existing one of two, of which the other is dissolved', async () => {
      await know({ isActive: false }, { legalName: 'Nordlicht Wind SE' });
      const { body } = await postByVat();
      expect(body).toMatchObject({
        legal_name: 'Nordlicht Wind SE',
        registry: { business_id: 'TEST-2', is_active: true },
      });
    });

    const entries: [what: string, other: Partial<RegistryEntry>, id: string][] = [
      ['the one with an address', { registry: 'A', address: NO_ADDRESS }, 'TEST-1'],
      [
        'the one with a legal form',
        { registry: 'A', legalName: 'NORDLICHT-ENERGIE', legalForm: null },
        'TEST-1',
      ],
      ['the fresher of two that are as full', { registry: 'Z' }, 'Z-1'],
    ];
    it.each(entries)('uses, for a company in two registries, %s', async (_, other, id) => {
      await know({});
      await writeCompanies(world.installation.db, [registryEntry(other)], REFRESHED_AT + 1);
      expect((await postByVat()).body.registry).toMatchObject({ business_id: id });
    });

    it('distinguishes companies that share one identifier by a second one', async () => {
      await know({}, { legalName: 'Nordlicht Wind SE', identifiers: [registerId('HRB 70008')] });
      const { body } = await post({ business_identifiers: [registerId('HRB 70008'), VAT] });
      expect(body.registry.business_id).toBe('TEST-1');
    });

    it('reads no registry if no required field is omitted', async () => {
      await know({});
      const whole = buyerBody({ external_id: 'whole', business_identifiers: [VAT] });
      const { status, body } = await post(whole);
      expect(status).toBe(201);
      expect(body).toMatchObject({ registry: null, trading_name: null, business_identifiers: [VAT] });
      expect(await world.sql('select 1 from registry_followed')).toEqual([]);
    });

    it('answers a repeated Idempotency-Key with the same, whatever has changed in the registry', async () => {
      await know({});
      const body = { external_id: 'repeated', business_identifiers: [VAT] };
      const send = () => world.post('/v1/buyers', body, { headers: { 'idempotency-key': 'onboarding' } });
      const together = await Promise.all(Array.from({ length: 8 }, send));
      expect(together.every(({ status }) => status === 201 || status === 409)).toBe(true);
      const [made, ...others] = new Set(
        together.filter(({ status }) => status === 201).map(({ text }) => text),
      );
      expect(others).toEqual([]);
      await know({ legalName: 'Südlicht AG' });
      const again = await send();
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.text).toBe(made);
      expect(again.body.legal_name).toBe(KNOWN.legal_name);
    });
  });

  describe('409', () => {
    it('refuses a taken external_id and does not change the buyer', async () => {
      await know({});
      const first = await post(buyerBody({ external_id: 'taken' }));
      const { status, body } = await post({ external_id: 'taken', business_identifiers: [VAT] });
      expect([status, body.reason]).toEqual([409, 'EXTERNAL_ID_ALREADY_EXISTS']);
      expect((await world.get('/v1/buyers/taken')).text).toBe(first.text);
    });
  });
});
