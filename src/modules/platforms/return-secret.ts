import type { Vault } from '#infra/secrets/vault';
import type { PlatformRow } from './platform.queries.ts';

const SECRET_BYTES = 32;

/**
 * What signs a buyer's way back to the platform. Derived, so that nothing of it is stored; another one after each renewal,
 * and the one before is then good for nothing.
 */
export function returnUrlSecretOf(
  vault: Pick<Vault, 'derive'>,
  { code, return_secret_generation: generation }: Pick<PlatformRow, 'code' | 'return_secret_generation'>,
): string {
  const bytes = vault.derive(`return-secret/${code}/${generation}`, SECRET_BYTES);
  return `tl_return_${bytes.toString('base64url')}`;
}
