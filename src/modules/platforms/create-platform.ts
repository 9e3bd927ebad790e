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
import type { Formality, Language } from '#kernel/language';
import { insertApiKey } from './api-key.queries.ts';
import { sealIban } from './bank-account.ts';
import { writeLogo } from './logo.queries.ts';
import { type Logo, logoPathOf } from './logo.rules.ts';
import { insertPlatform, type PlatformRow, updatePlatform } from './platform.queries.ts';
import { insertPlatformSettings } from './settings-version.queries.ts';

export interface NewPlatform {
  code: string;
  name: string;
  country: string;
  currency: Currency;
  /** Null: each buyer is written to in the language of its country. */
  language?: Language | null;
  formality?: Formality;
  isSingleMerchant?: boolean;
  financingCurrencies?: Currency[];
  collectionCurrencies?: Currency[];
  supportEmails?: string[];
  communicationEmail?: string | null;
  communicationBccEmail?: string | null;
  /** Days. */
  maxPaymentTerm?: number;
  /** Days. */
  payoutTerm?: number;
  minPayoutBusinessDay?: number;
  hasErpConfiguration?: boolean;
  /** False: an operator enrols each new merchant. */
  enrollsMerchants?: boolean;
  redirectUrl?: string | null;
  checkoutOrigins?: string[];
  sendsCheckoutInvitations?: boolean;
  brandColor?: string | null;
  privacyUrl?: string | null;
  imprintUrl?: string | null;
  termsUrl?: string | null;
  /** Working days. */
  reviewDays?: number;
  /** An IANA name. */
  timeZone?: string;
  accountHolder?: string | null;
  iban?: string | null;
  bic?: string | null;
  logo?: Logo | null;
}

/** Who makes a platform: there is no operator of it yet. */
const MAKER = 'installation';

/** Undefined where the code is taken. `now` in unix seconds. Runs in a transaction. */
export async function createPlatform(
  db: Db,
  vault: Vault,
  now: number,
  platform: NewPlatform,
): Promise<PlatformRow | undefined> {
  const { logo = null, iban = null } = platform;
  const made = await insertPlatform(db, {
    code: platform.code,
    name: platform.name,
    created_at: now,
    country: platform.country,
    currency: platform.currency,
    financing_currencies: platform.financingCurrencies ?? [platform.currency],
    collection_currencies: platform.collectionCurrencies ?? [platform.currency],
    support_emails: platform.supportEmails ?? [],
    is_single_merchant: platform.isSingleMerchant ?? false,
    language: platform.language ?? null,
    formality: platform.formality ?? 'NEUTRAL',
    communication_email: platform.communicationEmail ?? null,
    communication_bcc_email: platform.communicationBccEmail ?? null,
    ...(platform.maxPaymentTerm !== undefined && { max_payment_term: platform.maxPaymentTerm }),
    payout_term: platform.payoutTerm ?? 0,
    min_payout_business_day: platform.minPayoutBusinessDay ?? 2,
    has_erp_configuration: platform.hasErpConfiguration ?? false,
    enrolls_merchants: platform.enrollsMerchants ?? true,
    redirect_url: platform.redirectUrl ?? null,
    checkout_origins: platform.checkoutOrigins ?? [],
    sends_checkout_invitations: platform.sendsCheckoutInvitations ?? false,
    logo_url: logo && logoPathOf(platform.code, logo),
    brand_color: platform.brandColor ?? null,
    privacy_url: platform.privacyUrl ?? null,
    imprint_url: platform.imprintUrl ?? null,
    terms_url: platform.termsUrl ?? null,
    review_days: platform.reviewDays ?? 1,
    time_zone: platform.timeZone ?? 'UTC',
    account_holder: platform.accountHolder ?? null,
    bic: platform.bic ?? null,
    data_key_wrapped: vault.newDataKey(platform.code),
  });
  if (!made) return undefined;
  if (logo) await writeLogo(db, made.platform_id, logo, now);
  const platformVault = vault.forPlatform(made.code, made.data_key_wrapped);
  const sealed = { iban_sealed: iban === null ? null : sealIban(platformVault, iban) };
  const row = iban === null ? made : await updatePlatform(db, made.platform_id, sealed);
  const creation = { at: now, actor: MAKER, approvedBy: null, reason: null };
  await insertPlatformSettings(db, platformVault, row, creation);
  return row;
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
