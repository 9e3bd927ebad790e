import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { isNotRelocating } from '#infra/database/each-platform';
import { gathered } from '#infra/database/gather';
import { type NewRowOf, type RowOf, table, textList } from '#infra/database/table';
import { unnestRows } from '#infra/database/unnest-rows';
import type { Scope } from '#kernel/api-key';

export const apiKeysTable = table('api_keys', {
  platform_id: 'int',
  key_id: 'text',
  name: 'text',
  secret_sha256: 'bytea',
  scopes: textList<Scope>(),
  merchant_external_id: 'text',
  created_at: 'bigint',
  expires_at: 'bigint',
  revoked_at: 'bigint',
  last_used_at: 'bigint',
});

/** A key, with the columns of its platform that a caller needs. */
export interface ApiKeyRow extends RowOf<typeof apiKeysTable> {
  platform_code: string;
  data_key_wrapped: Buffer;
  time_zone: string;
  clock_ahead_seconds: number;
  /** When the platform was disabled, in unix seconds; null if it is enabled. */
  disabled_at: number | null;
  /** Since when the platform relocates, in unix seconds; null if it does not. */
  relocating_since: number | null;
}

/** API keys in the order of the ids; undefined for an unknown id. Reads across platforms, because the key determines the tenant. */
export async function findApiKeys(db: Db, keyIds: string[]): Promise<(ApiKeyRow | undefined)[]> {
  const { rows } = await sql<ApiKeyRow>`
    select k.*, p.code as platform_code, p.data_key_wrapped, p.time_zone, p.clock_ahead_seconds, p.disabled_at,
      p.relocating_since
    from api_keys k join platforms p on p.platform_id = k.platform_id
    where k.key_id = any(${keyIds})`.execute(db);
  const byId = new Map(rows.map((row) => [row.key_id, row]));
  return keyIds.map((id) => byId.get(id));
}

export const findApiKey = gathered(findApiKeys);

export async function listApiKeys(db: Db, platformId: number): Promise<RowOf<typeof apiKeysTable>[]> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('platform_id', '=', platformId)
    .orderBy('created_at')
    .orderBy('key_id')
    .$castTo<RowOf<typeof apiKeysTable>>()
    .execute();
}

/** Inserts an API key. Returns false if the id is taken. */
export async function insertApiKey(db: Db, key: NewRowOf<typeof apiKeysTable>): Promise<boolean> {
  const result = await db
    .insertInto('api_keys')
    .values(apiKeysTable.insertable(key))
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Revokes the key at `at` (unix seconds), unless it is already revoked. Returns false for an unknown key. */
export async function revokeApiKey(db: Db, platformId: number, keyId: string, at: number): Promise<boolean> {
  const result = await db
    .updateTable('api_keys')
    .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(at)) }))
    .where('platform_id', '=', platformId)
    .where('key_id', '=', keyId)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Lets the key expire at `at` (unix seconds), unless it expires sooner: the end of a rotation. Returns false for an unknown key. */
export async function expireApiKey(db: Db, platformId: number, keyId: string, at: number): Promise<boolean> {
  const result = await db
    .updateTable('api_keys')
    .set((eb) => ({ expires_at: eb.fn<number>('least', ['expires_at', eb.val(at)]) }))
    .where('platform_id', '=', platformId)
    .where('key_id', '=', keyId)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

interface KeyUse {
  platformId: number;
  keyId: string;
  /** Unix seconds. */
  at: number;
}

const unnestUses = unnestRows<KeyUse>('u', {
  platform_id: ['int', 'platformId'],
  key_id: ['text', 'keyId'],
  at: ['bigint', 'at'],
});

/** Records when keys of all platforms were last used; the latest of several processes counts. Skips platforms that relocate. */
export async function touchApiKeys(db: Db, uses: KeyUse[]): Promise<void> {
  await sql`
    update api_keys k set last_used_at = greatest(k.last_used_at, u.at)
    from ${unnestUses(uses)}
    where k.platform_id = u.platform_id and k.key_id = u.key_id
      and ${isNotRelocating('k.platform_id')}`.execute(db);
}
