import { describe, expect, it } from 'vitest';
import { another, byLei, byName, byVatId, guardedRegistries, kindOf, LIMITS } from '#test/guarded-registries';
import { answers, garbage, json, reset, silent } from '#test/registry-servers';
import type { GuardedSource } from './guarded-source.ts';

const registries = guardedRegistries();

describe('the circuit', () => {
  const failing = async (source: GuardedSource, count: number) => {
    for (let time = 0; time < count; time++) await kindOf(another(source));
  };

  it.each([
    ['errors', answers(500)],
    ['resets', reset],
    ['nonsense', garbage],
    ['a refused key', answers(403)],
  ])('opens after so many failures in a row: %s', async (_what, behaviour) => {
    const gleif = registries.gleif();
    registries.servers.behave('gleif', behaviour);
    await failing(gleif, 2);
    expect(gleif.health().circuit).toBe('CLOSED');
    await failing(gleif, 1);
    expect(gleif.health()).toMatchObject({ circuit: 'OPEN', retryAfterMs: LIMITS.pauseMs });
    await expect(another(gleif)).rejects.toMatchObject({
      kind: 'CIRCUIT_OPEN',
      retryAfterMs: LIMITS.pauseMs,
    });
    expect(registries.servers.requests).toHaveLength(3);
  });

  it('stays closed if an answer comes between', async () => {
    const gleif = registries.gleif();
    for (let round = 0; round < 3; round++) {
      registries.servers.behave('gleif', answers(500));
      await failing(gleif, 2);
      registries.servers.behave('gleif', null);
      await failing(gleif, 1);
    }
    expect(gleif.health()).toMatchObject({ circuit: 'CLOSED', lastFailure: { kind: 'SERVER_ERROR' } });
  });

  it('gives known answers while it is open', async () => {
    const gleif = registries.gleif();
    await byLei(gleif);
    registries.servers.behave('gleif', reset);
    await failing(gleif, 3);
    expect(await byLei(gleif)).toHaveLength(1);
  });

  it('lets one query through after the pause, and closes when it is answered', async () => {
    const gleif = registries.gleif();
    registries.servers.behave('gleif', answers(500));
    await failing(gleif, 3);
    registries.clock.advance(LIMITS.pauseMs);
    expect(gleif.health()).toMatchObject({ circuit: 'HALF_OPEN', retryAfterMs: 0 });
    registries.servers.behave('gleif', null);
    const kinds = await Promise.all([kindOf(another(gleif)), kindOf(another(gleif)), kindOf(another(gleif))]);
    expect(kinds).toEqual(['ANSWERED', 'CIRCUIT_OPEN', 'CIRCUIT_OPEN']);
    expect(gleif.health().circuit).toBe('CLOSED');
    expect(await kindOf(another(gleif))).toBe('ANSWERED');
  });

  it('opens again if the try fails, however few failures there were', async () => {
    const gleif = registries.gleif();
    registries.servers.behave('gleif', answers(429));
    await failing(gleif, 1);
    registries.servers.behave('gleif', answers(500));
    registries.clock.advance(60_000);
    await failing(gleif, 1);
    expect(gleif.health()).toMatchObject({ circuit: 'OPEN', retryAfterMs: LIMITS.pauseMs });
  });

  it('lets the trial query send all its requests', async () => {
    const gleif = registries.gleif();
    registries.servers.behave('gleif', answers(500));
    await failing(gleif, 3);
    registries.servers.behave('gleif', null);
    registries.clock.advance(LIMITS.pauseMs);
    expect(await byName(gleif, 'Nordlicht Werkzeugbu')).toHaveLength(1);
    expect(registries.servers.requests).toHaveLength(6);
  });

  it('is not in the way of what needs no request, and learns nothing from it', async () => {
    const gleif = registries.gleif();
    const needless = () => gleif.findByIdentifier({ type: 'VAT_ID', value: 'DE1', country: 'DE' });
    registries.servers.behave('gleif', answers(500));
    await failing(gleif, 2);
    expect(await needless()).toEqual([]);
    await failing(gleif, 1);
    expect(gleif.health().circuit).toBe('OPEN');
    registries.clock.advance(LIMITS.emptyTtlMs);
    expect(await needless()).toEqual([]);
    registries.clock.advance(LIMITS.pauseMs);
    expect(await needless()).toEqual([]);
    expect(gleif.health().circuit).toBe('HALF_OPEN');
  });

  it('opens again at once when the try fails', async () => {
    const gleif = registries.gleif();
    registries.servers.behave('gleif', answers(500));
    await failing(gleif, 3);
    registries.clock.advance(LIMITS.pauseMs);
    await failing(gleif, 1);
    expect(gleif.health()).toMatchObject({ circuit: 'OPEN', retryAfterMs: LIMITS.pauseMs });
    expect(registries.servers.requests).toHaveLength(4);
  });

  it('lets another one try if the limit of requests stopped the first', async () => {
    const gleif = registries.gleif({ requestBurst: 3, requestsPerMinute: 1 });
    registries.servers.behave('gleif', answers(500));
    await failing(gleif, 3);
    registries.servers.behave('gleif', null);
    registries.clock.advance(LIMITS.pauseMs);
    expect(await kindOf(another(gleif))).toBe('RATE_LIMITED');
    registries.clock.advance(LIMITS.pauseMs);
    expect(await kindOf(another(gleif))).toBe('ANSWERED');
    expect(gleif.health().circuit).toBe('CLOSED');
  });

  it.each([
    ['as long as the registry says', '120', 120_000],
    ['a minute where it says nothing', null, 60_000],
    ['a quarter of an hour at most', '86400', 900_000],
  ])('opens at the first "too often", for %s', async (_what, retryAfter, pauseMs) => {
    const gleif = registries.gleif();
    registries.servers.behave(
      'gleif',
      answers(429, '', retryAfter === null ? {} : { 'retry-after': retryAfter }),
    );
    expect(await kindOf(another(gleif))).toBe('THROTTLED');
    expect(gleif.health()).toMatchObject({ circuit: 'OPEN', retryAfterMs: pauseMs });
    registries.servers.behave('gleif', null);
    registries.clock.advance(pauseMs - 1);
    expect(await kindOf(another(gleif))).toBe('CIRCUIT_OPEN');
    registries.clock.advance(1);
    expect(await kindOf(another(gleif))).toBe('ANSWERED');
  });

  it('is logged when it opens and when it closes, without the query', async () => {
    const gleif = registries.gleif();
    registries.servers.behave('gleif', answers(503, 'their words'));
    await failing(gleif, 4);
    registries.servers.behave('gleif', null);
    registries.clock.advance(LIMITS.pauseMs);
    await failing(gleif, 2);
    expect(registries.logged).toEqual([
      {
        level: 'warn',
        facts: { registry: 'GLEIF', kind: 'SERVER_ERROR', code: 'HTTP_503', retry_after_ms: 30_000 },
        message: 'registry source is paused',
      },
      { level: 'info', facts: { registry: 'GLEIF' }, message: 'registry source answers again' },
    ]);
  });

  it('is not moved by what began before it opened', async () => {
    const gleif = registries.gleif();
    registries.servers.behave('gleif', silent);
    const late = another(gleif);
    await registries.servers.arrived(1);
    registries.servers.behave('gleif', answers(500));
    await failing(gleif, 3);
    registries.clock.advance(LIMITS.timeoutMs);
    expect(await kindOf(late)).toBe('TIMEOUT');
    expect(gleif.health().retryAfterMs).toBe(LIMITS.pauseMs - LIMITS.timeoutMs);
  });
});

