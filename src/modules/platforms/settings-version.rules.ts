/** What a version keeps of a platform: every setting, the addresses of persons encrypted. */
import type { PlatformVault } from '#infra/secrets/vault';
import { maskEmail } from '#kernel/email';
import type { PlatformChanges, PlatformRow } from './platform.queries.ts';

export type PlatformSettingName = keyof PlatformChanges;

/** How each setting is kept. Versions are never deleted, so an address must not be readable without the platform's key. */
const KEPT: Readonly<Record<PlatformSettingName, 'READABLE' | 'SEALED'>> = {
  name: 'READABLE',
  language: 'READABLE',
  formality: 'READABLE',
  redirect_url: 'READABLE',
  checkout_origins: 'READABLE',
  logo_url: 'READABLE',
  support_emails: 'SEALED',
  communication_email: 'SEALED',
  communication_bcc_email: 'SEALED',
  sends_checkout_invitations: 'READABLE',
  max_payment_term: 'READABLE',
  financing_currencies: 'READABLE',
  collection_currencies: 'READABLE',
  payout_term: 'READABLE',
  min_payout_business_day: 'READABLE',
  has_erp_configuration: 'READABLE',
  enrolls_merchants: 'READABLE',
  brand_color: 'READABLE',
  privacy_url: 'READABLE',
  imprint_url: 'READABLE',
  terms_url: 'READABLE',
  review_days: 'READABLE',
  time_zone: 'READABLE',
  account_holder: 'READABLE',
  // Sealed by itself.
  iban_sealed: 'READABLE',
  bic: 'READABLE',
};

/** Values by the names of settings. */
export type SettingValues = Partial<Record<PlatformSettingName, unknown>>;

const BOUND_TO = 'platform_settings_versions';

/** The settings of a platform as a version stores them. */
export function keptSettings(
  vault: PlatformVault,
  platform: PlatformRow,
): { settings: string; addresses_sealed: Buffer } {
  const kept = (how: 'READABLE' | 'SEALED') =>
    JSON.stringify(Object.fromEntries(settingNames(how).map((name) => [name, platform[name]])));
  return { settings: kept('READABLE'), addresses_sealed: vault.seal(BOUND_TO, kept('SEALED')) };
}

/** Reads them back. A version of a migration lacks the addresses. */
export function openSettings(
  vault: PlatformVault,
  { settings, addresses_sealed: sealed }: { settings: unknown; addresses_sealed: Buffer | null },
): SettingValues {
  const addresses: SettingValues = sealed === null ? {} : JSON.parse(vault.open(BOUND_TO, sealed));
  return { ...(settings as SettingValues), ...addresses };
}

/** The values as a log may show them: of an address only what its owner recognizes. */
export function loggedSettings(values: SettingValues): SettingValues {
  const logged = Object.entries(values).map(([name, value]) => [
    name,
    KEPT[name as PlatformSettingName] === 'SEALED' ? masked(value) : value,
  ]);
  return Object.fromEntries(logged) as SettingValues;
}

const masked = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(masked) : typeof value === 'string' ? maskEmail(value) : value;

function settingNames(how: 'READABLE' | 'SEALED'): PlatformSettingName[] {
  return (Object.keys(KEPT) as PlatformSettingName[]).filter((name) => KEPT[name] === how);
}
