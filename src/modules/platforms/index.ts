export { expireApiKey, findApiKey, listApiKeys, revokeApiKey } from './api-key.queries.ts';
export { createAuthenticator } from './authenticator.ts';
export { type BankAccount, bankAccountOf, maskedIban } from './bank-account.ts';
export {
  changePlatform,
  type PlatformUpdate,
  sealedSettings,
  settingsOfUpdate,
} from './change-platform.ts';
export { createPlatform, issueApiKey, type NewApiKey, type NewPlatform } from './create-platform.ts';
export { assertCurrencyEnabled, type EnabledCurrencies } from './currency.rules.ts';
export { findLogo } from './logo.queries.ts';
export type { Logo } from './logo.rules.ts';
export { getPlatform } from './operations/get-platform.ts';
export { platformOrigins, readReturnUrl } from './origins.rules.ts';
export {
  findFirstPlatform,
  findPlatform,
  findPlatformByCode,
  listPlatforms,
  lockPlatform,
  type PlatformRow,
  platformsTable,
  renewReturnSecret,
  setPlatformDisabled,
} from './platform.queries.ts';
export {
  continueClockAdvance,
  endClockAdvance,
  findPlatformClocks,
  findTimeZone,
  lockPlatformClock,
  setPlatformClock,
} from './platform-clock.queries.ts';
export { controlsOf, loosenedControls, type PlatformControls } from './platform-controls.rules.ts';
export { platformLanguage } from './platform-language.rules.ts';
export { beginRelocation, endRelocation, keepSnapshot } from './platform-relocation.queries.ts';
export {
  type FinancingReview,
  type GivenSettings,
  type LateChargeOrder,
  PLATFORM_CONTROLS,
  type PlatformSettingName,
  SETTINGS_BY_TWO,
  settingsByName,
} from './platform-settings.rules.ts';
export { returnUrlSecretOf } from './return-secret.ts';
export { percentage, SettingRefused } from './setting-readers.rules.ts';
export {
  findPlatformSettings,
  listPlatformSettings,
  nextSettingsVersion,
  type PlatformSettingsVersion,
  type SettingsMadeBy,
} from './settings-version.queries.ts';
export { loggedSettings, openSettings, type SettingValues } from './settings-version.rules.ts';