describe('a country whose own registry is away', () => {
  it('is not queried, while the others are', async () => {
    const vies = registries.vies();
    const french = (last: number) => kindOf(byVatId(vies, `FR0000000020${last}`));
    registries.servers.behave('vies', json({ errorWrappers: [{ error: 'MS_UNAVAILABLE' }] }));
    expect([await french(1), await french(2), await french(3)]).toEqual(['NATIONAL', 'NATIONAL', 'NATIONAL']);
    registries.servers.behave('vies', null);
    expect(await french(4)).toBe('CIRCUIT_OPEN');
    expect(await kindOf(byVatId(vies, 'NL999999990B01'))).toBe('ANSWERED');
    expect(vies.health()).toMatchObject({ circuit: 'CLOSED', countriesDown: ['FR'] });
    registries.clock.advance(LIMITS.pauseMs);
    expect(await french(5)).toBe('ANSWERED');
    expect(vies.health().countriesDown).toEqual([]);
  });

  it('is no failure of the whole, which others may have between', async () => {
    const vies = registries.vies();
    registries.servers.behave('vies', answers(500));
    await kindOf(byVatId(vies, 'NL999999990B01'));
    await kindOf(byVatId(vies, 'NL999999990B02'));
    registries.servers.behave('vies', null);
    expect(await kindOf(byVatId(vies, 'FR00000000200'))).toBe('NATIONAL');
    registries.servers.behave('vies', answers(500));
    await kindOf(byVatId(vies, 'NL999999990B03'));
    expect(vies.health().circuit).toBe('CLOSED');
  });
});
