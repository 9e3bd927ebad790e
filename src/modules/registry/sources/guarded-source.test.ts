import { describe, expect, it } from 'vitest';
import { another, byLei, byName, byVatId, guardedRegistries, kindOf, LIMITS } from '#test/guarded-registries';
import { LEI } from '#test/registry-lei-records';
import { answers, garbage, reset, silent } from '#test/registry-servers';
import { createGleifSource } from './gleif-source.ts';
import { guardSource } from './guarded-source.ts';
import type { RegistrySource } from './registry-source.ts';

const registries = guardedRegistries();

describe('what a guard passes on', () => {
  it('is the source itself: its name, its countries and its answers', async () => {
    const vies = registries.vies();
    expect([vies.registry, vies.covers('DE', 'VAT_ID'), vies.covers('US', 'VAT_ID')]).toEqual([
      'VIES',
      true,
      false,
    ]);
    expect(await byVatId(vies, 'NL999999990B01')).toMatchObject([{ legalName: 'FICTIEF TRANSPORT B.V.' }]);
    expect(await byName(registries.gleif(), 'nordlicht')).toMatchObject([{ registryKey: LEI.german }]);
  });

  it('is nothing for a country that the source does not cover', async () => {
    expect(await byVatId(registries.vies(), 'US999999990')).toEqual([]);
    const query = { name: 'A', country: 'US', limit: 1 };
    expect(await registries.vies().findByName(query)).toEqual([]);
    expect(registries.servers.requests).toEqual([]);
  });
});

describe('cached answers', () => {
  it('are given again until their time is over', async () => {
    const gleif = registries.gleif();
    const first = await byLei(gleif);
    registries.clock.advance(LIMITS.foundTtlMs - 1);
    expect(await byLei(gleif)).toEqual(first);
    expect(registries.servers.requests).toHaveLength(1);
    registries.clock.advance(1);
    expect(await byLei(gleif)).toEqual(first);
    expect(registries.servers.requests).toHaveLength(2);
  });

  it('are forgotten sooner if there was no company', async () => {
    const gleif = registries.gleif();
    expect(await byLei(gleif, '5299000000INVENTED00')).toEqual([]);
    registries.clock.advance(LIMITS.emptyTtlMs - 1);
    await byLei(gleif, '5299000000INVENTED00');
    expect(registries.servers.requests).toHaveLength(1);
    registries.clock.advance(1);
    await byLei(gleif, '5299000000INVENTED00');
    expect(registries.servers.requests).toHaveLength(2);
  });

  it('are shared by queries that differ in case and spaces only', async () => {
    const gleif = registries.gleif();
    await byName(gleif, 'Nordlicht  Werkzeugbau');
    await byName(gleif, ' nordlicht werkzeugbau ');
    expect(registries.servers.requests).toHaveLength(1);
    await byName(gleif, 'nordlicht werkzeugbau', 5);
    await byName(gleif, 'nordlicht tools');
    await gleif.findByIdentifier({ type: 'LEI', value: LEI.german, country: 'AT' });
    expect(registries.servers.requests).toHaveLength(4);
  });

  it('cannot be changed by who received them', async () => {
    const gleif = registries.gleif();
    for (let time = 0; time < 3; time++) {
      const [company] = await byLei(gleif);
      expect(company).toMatchObject({ legalName: 'Nordlicht Werkzeugbau GmbH', address: { city: 'Berlin' } });
      if (company) Object.assign(company, { legalName: 'Changed' }).address.city = 'Elsewhere';
    }
    expect(registries.servers.requests).toHaveLength(1);
  });

  it('are limited in number, and the least recently used one is evicted', async () => {
    const gleif = registries.gleif({ companiesCachedMax: 3 });
    await byLei(gleif);
    await byLei(gleif, LEI.duplicate);
    await byLei(gleif, '5299000000INVENTED00');
    expect(gleif.health().companiesCached).toBe(3);
    await byLei(gleif);
    await byLei(gleif, '5299000000INVENTED98');
    expect(gleif.health().companiesCached).toBe(3);
    registries.servers.requests.length = 0;
    await byLei(gleif);
    expect(registries.servers.requests).toEqual([]);
    await byLei(gleif, LEI.duplicate);
    expect(registries.servers.requests).toHaveLength(1);
  });

  it('never are failures', async () => {
    const gleif = registries.gleif();
    registries.servers.behave('gleif', answers(500));
    expect(await kindOf(byLei(gleif))).toBe('SERVER_ERROR');
    registries.servers.behave('gleif', null);
    expect(await byLei(gleif)).toHaveLength(1);
  });
});

