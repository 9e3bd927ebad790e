/** What a version stores of a platform: every setting, with the addresses of persons encrypted. */
import type { PlatformVault } from '#infra/secrets/vault';
import { maskEmail } from '#kernel/email';
import type { PlatformRow } from './platform.queries.ts';
import { ENCRYPTED_SETTINGS, SETTING_COLUMNS, type SettingColumn } from './platform-settings.rules.ts';

/** Values by the columns of settings. */
export type SettingValues = Partial<Record<SettingColumn, unknown>>;

const BOUND_TO = 'platform_settings_versions';

/** The settings of a platform as a version stores them. Their IBAN is already encrypted. */
export function keptSettings(
  vault: PlatformVault,
  platform: PlatformRow,
): { settings: string; addresses_sealed: Buffer } {
  const kept = (columns: SettingColumn[]) =>
    JSON.stringify(Object.fromEntries(columns.map((column) => [column, platform[column]])));
  const columns = Object.keys(SETTING_COLUMNS) as SettingColumn[];
  return {
    settings: kept(columns.filter((column) => !isEncrypted(column))),
    addresses_sealed: vault.seal(BOUND_TO, kept(columns.filter(isEncrypted))),
  };
}

const isEncrypted = (column: string) => ENCRYPTED_SETTINGS.some((each) => each === column);

/** Reads the settings of a stored version. A version that a migration wrote lacks the addresses. */
export function openSettings(
  vault: PlatformVault,
  { settings, addresses_sealed: sealed }: { settings: unknown; addresses_sealed: Buffer | null },
): SettingValues {
  const addresses: SettingValues = sealed === null ? {} : JSON.parse(vault.open(BOUND_TO, sealed));
  return { ...(settings as SettingValues), ...addresses };
}

/** The values as a log may show them, with addresses masked so that only their owners recognize them. */
export function loggedSettings(values: SettingValues): SettingValues {
  const logged = Object.entries(values).map(([column, value]) => [
    column,
    isEncrypted(column) ? masked(value) : value,
  ]);
  return Object.fromEntries(logged) as SettingValues;
}

const masked = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(masked) : typeof value === 'string' ? maskEmail(value) : value;
