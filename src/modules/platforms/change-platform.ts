/** Changes of a platform, by command only. */
import type { Db } from '#infra/database/database';
import { deleteLogo, writeLogo } from './logo.queries.ts';
import { type Logo, logoPathOf } from './logo.rules.ts';
import { type PlatformChanges, type PlatformRow, updatePlatform } from './platform.queries.ts';

/** Runs in a transaction. `logo` replaces the logo, null removes it. `now` in unix seconds. */
export async function changePlatform(
  db: Db,
  { platform_id: platformId, code }: Pick<PlatformRow, 'platform_id' | 'code'>,
  now: number,
  { logo, ...changes }: Omit<PlatformChanges, 'logo_url'> & { logo?: Logo | null },
): Promise<void> {
  if (logo === null) await deleteLogo(db, platformId);
  else if (logo) await writeLogo(db, platformId, logo, now);
  const ofLogo = logo === undefined ? {} : { logo_url: logo && logoPathOf(code, logo) };
  await updatePlatform(db, platformId, { ...changes, ...ofLogo });
}
