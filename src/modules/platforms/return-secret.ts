import type { Vault } from '#infra/secrets/vault';
import type { PlatformRow } from './platform.queries.ts';

const SECRET_BYTES = 32;

/** The secret that signs return URLs. It is derived, never stored, and each renewal replaces it. */
export function returnUrlSecretOf(
  vault: Pick<Vault, 'derive'>,
  { code, return_secret_generation: generation }: Pick<PlatformRow, 'code' | 'return_secret_generation'>,
): string {
  const bytes = vault.derive(`return-secret/${code}/${generation}`, SECRET_BYTES);
  return `tl_return_${bytes.toString('base64url')}`;
}
