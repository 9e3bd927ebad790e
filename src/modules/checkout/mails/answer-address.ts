/** The address to which the answer of a review is mailed. Personal data: stored sealed. */
import type { PlatformVault } from '#infra/secrets/vault';

const vaultPathOf = (decisionId: string) => `checkout_review_requests/${decisionId}`;

export function sealAnswerAddress(vault: PlatformVault, decisionId: string, email: string): Buffer {
  return vault.seal(vaultPathOf(decisionId), email);
}

export function openAnswerAddress(vault: PlatformVault, decisionId: string, sealed: Buffer): string {
  return vault.open(vaultPathOf(decisionId), sealed);
}
