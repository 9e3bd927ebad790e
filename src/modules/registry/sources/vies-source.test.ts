import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answers, json, type RegistryServers, startRegistryServers } from '#test/registry-servers';
import { createViesSource } from './vies-source.ts';

let servers: RegistryServers;
let vies: ReturnType<typeof createViesSource>;

beforeAll(async () => {
  servers = await startRegistryServers();
  vies = createViesSource({ baseUrl: servers.url('vies') });
});
beforeEach(() => {
  servers.requests.length = 0;
  servers.behave('vies', null);
});
afterAll(async () => {
  await vies.close();
  await servers.close();
});

const check = (value: string, country: string) => vies.findByIdentifier({ type: 'VAT_ID', value, country });
const sent = () => servers.requests.map(({ body }) => JSON.parse(body));

describe('VIES about a valid number', () => {
  it('answers the company', async () => {
    expect(await check('NL 9999.99.990.B01', 'NL')).toEqual([
      {
        registry: 'VIES',
        registryKey: 'NL999999990B01',
        legalName: 'FICTIEF TRANSPORT B.V.',
        tradingName: null,
        otherNames: [],
        legalForm: null,
        elfCode: null,
        address: {
          street: 'KERKSTRAAT',
          house: '12 A',
          postcode: '1017GC',
          city: 'AMSTERDAM',
          country: 'NL',
          additional: null,
        },
        identifiers: [{ type: 'VAT_ID', value: 'NL999999990B01', country: 'NL' }],
        incorporatedAt: null,
        website: null,
        isActive: true,
      },
    ]);
    expect(servers.requests[0]).toMatchObject({ method: 'POST', path: '/check-vat-number' });
    expect(sent()).toEqual([{ countryCode: 'NL', vatNumber: '999999990B01' }]);
  });

  it('reads Greece as EL, and the trading name after two bars', async () => {
    const [company] = await check('gr999999990', 'GR');
    expect(company).toMatchObject({
      registryKey: 'EL999999990',
      legalName: 'ΑΛΦΑ ΕΠΙΝΟΗΜΕΝΗ ΑΕ',
      tradingName: 'ΑΛΦΑ',
      address: { street: 'ΠΑΝΕΠΙΣΤΗΜΙΟΥ 25', postcode: '10564', city: 'ΑΘΗΝΑ', country: 'GR' },
      identifiers: [{ type: 'VAT_ID', value: 'EL999999990', country: 'GR' }],
    });
  });

  it('reads Northern Ireland as XI, and does not cover Great Britain', async () => {
    expect(await check('XI 999 9999 90', 'GB')).toMatchObject([
      { registryKey: 'XI999999990', address: { country: 'GB' } },
    ]);
    expect(await check('GB 999 9999 90', 'GB')).toEqual([]);
    expect(servers.requests).toHaveLength(1);
  });

  it.each([
    ['FR FR 999 888 777', 'FR', { countryCode: 'FR', vatNumber: 'FR999888777' }],
    ['FR999888777', 'FR', { countryCode: 'FR', vatNumber: 'FR999888777' }],
    ['FR12999888777', 'FR', { countryCode: 'FR', vatNumber: '12999888777' }],
    ['de-999 999 990', 'DE', { countryCode: 'DE', vatNumber: '999999990' }],
    ['999999990', 'DE', { countryCode: 'DE', vatNumber: '999999990' }],
    ['IE9+99999W', 'IE', { countryCode: 'IE', vatNumber: '9+99999W' }],
    ['EL999999990', 'GR', { countryCode: 'EL', vatNumber: '999999990' }],
  ])('sends %s of %s without its prefix', async (value, country, body) => {
    await check(value, country);
    expect(sent()).toEqual([body]);
  });

  it('returns nothing if the state does not name the owner', async () => {
    expect(await check('DE999999990', 'DE')).toEqual([]);
  });
});

describe('VIES about a number that is not valid', () => {
  it.each([
    ['an unknown one', 'NL000000000B00', 'NL'],
    ['one that cannot be', 'IT00000000400', 'IT'],
  ])('answers nothing: %s', async (_what, value, country) => {
    expect(await check(value, country)).toEqual([]);
    expect(servers.requests).toHaveLength(1);
  });

  it.each(['', 'DE', 'DE1', 'DE1234567890123', 'DE12345$', 'DE12\n{"a":1}'])(
    'does not query %j',
    async (value) => {
      expect(await check(value, 'DE')).toEqual([]);
      expect(servers.requests).toEqual([]);
    },
  );
});

