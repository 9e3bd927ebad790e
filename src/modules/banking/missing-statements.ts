/** Checks whether the bank statements of the day before have been imported. */
import type { Db } from '#infra/database/database';
import { isBusinessDay } from '#kernel/business-day';
import { dayLater } from '#kernel/day';
import { listLastStatementDays } from './bank-entry.queries.ts';

/** A bank account without its statement, and the last day for which it has one; null if none. */
export interface MissingStatement {
  bankAccount: string;
  lastOn: string | null;
}

/**
 * The bank accounts of a platform that have no statement up to the last business day of their currency before `today`. A notification
 * does not count: more can follow for its day. Empty if the platform has no bank account.
 */
export async function findMissingStatements(
  db: Db,
  platformId: number,
  today: string,
): Promise<MissingStatement[]> {
  const accounts = await listLastStatementDays(db, platformId);
  return accounts
    .filter(({ currency, lastOn }) => {
      let expected = dayLater(today, -1);
      while (!isBusinessDay({ currency }, expected)) expected = dayLater(expected, -1);
      return lastOn === null || lastOn < expected;
    })
    .map(({ bankAccount, lastOn }) => ({ bankAccount, lastOn }));
}
