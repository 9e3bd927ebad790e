/** Signing secrets: random, shown once, encrypted at rest. */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { PlatformVault } from '#infra/secrets/vault';

const SECRET_BYTES = 32;

const boundTo = (subscriptionId: string) => `webhook_subscriptions/${subscriptionId}`;

export function newSigningSecret(): string {
  return `tl_whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

export function sealSigningSecret(vault: PlatformVault, subscriptionId: string, secret: string): Buffer {
  return vault.seal(boundTo(subscriptionId), secret);
}

/** The keys of each platform, by the encrypted secret. */
const signingKeys = new WeakMap<PlatformVault, Map<string, KeyObject>>();
const SIGNING_KEYS_MAX = 1_000;

/** The signing key. It is cached, because decrypting the secret takes longer than signing with it. */
export function signingKeyOf(vault: PlatformVault, subscriptionId: string, sealed: Buffer): KeyObject {
  const keys = signingKeys.get(vault) ?? new Map<string, KeyObject>();
  signingKeys.set(vault, keys);
  const name = `${subscriptionId} ${sealed.toString('latin1')}`;
  const known = keys.get(name);
  if (known) return known;
  if (keys.size >= SIGNING_KEYS_MAX) keys.clear();
  const key = createSecretKey(vault.open(boundTo(subscriptionId), sealed), 'utf8');
  keys.set(name, key);
  return key;
}
