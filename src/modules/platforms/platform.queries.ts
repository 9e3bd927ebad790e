import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db } from '#infra/database';
import { gathered } from '#infra/gather';
import type { Platforms } from '#infra/schema';

export type PlatformRow = Selectable<Platforms>;

/** In the order of the ids; undefined where there is no such platform. */
export async function findPlatforms(db: Db, platformIds: number[]): Promise<(PlatformRow | undefined)[]> {
  const { rows } = await sql<PlatformRow>`
    select * from platforms where platform_id = any(${[...new Set(platformIds)]})`.execute(db);
  const byId = new Map(rows.map((row) => [row.platform_id, row]));
  return platformIds.map((id) => byId.get(id));
}

export const findPlatform = gathered(findPlatforms);

export async function findPlatformByCode(db: Db, code: string): Promise<PlatformRow | undefined> {
  return db.selectFrom('platforms').selectAll().where('code', '=', code).executeTakeFirst();
}

/** The first one made, or undefined in an empty installation. */
export async function findFirstPlatform(db: Db): Promise<PlatformRow | undefined> {
  return db.selectFrom('platforms').selectAll().orderBy('platform_id').limit(1).executeTakeFirst();
}

export async function listPlatforms(db: Db): Promise<PlatformRow[]> {
  return db.selectFrom('platforms').selectAll().orderBy('platform_id').execute();
}

/** Undefined where the code is taken. */
export async function insertPlatform(
  db: Db,
  platform: Insertable<Platforms>,
): Promise<PlatformRow | undefined> {
  return db
    .insertInto('platforms')
    .values(platform)
    .onConflict((oc) => oc.column('code').doNothing())
    .returningAll()
    .executeTakeFirst();
}
