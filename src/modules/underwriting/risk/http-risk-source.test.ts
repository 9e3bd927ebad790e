import { afterEach, describe, expect, it } from 'vitest';
import type { RiskRequest, RiskSource } from '#kernel/risk-source';
import {
  expiredCertificate,
  receiverCertificate,
  selfSignedCertificate,
  testAuthority,
  wrongHostCertificate,
} from '#test/certificates';
import { type ManualClock, manualClock } from '#test/manual-clock';
import {
  answers,
  type Behaviour,
  cutOff,
  garbage,
  huge,
  json,
  type RegistryServers,
  reset,
  silent,
  startRegistryServers,
} from '#test/registry-servers';
import { createRiskSource, type RiskDeps } from './http-risk-source.ts';
import { localRiskSource } from './risk-source.ts';

const NOW = 1_763_640_000;
const REQUEST: RiskRequest = {
  subject: 'FACILITY_CREATION',
  buyer: {
    external_id: 'cafe',
    legal_name: 'Café Morgenrot eG',
    legal_form: 'COOPERATIVE',
    business_identifiers: [{ type: 'VAT_ID', value: 'DE136695976', country: 'DE' }],
    business_address: {
      street: null,
      house: null,
      additional: null,
      postcode: '10435',
      city: 'Berlin',
      country: 'DE',
    },
    incorporated_at: null,
  },
  currency: 'EUR',
  requested_amount: 1_000_000,
  existing_limit: null,
  existing_exposure: 0,
};

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

interface RunningSource {
  source: RiskSource;
  servers: RegistryServers;
  clock: ManualClock;
  logged: string[];
  behave(behaviour: Behaviour): void;
}

/** A risk source with a local server whose behaviour the test sets. */
async function requested(
  behaviour: Behaviour,
  more: { tls?: { key: string; cert: string }; extraCa?: string; timeoutMs?: number } = {},
): Promise<RunningSource> {
  const servers = await startRegistryServers(more.tls);
  cleanUps.push(() => servers.close());
  servers.behave('vies', behaviour);
  const clock = manualClock();
  const logged: string[] = [];
  const log = (facts: unknown, message?: string) => void logged.push(`${message} ${JSON.stringify(facts)}`);
  const source = createRiskSource(
    {
      riskUrl: `${servers.url('vies')}/assessments`,
      riskApiKey: 'invented-risk-key',
      ...(more.extraCa !== undefined && { extraCa: more.extraCa }),
    },
    {
      clock,
      log: { info: log, warn: log } as RiskDeps['log'],
      ...(more.timeoutMs !== undefined && { timeoutMs: more.timeoutMs }),
    },
  );
  cleanUps.push(() => source.close());
  return { source, servers, clock, logged, behave: (next) => servers.behave('vies', next) };
}

const SCORED = json({ score: 62, data: { model: '2025-03', filings: 4, is_listed: false }, at: NOW - 60 });

describe('a risk source behind HTTP', () => {
  it('gets one POST with the key, and its score and facts are used', async () => {
    const { source, servers } = await requested(SCORED);
    expect(await source.assess(REQUEST, NOW)).toEqual({
      score: 62,
      data: { model: '2025-03', filings: 4, is_listed: false },
      at: NOW - 60,
    });
    const [request] = servers.requests;
    expect(servers.requests).toHaveLength(1);
    expect(request).toMatchObject({ method: 'POST', path: '/assessments' });
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer invented-risk-key',
      'content-type': 'application/json',
    });
    expect(JSON.parse(request?.body ?? '')).toEqual(REQUEST);
  });

  it('may have no data; the time of the answer is then now', async () => {
    const { source } = await requested(json({ score: null }));
    expect(await source.assess(REQUEST, NOW)).toEqual({ score: null, data: {}, at: NOW });
  });

  it('is believed over TLS, where its authority is', async () => {
    const tls = { tls: receiverCertificate };
    const trusting = await requested(SCORED, { ...tls, extraCa: testAuthority });
    expect(await trusting.source.assess(REQUEST, NOW)).toMatchObject({ score: 62 });
    const { source } = await requested(SCORED, tls);
    await expect(source.assess(REQUEST, NOW)).rejects.toMatchObject({ kind: 'TLS' });
  });

  it.each([
    ['expired', expiredCertificate],
    ['self-signed', selfSignedCertificate],
    ['of another host', wrongHostCertificate],
  ])('is not believed with a certificate that is %s', async (_what, tls) => {
    const { source } = await requested(SCORED, { tls, extraCa: testAuthority });
    await expect(source.assess(REQUEST, NOW)).rejects.toMatchObject({ kind: 'TLS' });
  });
});

