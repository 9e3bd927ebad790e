import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { systemClock } from '#infra/time/clock';
import { formatApiKey, parseApiKey, randomApiKey } from '#kernel/api-key';
import { isOnCluster } from '#test/cluster';
import { createWorld, type World } from '#test/world';
import { setPlatformDisabled } from './platform.queries.ts';

/** The one answer to every well-formed key that is not valid. Other answers say what is wrong with the header. */
const UNAUTHORIZED =
  /^{"error":"Unauthorized","code":"UNAUTHORIZED","details":{"remedy":"Check the key [^"]+","docs":"[^"]+#UNAUTHORIZED"}}$/;
const NO_KEY = /^{"error":"Unauthorized","code":"UNAUTHORIZED","reason":"API_KEY_MISSING","details"/;
const MALFORMED = /^{"error":"Unauthorized","code":"UNAUTHORIZED","reason":"API_KEY_MALFORMED","details"/;

/** The same key with another last character: its checksum cannot be right. */
const mistyped = (key: string) => key.slice(0, -1) + (key.endsWith('x') ? 'y' : 'x');
const keyIdOf = (key: string) => parseApiKey(key)?.keyId as string;

describe('An API key', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_LOG_LEVEL: 'silent' } });
  });
  afterAll(() => world.close());

  const letElapse = (seconds: number) => {
    const { elapsedMs } = world.clock;
    world.clock.elapsedMs = () => elapsedMs() + seconds * 1_000;
  };
  const lookups = async (key: string) => (await world.get('/v1/platform', { key })).status;

  describe('that is not good now', () => {
    it.each<[string, RegExp, (key: string) => Record<string, string>]>([
      ['missing', NO_KEY, () => ({})],
      ['empty', NO_KEY, () => ({ authorization: '' })],
      ['without a scheme', MALFORMED, (key) => ({ authorization: key })],
      ['of another scheme', MALFORMED, (key) => ({ authorization: `Basic ${key}` })],
      ['with something behind it', MALFORMED, (key) => ({ authorization: `Bearer ${key} ${key}` })],
      ['too short', MALFORMED, (key) => ({ authorization: `Bearer ${key.slice(0, -1)}` })],
      ['of another form', MALFORMED, () => ({ authorization: 'Bearer sk_live_4eC39HqLyjWDarjtT1zdp7dc' })],
      ['of a wrong checksum', MALFORMED, (key) => ({ authorization: `Bearer ${mistyped(key)}` })],
      ['unknown', UNAUTHORIZED, () => ({ authorization: `Bearer ${formatApiKey(randomApiKey('sandbox'))}` })],
      [
        'of a known id and another secret',
        UNAUTHORIZED,
        (key) => ({
          authorization: `Bearer ${formatApiKey({ ...randomApiKey('sandbox'), keyId: keyIdOf(key) })}`,
        }),
      ],
      [
        'of the other environment',
        UNAUTHORIZED,
        (key) => ({
          authorization: `Bearer ${formatApiKey({ ...randomApiKey('production'), keyId: keyIdOf(key) })}`,
        }),
      ],
    ])('is answered with 401 when it is %s', async (_, expected, headersFor) => {
      const { status, text } = await world.get('/v1/platform', {
        key: null,
        headers: headersFor(world.apiKey),
      });
      expect({ status, text }).toEqual({ status: 401, text: expect.stringMatching(expected) });
    });

    it('is answered with the one 401 when its secret is right but its environment is not', async () => {
      const key = parseApiKey(world.apiKey);
      const twin = key && formatApiKey({ ...key, environment: 'production' });
      const { status, text } = await world.get('/v1/platform', { key: twin });
      expect({ status, text }).toEqual({ status: 401, text: expect.stringMatching(UNAUTHORIZED) });
    });

    it('is answered with the one 401 from the second it expires', async () => {
      world.clock.set(2_000_000_000);
      const key = await world.addKey({ expiresAt: 2_000_000_100 });
      world.clock.set(2_000_000_099);
      expect(await lookups(key)).toBe(200);
      world.clock.set(2_000_000_100);
      const { status, text } = await world.get('/v1/platform', { key });
      expect({ status, text }).toEqual({ status: 401, text: expect.stringMatching(UNAUTHORIZED) });
    });

    it('is answered with the one 401 within 5 s of its revocation, however busy it is', async () => {
      const key = await world.addKey();
      expect(await lookups(key)).toBe(200);
      await world.sql('update api_keys set revoked_at = created_at where key_id = $1', [keyIdOf(key)]);
      // Used in between, so that the key must be read again even if it is in use.
      letElapse(2.5);
      await lookups(key);
      letElapse(2.5);
      const { status, text } = await world.get('/v1/platform', { key });
      expect({ status, text }).toEqual({ status: 401, text: expect.stringMatching(UNAUTHORIZED) });
    });

    it('is answered with the one 401 within 5 s of its platform being disabled, until that is enabled again', async () => {
      const { platform, apiKey: key } = await world.addPlatform({ code: 'disabled' });
      const setDisabled = (at: number | null) =>
        setPlatformDisabled(world.installation.db, platform.platform_id, at);
      expect(await lookups(key)).toBe(200);
      expect(await setDisabled(1)).toBe(true);
      letElapse(5);
      const { status, text } = await world.get('/v1/platform', { key });
      expect({ status, text }).toEqual({ status: 401, text: expect.stringMatching(UNAUTHORIZED) });
      expect(await lookups(world.apiKey)).toBe(200);
      expect(await setDisabled(null)).toBe(true);
      letElapse(5);
      expect(await lookups(key)).toBe(200);
    });

    it('stays refused: a revoked key is looked up again and again, and never admitted', async () => {
      const key = await world.addKey();
      await world.sql('update api_keys set revoked_at = created_at where key_id = $1', [keyIdOf(key)]);
      expect([await lookups(key), await lookups(key)]).toEqual([401, 401]);
      letElapse(4);
      expect(await lookups(key)).toBe(401);
    });

    it.each([
      ['broken JSON', '{"external_id":', {}],
      ['a body that is too large', JSON.stringify({ text: 'x'.repeat(300_000) }), {}],
      ['a body of another type', 'external_id=b', { 'content-type': 'text/plain' }],
    ])('is refused before the body is read: %s makes no difference', async (_, body, headers) => {
      const { status, text } = await world.post('/v1/buyers', body, { key: mistyped(world.apiKey), headers });
      expect({ status, text }).toEqual({ status: 401, text: expect.stringMatching(MALFORMED) });
    });
  });

  it('is looked up alike whether it is unknown, expired, revoked or of the other environment; malformed, never', async () => {
    const revoked = await world.addKey();
    await world.sql('update api_keys set revoked_at = created_at where key_id = $1', [keyIdOf(revoked)]);
    const wellFormed = [
      formatApiKey(randomApiKey('sandbox')),
      formatApiKey(randomApiKey('production')),
      await world.addKey({ expiresAt: 1 }),
      revoked,
    ];
    await world.sql('alter table api_keys rename to api_keys_away');
    try {
      // A look-up in the missing table causes a 500, so all these keys are looked up: the response time does not tell them apart.
      for (const key of wellFormed) expect([key, await lookups(key)]).toEqual([key, 500]);
      expect(await lookups(mistyped(world.apiKey))).toBe(401);
      expect(await lookups('tl_test_nothing')).toBe(401);
    } finally {
      await world.sql('alter table api_keys_away rename to api_keys');
    }
  });

  it('is not opened with the key of its platform before it is good', async () => {
    const expired = await world.addKey({ expiresAt: 1 });
    const [{ data_key_wrapped: wrapped } = {}] = await world.sql('select data_key_wrapped from platforms');
    await world.sql("update platforms set data_key_wrapped = '\\x00'");
    try {
      // A valid key whose platform's vault does not open gets a 500. A refused key never gets that far.
      expect(await lookups(expired)).toBe(401);
    } finally {
      await world.sql('update platforms set data_key_wrapped = $1', [wrapped]);
    }
  });

  it('is one of several that work side by side, so that a rotation has no gap', async () => {
    const keys = [world.apiKey, await world.addKey(), await world.addKey({ scopes: ['read'] })];
    expect(await Promise.all(keys.map(lookups))).toEqual([200, 200, 200]);
    await world.sql('update api_keys set revoked_at = created_at where key_id = $1', [
      keyIdOf(keys[1] ?? ''),
    ]);
    letElapse(5);
    expect(await Promise.all(keys.map(lookups))).toEqual([200, 401, 200]);
  });

  it('is accepted with the scheme in upper and lower case', async () => {
    const headers = { authorization: `bearer ${world.apiKey}` };
    expect((await world.get('/v1/platform', { key: null, headers })).status).toBe(200);
  });

  it('is kept as a hash: its secret is nowhere in the database', async () => {
    const secret = parseApiKey(world.apiKey)?.secret as string;
    const [row] = await world.sql<{ whole: string; hash: Buffer }>(
      'select k::text as whole, secret_sha256 as hash from api_keys k where key_id = $1',
      [keyIdOf(world.apiKey)],
    );
    expect(row?.hash).toHaveLength(32);
    expect(row?.whole).not.toContain(secret);
    expect(row?.whole).not.toContain(Buffer.from(secret).toString('hex'));
  });
});

describe('The last use of an API key', () => {
  // The databases of a cluster are dropped with their worlds.
  it.skipIf(isOnCluster())(
    'is written at the latest when the server stops; a refused use does not count',
    async () => {
      const world = await createWorld();
      const database = (await world.sql<{ name: string }>('select current_database() as name'))[0]?.name;
      const [unused, expired] = [await world.addKey(), await world.addKey({ expiresAt: 1 })];
      world.clock.set(systemClock.now() + 1_000);
      const usedAt = world.clock.now();
      await world.get('/v1/platform');
      await world.get('/v1/platform', { key: expired });
      await world.close();

      const client = new pg.Client({ ...inject('postgres').owner, database });
      await client.connect();
      const { rows } = await client.query('select key_id, last_used_at from api_keys');
      await client.end();
      const lastUsedAt = new Map(rows.map((row) => [row.key_id, row.last_used_at]));
      expect(lastUsedAt.get(keyIdOf(world.apiKey))).toBe(String(usedAt));
      expect(lastUsedAt.get(keyIdOf(unused))).toBeNull();
      expect(lastUsedAt.get(keyIdOf(expired))).toBeNull();
    },
  );
});
