/** Creation of platforms and API keys, by command only. */
import type { Db } from '#infra/database/database';
import type { Vault } from '#infra/secrets/vault';
import {
  type ApiKeyText,
  type Environment,
  formatApiKey,
  hashSecret,
  randomApiKey,
  SCOPES,
  type Scope,
} from '#kernel/api-key';
import type { Currency } from '#kernel/currency';
import { insertApiKey } from './api-key.queries.ts';
import { sealedSettings, settingsOfUpdate } from './change-platform.ts';
import { writeLogo } from './logo.queries.ts';
import { insertPlatform, type PlatformRow } from './platform.queries.ts';
import type { GivenSettings } from './platform-settings.rules.ts';
import { insertPlatformSettings } from './settings-version.queries.ts';

export interface NewPlatform extends GivenSettings {
  code: string;
  name: string;
  country: string;
  currency: Currency;
  is_single_merchant?: boolean;
}

/** The actor who creates a platform, which has no operator yet. */
const MAKER = 'installation';

/** Creates a platform; undefined if the code is taken. `now` in unix seconds. Runs in a transaction. */
export async function createPlatform(
  db: Db,
  vault: Vault,
  now: number,
  platform: NewPlatform,
): Promise<PlatformRow | undefined> {
  const { code, country, currency, is_single_merchant, ...settings } = platform;
  const dataKey = vault.newDataKey(code);
  const platformVault = vault.forPlatform(code, dataKey);
  const made = await insertPlatform(db, {
    ...{ code, country, currency, created_at: now, data_key_wrapped: dataKey },
    ...(is_single_merchant !== undefined && { is_single_merchant }),
    ...{ financing_currencies: [currency], collection_currencies: [currency] },
    ...settingsOfUpdate(platform, sealedSettings(platformVault, settings)),
    name: platform.name,
  });
  if (!made) return undefined;
  if (platform.logo) await writeLogo(db, made.platform_id, platform.logo, now);
  const creation = { at: now, actor: MAKER, approvedBy: null, reason: null };
  await insertPlatformSettings(db, platformVault, made, creation);
  return made;
}

export interface NewApiKey {
  name: string;
  environment: Environment;
  scopes?: readonly Scope[];
  merchantExternalId?: string | null;
  /** Unix seconds. */
  expiresAt?: number | null;
  /** Random by default. */
  key?: ApiKeyText;
}

/** Creates a key and returns its text. Only a hash is stored: the text cannot be shown again. */
export async function issueApiKey(
  db: Db,
  platformId: number,
  now: number,
  request: NewApiKey,
): Promise<string> {
  const key = request.key ?? randomApiKey(request.environment);
  await insertApiKey(db, {
    platform_id: platformId,
    key_id: key.keyId,
    name: request.name,
    secret_sha256: hashSecret(key.secret),
    scopes: [...(request.scopes ?? SCOPES)],
    merchant_external_id: request.merchantExternalId ?? null,
    created_at: now,
    expires_at: request.expiresAt ?? null,
  });
  return formatApiKey(key);
}
