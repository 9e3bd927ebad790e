import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { liveRegistries } from '#test/live-registries';
import { expectProblem } from '#test/problem';
import { answers, type RegistryServers, startRegistryServers } from '#test/registry-servers';
import { createWorld, type World } from '#test/world';

const NUMBER = { type: 'REGISTER_ID', value: '00012345', country: 'GB' };

let servers: RegistryServers;
let world: World;
beforeEach(async () => {
  servers = await startRegistryServers();
  world = await createWorld({ settings: liveRegistries(servers, ['companies-house', 'gleif']) });
});
afterEach(async () => {
  await world.close();
  await servers.close();
});

const registry = (more: object = {}, headers = {}) =>
  world.post('/v1/buyers', { external_id: 'widgets', business_identifiers: [NUMBER], ...more }, { headers });

describe('a buyer with a number that is not stored', () => {
  it('has the values of the live registry, which is queried once', async () => {
    const reply = await registry({}, { 'idempotency-key': 'once' });
    expect(reply.status).toBe(201);
    expect(reply.body.legal_name).toBe('INVENTED WIDGETS LIMITED');
    expect(reply.body.registry).toMatchObject({
      registry: 'COMPANIES_HOUSE',
      business_id: 'COMPANIES_HOUSE-00012345',
    });
    const requested = servers.requests.length;
    const again = await registry({}, { 'idempotency-key': 'once' });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect((await registry({ external_id: 'another' })).status).toBe(201);
    expect(servers.requests).toHaveLength(requested);
  });

  it('is answered with 424 if no registry answers, and nothing is stored', async () => {
    for (const api of ['companies-house', 'gleif'] as const) servers.behave(api, answers(503));
    expectProblem(await registry(), 'FAILED_DEPENDENCY', 'REGISTRY_UNAVAILABLE');
    expect((await world.get('/v1/buyers/widgets')).status).toBe(404);
  });

  it('queries no registry if the request is complete', async () => {
    const whole = {
      legal_name: 'Widgets Ltd',
      legal_form: 'LIMITED_COMPANY',
      business_address: { postcode: 'LS1 1AA', city: 'Leeds', country: 'GB' },
    };
    for (const api of ['companies-house', 'gleif'] as const) servers.behave(api, answers(503));
    const reply = await registry(whole);
    expect([reply.status, reply.body.registry]).toEqual([201, null]);
    expect(servers.requests).toEqual([]);
  });
});
