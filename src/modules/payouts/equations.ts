/** The equations that must hold between payouts and the ledger, for `ledger verify`. They compare what is stored now. */
import type { Db } from '#infra/database/database';
import { listClearingDifferences, listPayoutDifferences } from './equation.queries.ts';

export const payoutEquations = [
  {
    code: 'E3',
    sentence: 'The clearing of payouts is what waits to be paid out, or is scheduled and not paid.',
    check: async (db: Db, platformId: number) =>
      (await listClearingDifferences(db, platformId)).map(
        ({ currency, booked, owed }) =>
          `The ledger has ${booked} ${currency} to be paid out, and the lines of payouts have ${owed}.`,
      ),
  },
  {
    code: 'PAYOUTS',
    sentence: 'The amount of every payout is the sum of its lines.',
    check: async (db: Db, platformId: number) =>
      (await listPayoutDifferences(db, platformId)).map(
        ({ external_id, amount, of_lines }) =>
          `The payout ${external_id} pays ${amount}, and its lines sum to ${of_lines}.`,
      ),
  },
];
