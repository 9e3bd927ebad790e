/** The account of the platform to which buyers transfer money, and from which merchants are paid. Its number is stored sealed. */
import type { PlatformVault } from '#infra/secrets/vault';
import { maskIban } from '#kernel/iban';
import type { PlatformRow } from './platform.queries.ts';

/** What a buyer needs for a transfer. */
export interface BankAccount {
  holder: string;
  iban: string;
  bic: string | null;
}

const VAULT_PATH = 'platform/iban';

/** The encrypted IBAN, in base64, so that a change that waits for its approval can contain it. */
export function sealIban(vault: PlatformVault, iban: string): string {
  return vault.seal(VAULT_PATH, iban).toString('base64');
}

function openIban(vault: PlatformVault, sealed: string): string {
  return vault.open(VAULT_PATH, Buffer.from(sealed, 'base64'));
}

/** The masked IBAN, which the operator who approves a change can recognize. */
export function maskedIban(vault: PlatformVault, sealed: string): string {
  return maskIban(openIban(vault, sealed));
}

/** The account of the platform; null if it has set none. */
export function bankAccountOf(
  vault: PlatformVault,
  {
    name,
    account_holder,
    iban_sealed,
    bic,
  }: Pick<PlatformRow, 'name' | 'account_holder' | 'iban_sealed' | 'bic'>,
): BankAccount | null {
  if (iban_sealed === null) return null;
  return { holder: account_holder ?? name, iban: openIban(vault, iban_sealed), bic };
}
