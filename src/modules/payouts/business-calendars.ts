/** The business days of a platform: those of its currencies, without the holidays that its operators have added. */
import type { Db } from '#infra/database/database';
import type { BusinessCalendar } from '#kernel/business-day';
import type { Currency } from '#kernel/currency';
import { listAddedHolidays } from './payout-run.queries.ts';

/** Returns a function that gives the calendar of each currency, with the holidays that operators have added so far. */
export async function findCalendars(
  db: Db,
  platformId: number,
): Promise<(currency: Currency) => BusinessCalendar> {
  const added = await listAddedHolidays(db, platformId);
  return (currency) => ({
    currency,
    addedHolidays: new Set(added.filter((each) => each.currency === currency).map(({ day }) => day)),
  });
}
