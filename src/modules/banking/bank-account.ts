/** The bank accounts of a platform whose statements are imported. */
import type { PlatformVault } from '#infra/secrets/vault';
import type { Currency } from '#kernel/currency';
import { StartRefused } from '#kernel/start-refused';
import type { ChangeContext, Context } from '#operation/operation';
import {
  type BankAccountRow,
  findBankAccount,
  insertBankAccount,
  listBankAccounts,
} from './bank-account.queries.ts';
import { comparableNumber, maskedNumber } from './bank-account.rules.ts';
import type { NamedAccount } from './formats/bank-document.ts';

export interface NewBankAccount {
  externalId: string;
  /** An IBAN, or a sort code with the account number. */
  number: string;
  currency: Currency;
}

/** Throws StartRefused if the external_id or the account already exists. */
export async function addBankAccount(
  { db, platformId, actor, now, vault }: ChangeContext & Pick<Context, 'vault'>,
  { externalId, number, currency }: NewBankAccount,
): Promise<BankAccountRow> {
  const account = await insertBankAccount(db, {
    platform_id: platformId,
    external_id: externalId,
    currency,
    created_at: now,
    actor,
    number_sealed: vault.seal(`bank_accounts/${externalId}`, number),
    number_mac: macOf(vault, number),
    number_masked: maskedNumber(number),
  });
  if (account) return account;
  if (await findBankAccount(db, platformId, externalId))
    throw new StartRefused(`A bank account ${externalId} already exists.`);
  throw new StartRefused(
    `The account ${maskedNumber(number)} in ${currency} was already added under another external_id.`,
  );
}

const macOf = (vault: PlatformVault, number: string) =>
  vault.mac('bank_accounts/number', comparableNumber(number));

/** The accounts of a platform, with a lookup of the one that a bank names. */
export async function readBankAccounts({
  db,
  platformId,
  vault,
}: Pick<Context, 'db' | 'platformId' | 'vault'>) {
  const accounts = await listBankAccounts(db, platformId);
  return {
    /** Throws an error with a sentence for an account that is not the platform's. */
    named({ number, currency }: NamedAccount): BankAccountRow {
      const mac = macOf(vault, number);
      const ofNumber = accounts.filter(({ number_mac }) => number_mac.equals(mac));
      const [found, another] = ofNumber.filter((each) => currency === null || each.currency === currency);
      const name = `${maskedNumber(number)}${currency === null ? '' : ` in ${currency}`}`;
      if (!found)
        throw new StartRefused(
          `The account ${name} does not belong to this platform: add it with \`tradeline bank account add\`.`,
        );
      if (another) throw new StartRefused(`The file does not state the currency of the account ${name}.`);
      return found;
    },
  };
}
