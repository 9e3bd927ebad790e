/** The platform's account, from which merchants are paid. */
import { StartRefused } from '#kernel/start-refused';
import { type AddressedBankAccount, bankAccountOf, findPlatform, type PlatformRow } from '#modules/platforms';
import type { ChangeContext, Context } from '#operation/operation';
import type { PayoutRow } from './payout.queries.ts';

/**
 * The account that files for these payouts debit. Throws StartRefused if the platform has named none, or for a SEPA payout
 * not where its holder is: banks refuse transfers without town and country from November 2026 on.
 */
export async function findDebtor(
  { db, platformId, vault }: Pick<ChangeContext, 'db' | 'platformId'> & Pick<Context, 'vault'>,
  payouts: readonly Pick<PayoutRow, 'scheme'>[],
): Promise<AddressedBankAccount> {
  const debtor = bankAccountOf(vault, (await findPlatform(db, platformId)) as PlatformRow);
  if (debtor === null)
    throw new StartRefused(
      'The platform has named no bank account: set it with tradeline platform update --iban.',
    );
  const isSepa = payouts.some(({ scheme }) => scheme === 'SEPA');
  if (isSepa && (debtor.town === null || debtor.country === null))
    throw new StartRefused(
      'SEPA transfers need the address of the account holder: set it with tradeline platform update --account-town TOWN --account-country COUNTRY.',
    );
  return debtor;
}
