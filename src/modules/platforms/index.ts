export { expireApiKey, findApiKey, listApiKeys, revokeApiKey } from './api-key.queries.ts';
export { type Authenticator, createAuthenticator } from './authenticator.ts';
export { createPlatform, issueApiKey, type NewApiKey, type NewPlatform } from './create-platform.ts';
export { assertCurrencyEnabled, type EnabledCurrencies } from './currency.rules.ts';
export { getPlatform } from './operations/get-platform.ts';
export { platformOrigins, readOrigin, readReturnUrl } from './origins.rules.ts';
export {
  findFirstPlatform,
  findPlatform,
  findPlatformByCode,
  listPlatforms,
  type PlatformRow,
} from './platform.queries.ts';
export { Platform } from './platform.schemas.ts';
export {
  continueClockMove,
  endClockMove,
  findPlatformClocks,
  lockPlatformClock,
  setPlatformClock,
} from './platform-clock.queries.ts';
export { returnSecretOf } from './return-secret.ts';
