/** The settings of platforms in versions. Rows are never changed or deleted. */
import type { Selectable } from 'kysely';
import type { Db } from '#infra/database/database';
import type { PlatformSettingsVersions } from '#infra/database/schema';
import type { PlatformVault } from '#infra/secrets/vault';
import type { PlatformRow } from './platform.queries.ts';
import { keptSettings } from './settings-version.rules.ts';

export type PlatformSettingsVersion = Selectable<PlatformSettingsVersions>;

/** Who sets a version, when (unix seconds of the platform's clock), and why. */
export interface SettingsMadeBy {
  at: number;
  actor: string;
  /** Null if one operator was enough. */
  approvedBy: string | null;
  /** Null at the beginning of a platform. */
  reason: string | null;
}

/** The common columns of the version after the last one. It is never valid before the last one, regardless of clocks. */
export const nextSettingsVersion = (
  last: { version: number; valid_from: number } | undefined,
  { at, actor, approvedBy, reason }: SettingsMadeBy,
) => ({
  ...{ version: (last?.version ?? 0) + 1, valid_from: Math.max(at, last?.valid_from ?? 0) },
  ...{ set_by: actor, approved_by: approvedBy, reason },
});

/** Records the settings that the platform has now, in the transaction that wrote them. */
export async function insertPlatformSettings(
  db: Db,
  vault: PlatformVault,
  platform: PlatformRow,
  { at, actor, approvedBy, reason }: SettingsMadeBy,
): Promise<void> {
  const { platform_id, version } = platform;
  const last = await db
    .selectFrom('platform_settings_versions')
    .select((eb) => eb.fn.max('valid_from').as('valid_from'))
    .where('platform_id', '=', platform_id)
    .executeTakeFirst();
  // Never valid before the last version, regardless of clocks.
  const validFrom = Math.max(at, last?.valid_from ?? 0);
  await db
    .insertInto('platform_settings_versions')
    .values({
      ...{ platform_id, version, valid_from: validFrom, set_by: actor, approved_by: approvedBy, reason },
      ...keptSettings(vault, platform),
    })
    .execute();
}

/** All versions of a platform's settings, the oldest first. */
export async function listPlatformSettings(db: Db, platformId: number): Promise<PlatformSettingsVersion[]> {
  return db
    .selectFrom('platform_settings_versions')
    .selectAll()
    .where('platform_id', '=', platformId)
    .orderBy('version')
    .execute();
}

/** The version that was valid at an instant (unix seconds). */
export async function findPlatformSettings(
  db: Db,
  platformId: number,
  at: number,
): Promise<PlatformSettingsVersion | undefined> {
  return db
    .selectFrom('platform_settings_versions')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('valid_from', '<=', at)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
}
