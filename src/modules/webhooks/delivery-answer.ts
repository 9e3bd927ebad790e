/** The answers of receivers, encrypted: an answer can contain anything, even personal data. */
import type { PlatformVault } from '#infra/secrets/vault';

const boundTo = (deliveryId: number) => `webhook_attempts/${deliveryId}`;

export function sealAnswer(vault: PlatformVault, deliveryId: number, answer: Buffer): Buffer {
  return vault.seal(boundTo(deliveryId), answer.toString('utf8'));
}

export function openAnswer(vault: PlatformVault, deliveryId: number, sealed: Uint8Array): string {
  return vault.open(boundTo(deliveryId), sealed);
}
