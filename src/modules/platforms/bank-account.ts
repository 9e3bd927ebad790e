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

/** In base64, so that a change that waits for its approval can hold it. */
export function sealIban(vault: PlatformVault, iban: string): string {
  return vault.seal(VAULT_PATH, iban).toString('base64');
}

function openIban(vault: PlatformVault, sealed: string): string {
  return vault.open(VAULT_PATH, Buffer.from(sealed, 'base64'));
}

/** As the operator who approves it recognizes it. */
export function maskedIban(vault: PlatformVault, sealed: string): string {
  return maskIban(openIban(vault, sealed));
}

/** Null where the platform has named none. */
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
