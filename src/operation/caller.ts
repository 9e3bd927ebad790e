/** The caller: a platform, through one of its API keys. */
import type { PlatformVault } from '#infra/secrets/vault';
import type { Scope } from '#kernel/api-key';
import { notFound, refusal } from '#kernel/problem';

export interface Caller {
  platformId: number;
  platformCode: string;
  /** The time zone of the platform. */
  timeZone: string;
  keyId: string;
  scopes: ReadonlySet<Scope>;
  /** The one merchant the key is restricted to, or null for the whole platform. */
  merchantExternalId: string | null;
  /** Set while the platform moves to another database. */
  isReadOnly?: boolean;
  vault: PlatformVault;
}

/** Whether the caller's key has the scope. `admin` has every scope. */
export function hasScope({ scopes }: Pick<Caller, 'scopes'>, scope: Scope): boolean {
  return scopes.has(scope) || scopes.has('admin');
}

/**
 * Whether the caller may see how credit is decided: inputs, sources, rules and comments of persons. They cover the buyer's business with
 * all merchants, so a key that is restricted to one does not see them, regardless of its scopes.
 */
export function mayReadCredit(caller: Caller): boolean {
  return !isOfMerchant(caller) && hasScope(caller, 'credit:read');
}

/** Whether the caller's key is restricted to one merchant. */
export function isOfMerchant({ merchantExternalId }: Pick<Caller, 'merchantExternalId'>): boolean {
  return merchantExternalId !== null;
}

/** Throws MERCHANT_NOT_ALLOWED for a key that is restricted to one merchant. */
export function assertPlatformWide(caller: Caller): void {
  if (!isOfMerchant(caller)) return;
  throw refusal('MERCHANT_NOT_ALLOWED', 'This API key is restricted to one merchant', {
    merchant_external_id: caller.merchantExternalId,
  });
}

export function assertMerchantAllowed(caller: Caller, merchantExternalId: string): void {
  if (caller.merchantExternalId === null || caller.merchantExternalId === merchantExternalId) return;
  throw refusal('MERCHANT_NOT_ALLOWED', 'This API key is restricted to another merchant', {
    merchant_external_id: caller.merchantExternalId,
  });
}

/** Throws NOT_FOUND if the caller's key is restricted to one merchant and the resource belongs to another. */
export function assertVisible(owned: { merchant_external_id: string }, caller: Caller): void {
  if ((caller.merchantExternalId ?? owned.merchant_external_id) !== owned.merchant_external_id)
    throw notFound();
}
