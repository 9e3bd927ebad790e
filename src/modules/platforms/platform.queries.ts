import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { gathered } from '#infra/database/gather';
import { type NewRowOf, type RowOf, table } from '#infra/database/table';
import { unnestRows } from '#infra/database/unnest-rows';
import { SETTING_COLUMNS, type SettingColumn } from './platform-settings.rules.ts';

export const platformsTable = table('platforms', {
  platform_id: 'int',
  code: 'text',
  version: 'int',
  created_at: 'bigint',
  disabled_at: 'bigint',
  relocating_since: 'bigint',
  exported_snapshot: 'text',
  country: 'text',
  currency: 'text',
  is_single_merchant: 'boolean',
  return_secret_generation: 'int',
  ...SETTING_COLUMNS,
  data_key_wrapped: 'bytea',
  clock_ahead_seconds: 'bigint',
  clock_moving_until: 'timestamptz',
});

export type PlatformRow = RowOf<typeof platformsTable>;
type NewPlatformRow = NewRowOf<typeof platformsTable>;

const unnestIds = unnestRows<number>('k', { platform_id: ['int', (id) => id] });

/** Platforms in the order of the ids; undefined for an unknown one. */
export async function findPlatforms(db: Db, platformIds: number[]): Promise<(PlatformRow | undefined)[]> {
  const { rows } = await sql<PlatformRow>`
    select p.* from ${unnestIds([...new Set(platformIds)])}
    cross join lateral (select * from platforms where platform_id = k.platform_id offset 0) p`.execute(db);
  const byId = new Map(rows.map((row) => [row.platform_id, row]));
  return platformIds.map((id) => byId.get(id));
}

export const findPlatform = gathered(findPlatforms);

export async function findPlatformByCode(db: Db, code: string): Promise<PlatformRow | undefined> {
  return db.selectFrom('platforms').selectAll().where('code', '=', code).executeTakeFirst();
}

/** The oldest platform; undefined in an empty installation. */
export async function findFirstPlatform(db: Db): Promise<PlatformRow | undefined> {
  return db.selectFrom('platforms').selectAll().orderBy('platform_id').limit(1).executeTakeFirst();
}

export async function listPlatforms(db: Db): Promise<PlatformRow[]> {
  return db.selectFrom('platforms').selectAll().orderBy('platform_id').execute();
}

/** Inserts a platform; undefined if the code is taken. */
export async function insertPlatform(db: Db, platform: NewPlatformRow): Promise<PlatformRow | undefined> {
  return db
    .insertInto('platforms')
    .values(platformsTable.insertable(platform))
    .onConflict((oc) => oc.column('code').doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Locks the platform against other changes of operators until the transaction ends. Rows that name it can be inserted. */
export async function lockPlatform(db: Db, platformId: number): Promise<void> {
  await db
    .selectFrom('platforms')
    .select('platform_id')
    .where('platform_id', '=', platformId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** The columns that an operator can change. */
export type PlatformChanges = Partial<Pick<PlatformRow, SettingColumn>>;

/** Writes the given columns and the next version. */
export async function updatePlatform(
  db: Db,
  platformId: number,
  changes: PlatformChanges,
): Promise<PlatformRow> {
  return db
    .updateTable('platforms')
    .set((eb) => ({ ...changes, version: eb('version', '+', 1) }))
    .where('platform_id', '=', platformId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Disables the platform from `at` (unix seconds); null enables it. Returns false if nothing changed. */
export async function setPlatformDisabled(db: Db, platformId: number, at: number | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('platforms')
    .set({ disabled_at: at })
    .where('platform_id', '=', platformId)
    .where('disabled_at', at === null ? 'is not' : 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Replaces the secret that signs return URLs. Older signatures no longer verify. */
export async function renewReturnSecret(db: Db, platformId: number): Promise<PlatformRow> {
  return db
    .updateTable('platforms')
    .set((eb) => ({ return_secret_generation: eb('return_secret_generation', '+', 1) }))
    .where('platform_id', '=', platformId)
    .returningAll()
    .executeTakeFirstOrThrow();
}
