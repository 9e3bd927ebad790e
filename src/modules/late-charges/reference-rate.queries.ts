/** The versions of the reference rates that operators have updated. Rows are never changed or deleted. */
import type { Selectable } from 'kysely';
import type { Db } from '#infra/database/database';
import type { ReferenceRateVersions } from '#infra/database/schema';
import { nextSettingsVersion, type SettingsMadeBy } from '#modules/platforms';
import type { ReferenceRates } from './late-payment-law.schemas.ts';
import { shippedReferenceRates } from './late-payment-laws.ts';
import { updatedRates } from './reference-rate.rules.ts';

/** All updates of a platform up to this version, merged. */
export type ReferenceRateVersion = Omit<Selectable<ReferenceRateVersions>, 'rates'> & {
  rates: ReferenceRates;
};

const ofPlatform = (db: Db, platformId: number) =>
  db
    .selectFrom('reference_rate_versions')
    .selectAll()
    .where('platform_id', '=', platformId)
    .$castTo<ReferenceRateVersion>();

async function findLastVersion(db: Db, platformId: number): Promise<ReferenceRateVersion | undefined> {
  return ofPlatform(db, platformId).orderBy('version', 'desc').limit(1).executeTakeFirst();
}

/** Oldest first. */
export async function listReferenceRateVersions(db: Db, platformId: number): Promise<ReferenceRateVersion[]> {
  return ofPlatform(db, platformId).orderBy('version').execute();
}

/** The rates that ship with the program, with the updates by the platform's operators. */
export async function findReferenceRates(db: Db, platformId: number): Promise<ReferenceRates> {
  const last = await findLastVersion(db, platformId);
  return last ? updatedRates(shippedReferenceRates(), last.rates) : shippedReferenceRates();
}

/** Inserts the next version: the previous updates merged with this one. Lock the platform first. */
export async function insertReferenceRates(
  db: Db,
  platformId: number,
  update: ReferenceRates,
  made: SettingsMadeBy,
): Promise<void> {
  const last = await findLastVersion(db, platformId);
  await db
    .insertInto('reference_rate_versions')
    .values({
      platform_id: platformId,
      ...nextSettingsVersion(last, made),
      rates: JSON.stringify(last ? updatedRates(last.rates, update) : update),
    })
    .execute();
}
