/** The equation between the statements of banks and the ledger, for `ledger verify`. */
import type { Db } from '#infra/database/database';
import { dayLater } from '#kernel/day';
import { endOfLocalDay } from '#kernel/local-day';
import { listStatedAccounts, type StatedAccount, sumBankLines } from './equation.queries.ts';
import { moneyText } from './money-text.ts';

/** The equation of a platform, whose days are those of the time zone. */
export const bankingEquations = (timeZone: string) => [
  {
    code: 'E6',
    sentence: 'What the ledger has on a bank account is what its statements say, and what came after.',
    async check(db: Db, platformId: number): Promise<string[]> {
      const differences: string[] = [];
      for (const account of await listStatedAccounts(db, platformId)) {
        const booked = await sumBankLines(db, platformId, rangeOf(account, timeZone));
        const stated = BigInt(account.closing_amount) - BigInt(account.opening_amount);
        if (booked !== stated) differences.push(differenceOf(account, booked, stated));
      }
      return differences;
    },
  },
];

/** From the beginning of the first stated day to the end of the last one. Earlier and later days have no stated balance. */
function rangeOf(
  { bank_account: account, currency, opening_on, closing_on }: StatedAccount,
  timeZone: string,
) {
  return {
    ...{ account, currency },
    from: endOfLocalDay(dayLater(opening_on, -1), timeZone),
    until: endOfLocalDay(closing_on, timeZone),
  };
}

function differenceOf(account: StatedAccount, booked: bigint, stated: bigint): string {
  const { currency, bank_account, opening_on, closing_on } = account;
  return (
    `The ledger moves ${moneyText(booked, currency)} on the bank account ${bank_account} from ${opening_on} to ${closing_on}, ` +
    `and its statements ${moneyText(stated, currency)}.`
  );
}