describe('concurrent identical queries', () => {
  it('is sent once, and each caller gets its own copy of the answer', async () => {
    const gleif = registries.gleif();
    const found = await Promise.all([byLei(gleif), byLei(gleif), byLei(gleif, LEI.german.toLowerCase())]);
    expect(registries.servers.requests).toHaveLength(1);
    expect(new Set(found.map(([company]) => company?.legalName))).toEqual(
      new Set(['Nordlicht Werkzeugbau GmbH']),
    );
    expect(new Set(found.map(([company]) => company)).size).toBe(3);
  });

  it('is answered from the cache as soon as the first answer has arrived', async () => {
    const gleif = registries.gleif();
    const again = () => byLei(gleif);
    await Promise.all([again().then(again), again().then(again)]);
    expect(registries.servers.requests).toHaveLength(1);
  });

  it('fails for all callers, and is sent again afterwards', async () => {
    const gleif = registries.gleif();
    registries.servers.behave('gleif', reset);
    expect(await Promise.all([kindOf(byLei(gleif)), kindOf(byLei(gleif))])).toEqual([
      'CONNECTION',
      'CONNECTION',
    ]);
    expect(registries.servers.requests).toHaveLength(1);
    expect(gleif.health().callsUnderWay).toBe(0);
    registries.servers.behave('gleif', null);
    expect(await byLei(gleif)).toHaveLength(1);
  });
});

describe('the total time', () => {
  it('ends a query and its request', async () => {
    const gleif = registries.gleif();
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    registries.servers.behave('gleif', (_request, response) => void response.on('close', close));
    const calling = byLei(gleif);
    await registries.servers.arrived(1);
    expect(gleif.health().callsUnderWay).toBe(1);
    registries.clock.advance(LIMITS.timeoutMs - 1);
    expect(gleif.health().callsUnderWay).toBe(1);
    registries.clock.advance(1);
    await expect(calling).rejects.toMatchObject({ registry: 'GLEIF', kind: 'TIMEOUT' });
    expect(gleif.health()).toMatchObject({
      callsUnderWay: 0,
      lastFailure: { kind: 'TIMEOUT', code: 'DEADLINE' },
    });
    await closed;
  });

  it('covers all requests of a query together', async () => {
    const gleif = registries.gleif();
    let answered = 0;
    registries.servers.behave('gleif', (_request, response) => {
      registries.clock.advance(LIMITS.timeoutMs / 2);
      answered++;
      response.end('{"data":[]}');
    });
    expect(await kindOf(byName(gleif, 'nobody at all'))).toBe('TIMEOUT');
    expect(answered).toBe(2);
  });

  it('leaves no timer behind an answer', async () => {
    const gleif = registries.gleif();
    await byLei(gleif);
    registries.servers.behave('gleif', garbage);
    await kindOf(another(gleif));
    expect(registries.clock.scheduled()).toBe(0);
  });

  it('ends a query to a source that ignores it', async () => {
    const deaf: RegistrySource = {
      registry: 'DEAF',
      covers: () => true,
      findByIdentifier: () => new Promise(() => {}),
      findByName: () => new Promise(() => {}),
    };
    const source = registries.guard(deaf);
    const calling = byName(source, 'anybody');
    registries.clock.advance(LIMITS.timeoutMs);
    await expect(calling).rejects.toMatchObject({ registry: 'DEAF', kind: 'TIMEOUT' });
  });

  it('lets no request begin after it', async () => {
    const slow = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<unknown>();
    const late: RegistrySource = {
      registry: 'LATE',
      covers: () => true,
      findByIdentifier: async () => [],
      async findByName(_query, call) {
        await slow.promise;
        try {
          call?.beforeRequest();
        } catch (error) {
          refused.resolve(error);
        }
        return [];
      },
    };
    const calling = byName(registries.guard(late), 'anybody');
    registries.clock.advance(LIMITS.timeoutMs);
    expect(await kindOf(calling)).toBe('TIMEOUT');
    slow.resolve();
    expect(await refused.promise).toMatchObject({ kind: 'TIMEOUT' });
  });

  it('is kept by Node without another timer', async () => {
    const { clock, servers } = registries;
    const log = { info() {}, warn() {}, error() {} };
    const source = createGleifSource({ baseUrl: servers.url('gleif') });
    servers.behave('gleif', silent);
    const limits = { ...LIMITS, timeoutMs: 20 };
    expect(await kindOf(byLei(guardSource(source, limits, { clock, log })))).toBe('TIMEOUT');
    await source.close();
  });
});