const manyFacts = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`fact_${index}`, index]));
const FAILURES: [string, Behaviour, string][] = [
  ['500', answers(500), 'SERVER_ERROR'],
  ['500 with an answer', answers(500, '{"score":100}'), 'SERVER_ERROR'],
  ['401', answers(401), 'REFUSED'],
  ['404', answers(404, '{"score":100}'), 'REFUSED'],
  ['429', answers(429), 'REFUSED'],
  ['202', answers(202, '{"score":100}'), 'REFUSED'],
  ['204', answers(204), 'REFUSED'],
  ['a redirect', answers(302, '', { location: 'http://127.0.0.1:9/' }), 'REFUSED'],
  ['a page for people', garbage, 'PROTOCOL'],
  ['nothing', answers(200), 'PROTOCOL'],
  ['half a value', answers(200, '{"score":'), 'PROTOCOL'],
  ['a list', json([{ score: 50 }]), 'PROTOCOL'],
  ['no score', json({ data: {} }), 'PROTOCOL'],
  ['a score as text', json({ score: '62' }), 'PROTOCOL'],
  ['a score of a half', json({ score: 62.5 }), 'PROTOCOL'],
  ['a score above 100', json({ score: 101 }), 'PROTOCOL'],
  ['a score below 0', json({ score: -1 }), 'PROTOCOL'],
  ['facts within facts', json({ score: 1, data: { a: { b: 1 } } }), 'PROTOCOL'],
  ['too many facts', json({ score: 1, data: manyFacts }), 'PROTOCOL'],
  ['a long fact', json({ score: 1, data: { a: 'x'.repeat(201) } }), 'PROTOCOL'],
  ['a strange name of a fact', json({ score: 1, data: { 'Ms. Ines': 1 } }), 'PROTOCOL'],
  ['an endless answer', huge, 'TOO_LARGE'],
  ['an answer cut off', cutOff, 'CONNECTION'],
  ['a reset', reset, 'CONNECTION'],
];

describe('no answer', () => {
  it.each(FAILURES)('is %s', async (_what, behaviour, kind) => {
    const { source, logged } = await requested(behaviour);
    await expect(source.assess(REQUEST, NOW)).rejects.toMatchObject({ name: 'RiskSourceFailed', kind });
    expect(logged).toEqual([`risk source gave no answer {"kind":"${kind}"}`]);
  });

  it('is silence beyond the time there is', async () => {
    const { source } = await requested(silent, { timeoutMs: 50 });
    await expect(source.assess(REQUEST, NOW)).rejects.toMatchObject({ kind: 'TIMEOUT' });
  });

  it('refuses the connection', async () => {
    const { source, servers } = await requested(SCORED);
    await servers.close();
    await expect(source.assess(REQUEST, NOW)).rejects.toMatchObject({ kind: 'CONNECTION' });
  });
});

describe('a source that fails', () => {
  const failing = async ({ source }: RunningSource, times: number) => {
    const kinds: string[] = [];
    for (let time = 0; time < times; time++)
      kinds.push(
        await source.assess(REQUEST, NOW).then(
          () => 'ANSWERED',
          (error) => error.kind,
        ),
      );
    return kinds;
  };

  it('is paused after five failures and tried once after the pause', async () => {
    const all = await requested(answers(500));
    expect(await failing(all, 7)).toEqual([...Array(5).fill('SERVER_ERROR'), 'CIRCUIT_OPEN', 'CIRCUIT_OPEN']);
    expect(all.servers.requests).toHaveLength(5);
    expect(all.logged.filter((line) => line.startsWith('risk source is paused'))).toHaveLength(1);
    all.clock.advance(30_000);
    expect(await failing(all, 2)).toEqual(['SERVER_ERROR', 'CIRCUIT_OPEN']);
    all.behave(SCORED);
    all.clock.advance(30_000);
    expect(await failing(all, 2)).toEqual(['ANSWERED', 'ANSWERED']);
    expect(all.logged.at(-1)).toBe('risk source answers again {}');
  });

  it('is still queried if it answers in between', async () => {
    const all = await requested(answers(500));
    for (let round = 0; round < 3; round++) {
      all.behave(answers(500));
      await failing(all, 4);
      all.behave(SCORED);
      expect(await failing(all, 1)).toEqual(['ANSWERED']);
    }
  });
});

describe('without an address', () => {
  it('returns no score without a request', async () => {
    const deps = { clock: manualClock(), log: { info: () => {}, warn: () => {} } };
    const source = createRiskSource({ riskUrl: null, riskApiKey: null }, deps as never);
    expect(source.name).toBe('LOCAL');
    expect(await source.assess(REQUEST, NOW)).toEqual({ score: null, data: {}, at: NOW });
    expect(await localRiskSource.assess(REQUEST, NOW)).toEqual({ score: null, data: {}, at: NOW });
    await source.close();
  });
});
