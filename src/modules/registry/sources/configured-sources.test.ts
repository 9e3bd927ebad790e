import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartRefused } from '#kernel/start-refused';
import { receiverCertificate, testAuthority } from '#test/certificates';
import { manualClock } from '#test/manual-clock';
import { type RegistryServers, startRegistryServers } from '#test/registry-servers';
import { createRegistrySources, type RegistrySourceSettings } from './configured-sources.ts';

const OFF: RegistrySourceSettings = {
  gleifUrl: null,
  viesUrl: null,
  companiesHouseUrl: null,
  companiesHouseApiKey: null,
  registryCa: null,
};
const deps = { clock: manualClock(), log: { info() {}, warn() {}, error() {} } };

let servers: RegistryServers;
beforeEach(async () => {
  servers = await startRegistryServers(receiverCertificate);
});
afterEach(() => servers.close());

describe('the registries that are switched on', () => {
  it('are none by default', async () => {
    const { sources, close } = createRegistrySources(OFF, deps);
    expect(sources).toEqual([]);
    await close();
  });

  it('are those with an address, the national ones first, and answer', async () => {
    const { sources, close } = createRegistrySources(
      {
        gleifUrl: servers.url('gleif'),
        viesUrl: servers.url('vies'),
        companiesHouseUrl: servers.url('companies-house'),
        companiesHouseApiKey: servers.apiKey,
        registryCa: testAuthority,
      },
      deps,
    );
    expect(sources.map(({ registry }) => registry)).toEqual(['COMPANIES_HOUSE', 'VIES', 'GLEIF']);
    const found = await Promise.all(
      sources.map((source) =>
        source.findByIdentifier({ type: 'REGISTER_ID', value: '01234567', country: 'GB' }),
      ),
    );
    expect(found.map((entries) => entries.length)).toEqual([1, 0, 1]);
    expect(sources.map((source) => source.health().circuit)).toEqual(['CLOSED', 'CLOSED', 'CLOSED']);
    await close();
  });

  it.each([
    ['an address that is none', { gleifUrl: 'gleif' }],
    ['a password in the address', { viesUrl: 'https://a:secret@example.com' }],
    ['no key', { companiesHouseUrl: 'https://example.com' }],
    ['no authority where there should be one', { gleifUrl: 'https://example.com', registryCa: 'none' }],
  ])('are refused at the start with %s', (_what, settings) => {
    const start = () => createRegistrySources({ ...OFF, ...settings }, deps);
    expect(start).toThrow(StartRefused);
    expect(start).not.toThrow(/secret/);
    expect(start).toThrow(/^[A-Z].*\.$/);
  });

  it('send at most as many requests as Companies House allows, in any five minutes', async () => {
    const clock = manualClock();
    const { sources, close } = createRegistrySources(
      {
        ...OFF,
        companiesHouseUrl: servers.url('companies-house'),
        companiesHouseApiKey: servers.apiKey,
        registryCa: testAuthority,
      },
      { ...deps, clock },
    );
    for (let second = 0; second < 300; second++) {
      const number = (offset: number) => String(10_000_000 + second * 4 + offset);
      const call = (offset: number) =>
        sources[0]
          ?.findByIdentifier({ type: 'REGISTER_ID', value: number(offset), country: 'GB' })
          .catch(() => {});
      await Promise.all([call(0), call(1), call(2), call(3)]);
      clock.advance(1_000);
    }
    expect(servers.requests.length).toBeGreaterThan(550);
    expect(servers.requests.length).toBeLessThanOrEqual(600);
    await close();
  });
});