describe('the limit of requests', () => {
  it('refuses requests above it at once, and accepts them again later', async () => {
    const gleif = registries.gleif({ requestBurst: 2, requestsPerMinute: 30 });
    await another(gleif);
    await another(gleif);
    await expect(another(gleif)).rejects.toMatchObject({ kind: 'RATE_LIMITED', retryAfterMs: 2_000 });
    registries.clock.advance(1_999);
    expect(await kindOf(another(gleif))).toBe('RATE_LIMITED');
    registries.clock.advance(1);
    expect(await kindOf(another(gleif))).toBe('ANSWERED');
    expect(registries.servers.requests).toHaveLength(3);
  });

  it('never lets more pass at once than its burst', async () => {
    const gleif = registries.gleif({ requestBurst: 2 });
    registries.clock.advance(3_600_000);
    const kinds = await Promise.all(Array.from({ length: 5 }, () => kindOf(another(gleif))));
    expect(kinds.sort()).toEqual(['ANSWERED', 'ANSWERED', 'RATE_LIMITED', 'RATE_LIMITED', 'RATE_LIMITED']);
  });

  it('counts each request of a query', async () => {
    const gleif = registries.gleif({ requestBurst: 2 });
    expect(await kindOf(byName(gleif, 'Nordlicht Werkzeugbu'))).toBe('RATE_LIMITED');
    expect(registries.servers.requests).toHaveLength(2);
  });

  it('costs nothing for what is known or under way, and is no failure', async () => {
    const gleif = registries.gleif({ requestBurst: 1, failuresMax: 1 });
    await gleif.findByIdentifier({ type: 'VAT_ID', value: 'DE999999990', country: 'DE' });
    await Promise.all([byLei(gleif), byLei(gleif)]);
    await byLei(gleif);
    expect(await kindOf(another(gleif))).toBe('RATE_LIMITED');
    expect(gleif.health()).toMatchObject({ circuit: 'CLOSED', lastFailure: null });
    expect(await byLei(gleif)).toHaveLength(1);
  });
});

describe('a defective source', () => {
  it('is unavailable, and its defect is only logged', async () => {
    const defect = new TypeError('Cannot read the secret');
    const defective: RegistrySource = {
      registry: 'DEFECTIVE',
      covers: () => true,
      findByIdentifier: () => {
        throw defect;
      },
      // A third-party source may return anything.
      findByName: async () => null as never,
    };
    const source = registries.guard(defective);
    const failure = await byLei(source).catch((error) => error);
    expect(failure).toMatchObject({ name: 'RegistryUnavailable', kind: 'PROTOCOL', code: 'DEFECT' });
    expect(failure.message).toBe('The registry DEFECTIVE is unavailable: its answer cannot be read.');
    expect(failure.cause).toBeUndefined();
    expect(registries.logged).toMatchObject([
      { level: 'error', facts: { registry: 'DEFECTIVE', err: defect } },
    ]);
    expect(await kindOf(byName(source, 'anybody'))).toBe('PROTOCOL');
  });

  it('cannot give more than was wanted', async () => {
    const gleif = createGleifSource({ baseUrl: registries.servers.url('gleif') });
    const generous: RegistrySource = {
      ...gleif,
      findByName: (query, call) => gleif.findByName({ ...query, limit: 100 }, call),
    };
    expect(await byName(registries.guard(generous), 'GmbH', 1)).toHaveLength(1);
  });
});