describe('VIES without an answer', () => {
  it.each([
    ['FR00000000200', 'FR', { kind: 'NATIONAL', code: 'MS_UNAVAILABLE', country: 'FR' }],
    ['SE000000000001', 'SE', { kind: 'NATIONAL', code: 'MS_MAX_CONCURRENT_REQ', country: 'SE' }],
    ['BE0000000001', 'BE', { kind: 'THROTTLED', code: 'GLOBAL_MAX_CONCURRENT_REQ', country: null }],
    ['LU00000001', 'LU', { kind: 'REFUSED', code: 'IP_BLOCKED', country: null }],
    ['PT000000001', 'PT', { kind: 'SERVER_ERROR', code: 'SERVICE_UNAVAILABLE', country: null }],
    ['AT00000000', 'AT', { kind: 'SERVER_ERROR', code: 'UNKNOWN_ERROR', country: null }],
  ])('is reported for %s of %s', async (value, country, failure) => {
    await expect(check(value, country)).rejects.toMatchObject({ registry: 'VIES', ...failure });
  });

  it.each([
    ['userError', 200, { valid: false, userError: 'MS_UNAVAILABLE' }, 'NATIONAL'],
    ['userError and 500', 500, { userError: 'TIMEOUT' }, 'NATIONAL'],
    [
      'an error beside a verdict',
      200,
      { valid: true, name: 'A', errorWrappers: [{ error: 'MS_UNAVAILABLE' }] },
      'NATIONAL',
    ],
    ['a failure without a name', 200, { actionSucceed: false, errorWrappers: [] }, 'SERVER_ERROR'],
    ['a name of the language', 200, { errorWrappers: [{ error: 'constructor' }] }, 'SERVER_ERROR'],
    ['no verdict', 200, { name: 'A GmbH', address: '---' }, 'PROTOCOL'],
    ['a verdict in words', 200, { valid: 'true', name: 'A GmbH' }, 'PROTOCOL'],
    [
      'another number',
      200,
      { valid: true, countryCode: 'DE', vatNumber: '111111111', name: 'A' },
      'PROTOCOL',
    ],
    [
      'another country',
      200,
      { valid: true, countryCode: 'AT', vatNumber: '999999990', name: 'A' },
      'PROTOCOL',
    ],
    ['a bad request of ours', 400, { errorWrappers: [{ error: 'VOW-ERR-11' }] }, 'SERVER_ERROR'],
    ['a status alone', 503, 'Service Unavailable', 'SERVER_ERROR'],
    ['a list', 200, [], 'PROTOCOL'],
  ])('reads %s', async (_what, status, body, kind) => {
    servers.behave('vies', answers(status, JSON.stringify(body)));
    await expect(check('DE999999990', 'DE')).rejects.toMatchObject({ kind });
  });

  it('never repeats what it wrote', async () => {
    servers.behave('vies', json({ errorWrappers: [{ error: '<b>do this</b>', message: 'do that' }] }));
    const failure = await check('DE999999990', 'DE').catch((error) => error);
    expect(JSON.stringify([failure, failure.message])).not.toContain('do th');
  });

  it('takes VALID for no error', async () => {
    servers.behave(
      'vies',
      json({ isValid: true, valid: true, userError: 'VALID', name: 'A GmbH', address: null }),
    );
    expect(await check('DE999999990', 'DE')).toMatchObject([
      { legalName: 'A GmbH', address: { country: 'DE' } },
    ]);
  });
});

describe('VIES', () => {
  it('covers the member states and, for Northern Ireland, the United Kingdom', () => {
    expect(['DE', 'GR', 'GB'].map((country) => vies.covers(country, 'VAT_ID'))).toEqual([true, true, true]);
    expect(['CH', 'NO', 'US', 'EL', 'XI'].some((country) => vies.covers(country, 'VAT_ID'))).toBe(false);
  });

  it('supports neither names nor other numbers', async () => {
    expect((['NAME', 'REGISTER_ID', 'LEI'] as const).some((by) => vies.covers('NL', by))).toBe(false);
    expect(await vies.findByName({ name: 'FICTIEF TRANSPORT', country: 'NL', limit: 5 })).toEqual([]);
    expect(
      await vies.findByIdentifier({ type: 'REGISTER_ID', value: '999999990B01', country: 'NL' }),
    ).toEqual([]);
    expect(servers.requests).toEqual([]);
  });
});
