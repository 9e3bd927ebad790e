import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { receiverCertificate, testAuthorityPath } from '#test/certificates';
import { liveRegistries, named, numbered } from '#test/live-registries';
import { endPrograms, startProgram } from '#test/program';
import { get } from '#test/program-requests';
import { answers, type RegistryServers, startRegistryServers } from '#test/registry-servers';
import { until } from '#test/until';
import { createWorld } from '#test/world';

let servers: RegistryServers;
beforeAll(async () => {
  servers = await startRegistryServers(receiverCertificate);
});
afterEach(() => {
  for (const api of ['gleif', 'vies', 'companies-house'] as const) servers.behave(api, null);
});
afterAll(async () => {
  await endPrograms();
  await servers.close();
});

const settings = () => ({
  ...liveRegistries(servers, ['gleif', 'vies', 'companies-house']),
  REGISTRY_CA_FILE: testAuthorityPath,
});
const start = () => startProgram({ env: { ...settings(), TRADELINE_LOG_LEVEL: 'debug' } });

describe('a program that queries registries', () => {
  it('logs which registry does not answer, but neither its key nor the query', async () => {
    const program = await start();
    expect((await get(program, numbered('REGISTER_ID', '00012345', 'GB'))).body.total).toBe(1);
    for (const api of ['gleif', 'companies-house'] as const)
      servers.behave(api, answers(503, 'a sentence of theirs'));
    expect((await get(program, named('Quintessa Person', 'GB'))).status).toBe(424);
    servers.behave('companies-house', answers(401, servers.apiKey));
    expect((await get(program, numbered('REGISTER_ID', '00077777', 'GB'))).status).toBe(424);
    expect(await program.stop()).toBe(0);

    const lines = program
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    const seen = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn');
    const failed = { registry: 'GLEIF', kind: 'SERVER_ERROR', code: 'HTTP_503' };
    expect(seen).toMatchObject([
      {
        msg: 'live registries did not answer',
        registries: [{ ...failed, registry: 'COMPANIES_HOUSE' }, failed],
      },
      {
        msg: 'live registries did not answer',
        registries: [{ registry: 'COMPANIES_HOUSE', kind: 'REFUSED', code: 'HTTP_401' }, failed],
      },
    ]);
    const basic = Buffer.from(`${servers.apiKey}:`).toString('base64');
    for (const secret of [servers.apiKey, basic, 'Quintessa', '00077777', 'a sentence of theirs'])
      expect(program.output()).not.toContain(secret);
  });

  it('stops while a registry is silent', async () => {
    const program = await start();
    await get(program, named('Nordlicht Werkzeugbau', 'DE'));
    servers.behave('vies', () => {});
    const requested = servers.requests.length;
    const search = get(program, numbered('VAT_ID', 'NL999999990B01', 'NL')).catch(() => 'cut off');
    await servers.arrived(requested + 1);
    expect(await program.stop()).toBe(0);
    // Requests in progress have 5 s to end. A response would show that the registry's 8 s were waited for.
    expect(await search).toBe('cut off');
    expect(program.output()).not.toContain('"level":"error"');
  });

  it('closes the connections it kept as soon as it stops', async () => {
    const world = await createWorld({ settings: settings() });
    expect((await world.get(named('Nordlicht Werkzeugbau', 'DE'))).body.total).toBe(1);
    expect(servers.connectionsOpen()).toBe(1);
    await world.close();
    const closedAtMs = performance.now();
    await until(() => servers.connectionsOpen() === 0);
    // By themselves they would stay open for 4 s.
    expect(performance.now() - closedAtMs).toBeLessThan(3_000);
  });
});
