/** Resolves an `Authorization` header to its caller. */
import type { Db } from '#infra/database/database';
import type { Vault } from '#infra/secrets/vault';
import type { Clock } from '#infra/time/clock';
import type { PlatformClocks } from '#infra/time/platform-clocks';
import { type ApiKeyText, type Environment, hashSecret, readBearerKey, secretMatches } from '#kernel/api-key';
import type { Caller } from '#operation/caller';
import { type ApiKeyRow, findApiKey, touchApiKeys } from './api-key.queries.ts';

/** How long a key is cached, and a revoked key still works: below the promised 5 s. */
const CACHE_TTL_MS = 3_000;
const CACHE_SIZE_MAX = 10_000;

interface Cached {
  row: ApiKeyRow | undefined;
  /** Made at the first admission. */
  caller: Caller | null;
  readAtMs: number;
}

export interface Authenticator {
  /** The caller of a header; null for any invalid key. Returns a promise only if the database is queried. */
  authenticate(authorization: string | undefined): Caller | null | Promise<Caller | null>;
  /** Records when keys were last used. Called periodically, not for each request. */
  recordUses(): Promise<void>;
}

export function createAuthenticator(options: {
  db: Db;
  vault: Vault;
  clock: Clock;
  clocks: PlatformClocks;
  environment: Environment;
}): Authenticator {
  const { db, vault, clock, clocks, environment } = options;
  const cache = new Map<string, Cached>();
  const isFresh = ({ readAtMs }: Cached) => clock.elapsedMs() - readAtMs < CACHE_TTL_MS;
  const proven = createProvenHeaders(clock);
  const lastUses = new Map<string, { platformId: number; keyId: string; at: number }>();

  const admit = (cached: Cached): Caller | null => {
    const { row } = cached;
    const now = clock.now();
    if (!row || row.revoked_at !== null || row.disabled_at !== null) return null;
    if (row.expires_at !== null && row.expires_at <= now) return null;
    lastUses.set(row.key_id, { platformId: row.platform_id, keyId: row.key_id, at: now });
    // Only for a valid key, because opening the platform's vault takes time.
    cached.caller ??= callerOf(row, vault);
    return cached.caller;
  };

  // A key that is unknown, expired, revoked or from the other environment takes the same path as a valid one up to here: a
  // look-up and a comparison, so that the response time reveals nothing.
  const prove = (cached: Cached, { secret, environment: ofKey }: ApiKeyText, authorization: string) => {
    const isRight = secretMatches(secret, cached.row?.secret_sha256 ?? NO_SECRET);
    if (!isRight || ofKey !== environment) return null;
    const caller = admit(cached);
    if (caller) proven.add(authorization, cached);
    return caller;
  };

  const read = async (keyId: string): Promise<Cached> => {
    // Taken before the query: a slow answer is as old as its query.
    const readAtMs = clock.elapsedMs();
    const row = await findApiKey(db, keyId);
    if (row) clocks.learn(row.platform_id, row.clock_ahead_seconds);
    const cached: Cached = { row, caller: null, readAtMs };
    cache.delete(keyId);
    cache.set(keyId, cached);
    const [oldest] = cache.keys();
    if (cache.size > CACHE_SIZE_MAX && oldest !== undefined) cache.delete(oldest);
    return cached;
  };

  return {
    authenticate(authorization = '') {
      const known = proven.find(authorization);
      if (known && isFresh(known)) return admit(known);
      const key = readBearerKey(authorization);
      if (!key) return null;
      const cached = cache.get(key.keyId);
      if (cached && isFresh(cached)) return prove(cached, key, authorization);
      return read(key.keyId).then((fresh) => prove(fresh, key, authorization));
    },
    async recordUses() {
      const uses = [...lastUses.values()];
      if (uses.length === 0) return;
      await touchApiKeys(db, uses);
      // Uses that were not written, or are newer, stay for the next call.
      for (const use of uses) if (lastUses.get(use.keyId) === use) lastUses.delete(use.keyId);
    },
  };
}

const NO_SECRET = hashSecret('');

/**
 * Headers whose secret was recently verified, with their cached keys. Verifying one again would cost a tenth of a small read. No
 * secret is kept for longer than its row. The time of a look-up reveals nothing, because the map compares seeded hashes.
 */
function createProvenHeaders(clock: Pick<Clock, 'elapsedMs'>) {
  const proven = new Map<string, Cached>();
  let sinceMs = 0;
  return {
    add: (authorization: string, cached: Cached) => void proven.set(authorization, cached),
    find(authorization: string): Cached | undefined {
      const nowMs = clock.elapsedMs();
      if (nowMs - sinceMs >= CACHE_TTL_MS) {
        proven.clear();
        sinceMs = nowMs;
      }
      return proven.get(authorization);
    },
  };
}

function callerOf(row: ApiKeyRow, vault: Vault): Caller {
  return {
    platformId: row.platform_id,
    platformCode: row.platform_code,
    timeZone: row.time_zone,
    keyId: row.key_id,
    scopes: new Set(row.scopes),
    merchantExternalId: row.merchant_external_id,
    isReadOnly: row.relocating_since !== null,
    vault: vault.forPlatform(row.platform_code, row.data_key_wrapped),
  };
}
