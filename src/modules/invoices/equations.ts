/** The equations that must hold between invoices, payments, facilities and the ledger, for `ledger verify`. */
import type { Db } from '#infra/database/database';
import {
  listCreditDifferences,
  listFeeDifferences,
  listLateChargeDifferences,
  listPaidChargeDifferences,
  listReceivableDifferences,
  listUnappliedDifferences,
  type UnequalAmounts,
} from './equation.queries.ts';

type List = (db: Db, platformId: number) => Promise<UnequalAmounts[]>;

/** Builds a check that reports each party whose two amounts differ. It compares what is stored now. */
const comparing =
  (list: List, sentenceOf: (difference: UnequalAmounts) => string) =>
  async (db: Db, platformId: number): Promise<string[]> =>
    (await list(db, platformId)).map(sentenceOf);

/** The equations between invoices, payments, orders, facilities and the ledger. */
export const invoiceEquations = [
  {
    code: 'E2',
    sentence: 'The receivable from each buyer is what its financed invoices still claim.',
    check: comparing(
      listReceivableDifferences,
      ({ party, currency, booked, owed }) =>
        `The ledger has ${booked} ${currency} receivable from ${party}, whose financed invoices claim ${owed}.`,
    ),
  },
  {
    code: 'FEES',
    sentence: 'The fees receivable from each buyer are what its invoices still claim of them.',
    check: comparing(
      listFeeDifferences,
      ({ party, currency, booked, owed }) =>
        `The ledger has ${booked} ${currency} of fees receivable from ${party}, whose invoices claim ${owed}.`,
    ),
  },
  {
    code: 'CHARGES',
    sentence:
      'The late charges receivable from each buyer are what is owed of them, and payments settle what is paid.',
    check: async (db: Db, platformId: number) => [
      ...(await listLateChargeDifferences(db, platformId)).map(
        ({ party, currency, booked, owed }) =>
          `The ledger has ${booked} ${currency} of late charges receivable from ${party}, of which ${owed} are owed.`,
      ),
      ...(await listPaidChargeDifferences(db, platformId)).map(
        ({ party, currency, booked, owed }) =>
          `The late charge ${party} is paid with ${booked} ${currency}, and payments settle ${owed} of it.`,
      ),
    ],
  },
  {
    code: 'E4',
    sentence: 'The unapplied cash of each buyer is what its payments left over.',
    check: comparing(
      listUnappliedDifferences,
      ({ party, currency, booked, owed }) =>
        `The ledger has ${booked} ${currency} of unapplied cash of ${party}, whose payments left over ${owed}.`,
    ),
  },
  {
    code: 'E5',
    sentence: 'A facility has as used what invoices use, and as pending what orders reserve.',
    check: async (db: Db, platformId: number) =>
      (await listCreditDifferences(db, platformId)).map(
        ({ party, currency, amount, booked, owed }) =>
          `The facility of ${party} has ${booked} ${currency} ${amount}, and its ${amount === 'used' ? 'invoices' : 'orders'} have ${owed}.`,
      ),
  },
];
