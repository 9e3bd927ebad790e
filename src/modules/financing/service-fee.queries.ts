/** The service fees of platforms, in versions. Rows are never changed or deleted. */
import type { Selectable } from 'kysely';
import type { Db } from '#infra/database/database';
import type { ServiceFeeVersions } from '#infra/database/schema';
import { nextSettingsVersion, type PlatformRow, type SettingsMadeBy } from '#modules/platforms';
import { defaultServiceFees } from './default-service-fees.rules.ts';
import type { ServiceFees } from './service-fee.rules.ts';

/** All fees of a platform from `valid_from` on, until the next version. */
export type ServiceFeeVersion = Omit<Selectable<ServiceFeeVersions>, 'fees'> & { fees: ServiceFees };

const ofPlatform = (db: Db, platformId: number) =>
  db
    .selectFrom('service_fee_versions')
    .selectAll()
    .where('platform_id', '=', platformId)
    .$castTo<ServiceFeeVersion>();

/** The newest version, or the version in force at an instant (unix seconds); undefined before the first. */
export async function findServiceFeeVersion(
  db: Db,
  platformId: number,
  at?: number,
): Promise<ServiceFeeVersion | undefined> {
  return ofPlatform(db, platformId)
    .$if(at !== undefined, (query) => query.where('valid_from', '<=', at as number))
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Oldest first. */
export async function listServiceFeeVersions(db: Db, platformId: number): Promise<ServiceFeeVersion[]> {
  return ofPlatform(db, platformId).orderBy('version').execute();
}

/** The fees in force at an instant (unix seconds), or the default. */
export async function findServiceFees(
  db: Db,
  { platform_id, country }: Pick<PlatformRow, 'platform_id' | 'country'>,
  at: number,
): Promise<ServiceFees> {
  const version = await findServiceFeeVersion(db, platform_id, at);
  return version?.fees ?? defaultServiceFees(country);
}

/** Inserts the next version. Lock the platform first. */
export async function insertServiceFees(
  db: Db,
  platformId: number,
  fees: ServiceFees,
  made: SettingsMadeBy,
): Promise<void> {
  const last = await findServiceFeeVersion(db, platformId);
  await db
    .insertInto('service_fee_versions')
    .values({
      platform_id: platformId,
      ...nextSettingsVersion(last, made),
      fees: JSON.stringify(fees),
    })
    .execute();
}
