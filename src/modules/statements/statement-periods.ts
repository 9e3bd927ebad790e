/** The periods for which a buyer is offered a statement: the current month until now, and the last ended months. */
import { dayLater, dayMonthsLater } from '#kernel/day';
import { endOfLocalDay, lastSecondOf, localDayOf } from '#kernel/local-day';
import { countOwedEntries, type OwedPeriod, type OwedScope } from '#modules/invoices';
import type { Context } from '#operation/operation';
import { periodOf, STATEMENT_ENTRIES_MAX } from './statement.ts';

/** The number of ended months that are offered. */
const MONTHS_MAX = 12;

export interface StatementPeriod extends OwedPeriod {
  /** The first day of an ended month; null for the current month. */
  monthOn: string | null;
}

/** A month in a time zone, by its first day. */
export function periodOfMonth(monthOn: string, timeZone: string): OwedPeriod {
  return {
    from: endOfLocalDay(dayLater(monthOn, -1), timeZone),
    at: lastSecondOf(dayLater(dayMonthsLater(monthOn, 1), -1), timeZone),
  };
}

/**
 * Latest first. An ended month is left out if nothing happened and nothing was owed. Any month with more entries than a statement can
 * have is left out too.
 */
export async function listStatementPeriods(
  context: Pick<Context, 'db' | 'platformId' | 'now' | 'timeZone'>,
  buyerExternalId: string,
): Promise<StatementPeriod[]> {
  const { db, platformId, now, timeZone } = context;
  const thisMonthOn = `${localDayOf(now, timeZone).slice(0, 7)}-01`;
  const ended = Array.from({ length: MONTHS_MAX }, (_, nth): StatementPeriod => {
    const monthOn = dayMonthsLater(thisMonthOn, -1 - nth);
    return { monthOn, ...periodOfMonth(monthOn, timeZone) };
  });
  const periods: StatementPeriod[] = [{ monthOn: null, ...periodOf(context, {}) }, ...ended];
  const scope: OwedScope = { buyerExternalId, merchantExternalId: null, invoiceExternalId: null };
  const counts = await countOwedEntries(db, platformId, scope, periods);
  return periods.filter(({ monthOn }, nth) => {
    const { entries = 0, wasOwed = false } = counts[nth] ?? {};
    return entries <= STATEMENT_ENTRIES_MAX && (monthOn === null || entries > 0 || wasOwed);
  });
}
