/** Signing secrets: random, shown once, encrypted at rest. */
import { randomBytes } from 'node:crypto';
import type { PlatformVault } from '#infra/secrets/vault';

const SECRET_BYTES = 32;

const boundTo = (subscriptionId: string) => `webhook_subscriptions/${subscriptionId}`;

export function newSigningSecret(): string {
  return `tl_whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

export function sealSigningSecret(vault: PlatformVault, subscriptionId: string, secret: string): Buffer {
  return vault.seal(boundTo(subscriptionId), secret);
}

export function openSigningSecret(vault: PlatformVault, subscriptionId: string, sealed: Uint8Array): string {
  return vault.open(boundTo(subscriptionId), sealed);
}
