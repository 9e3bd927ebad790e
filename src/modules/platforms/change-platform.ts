/** Changes of a platform, by command only. */
import type { Db } from '#infra/database/database';
import type { PlatformVault } from '#infra/secrets/vault';
import { sealIban } from './bank-account.ts';
import { deleteLogo, writeLogo } from './logo.queries.ts';
import { type Logo, logoPathOf } from './logo.rules.ts';
import { type PlatformChanges, type PlatformRow, updatePlatform } from './platform.queries.ts';
import type { GivenSettings } from './platform-settings.rules.ts';
import { insertPlatformSettings, type SettingsMadeBy } from './settings-version.queries.ts';

/** Changes of a platform's settings. `logo` replaces the logo, null removes it. */
export type PlatformUpdate = Omit<PlatformChanges, 'logo_url'> & { logo?: Logo | null };

/** The settings with the IBAN encrypted, as they are stored in the platform or in a proposed change. */
export function sealedSettings(vault: PlatformVault, { iban, ...settings }: GivenSettings): PlatformUpdate {
  return { ...settings, ...(iban !== undefined && { iban_sealed: iban && sealIban(vault, iban) }) };
}

/** The columns that an update sets, with a logo as its address. */
export function settingsOfUpdate(
  { code }: Pick<PlatformRow, 'code'>,
  { logo, ...changes }: PlatformUpdate,
): PlatformChanges {
  return { ...changes, ...(logo !== undefined && { logo_url: logo && logoPathOf(code, logo) }) };
}

/** Writes the settings and records them as the next version. Runs in a transaction. */
export async function changePlatform(
  { db, vault }: { db: Db; vault: PlatformVault },
  platform: Pick<PlatformRow, 'platform_id' | 'code'>,
  update: PlatformUpdate,
  made: SettingsMadeBy,
): Promise<PlatformRow> {
  const { platform_id: platformId } = platform;
  const { logo } = update;
  if (logo === null) await deleteLogo(db, platformId);
  else if (logo) await writeLogo(db, platformId, logo, made.at);
  const changed = await updatePlatform(db, platformId, settingsOfUpdate(platform, update));
  await insertPlatformSettings(db, vault, changed, made);
  return changed;
}
