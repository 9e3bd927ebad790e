/** The platform's account, from which merchants are paid. */
import { StartRefused } from '#kernel/start-refused';
import { type BankAccount, bankAccountOf, findPlatform, type PlatformRow } from '#modules/platforms';
import type { ChangeContext, Context } from '#operation/operation';
import type { PayoutRow } from './payout.queries.ts';

/** The debited account, with the town and country of its holder; null if the platform has not stated them. */
export interface Debtor extends BankAccount {
  town: string | null;
  country: string | null;
}

/**
 * The account that files for these payouts debit. Throws StartRefused if the platform has named none, or if a SEPA payout lacks the
 * town or country of its holder: banks refuse transfers without them from November 2026 on.
 */
export async function findDebtor(
  { db, platformId, vault }: Pick<ChangeContext, 'db' | 'platformId'> & Pick<Context, 'vault'>,
  payouts: readonly Pick<PayoutRow, 'scheme'>[],
): Promise<Debtor> {
  const platform = (await findPlatform(db, platformId)) as PlatformRow;
  const account = bankAccountOf(vault, platform);
  if (account === null)
    throw new StartRefused(
      'The platform has no bank account: set it with tradeline platform update CODE --iban IBAN.',
    );
  const debtor = { ...account, town: platform.account_town, country: platform.account_country };
  const isSepa = payouts.some(({ scheme }) => scheme === 'SEPA');
  if (isSepa && (debtor.town === null || debtor.country === null))
    throw new StartRefused(
      'SEPA transfers need the address of the account holder: set it with tradeline platform update CODE --account-town TOWN --account-country COUNTRY.',
    );
  return debtor;
}
