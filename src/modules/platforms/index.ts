export { expireApiKey, findApiKey, listApiKeys, revokeApiKey } from './api-key.queries.ts';
export { createAuthenticator } from './authenticator.ts';
export {
  BANK_ACCOUNT_SETTINGS,
  type BankAccount,
  bankAccountOf,
  maskedIban,
  sealIban,
} from './bank-account.ts';
export { readBrandColor } from './brand.rules.ts';
export { changePlatform, type PlatformUpdate, settingsOfUpdate } from './change-platform.ts';
export { createPlatform, issueApiKey, type NewApiKey, type NewPlatform } from './create-platform.ts';
export { assertCurrencyEnabled, type EnabledCurrencies } from './currency.rules.ts';
export { findLogo } from './logo.queries.ts';
export { type Logo, readLogo } from './logo.rules.ts';
export { getPlatform } from './operations/get-platform.ts';
export { platformOrigins, readOrigin, readReturnUrl } from './origins.rules.ts';
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
  lockPlatformClock,
  setPlatformClock,
} from './platform-clock.queries.ts';
export {
  controlsOf,
  loosenedControls,
  PLATFORM_CONTROLS,
  type PlatformControls,
} from './platform-controls.rules.ts';
export { platformLanguage } from './platform-language.rules.ts';
export { returnUrlSecretOf } from './return-secret.ts';
export {
  findPlatformSettings,
  listPlatformSettings,
  type PlatformSettingsVersion,
  type SettingsMadeBy,
} from './settings-version.queries.ts';
export { loggedSettings, openSettings, type SettingValues } from './settings-version.rules.ts';
