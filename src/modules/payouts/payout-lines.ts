/** The amounts that merchants are to be paid after decisions about services: lines that wait for their payout. */
import { randomUUID } from 'node:crypto';
import type { Currency } from '#kernel/currency';
import { localDayOf } from '#kernel/local-day';
import { type Problem, refusal } from '#kernel/problem';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import type { ChangeContext } from '#operation/operation';
import { findCalendars } from './business-calendars.ts';
import { findPayouts } from './payout.queries.ts';
import { earliestPayoutDay, payoutDayRefusal } from './payout.rules.ts';
import { deletePayoutLines, insertPayoutLines, listLinesOfServices } from './payout-line.queries.ts';
import { lockMerchantAccounts } from './payout-run.queries.ts';
import { cancelPayouts, isPayoutCancellable } from './settle-payouts.ts';

/** The advance of an accepted service. The caller has posted it to payout_clearing. */
export interface AdvanceLine {
  merchantExternalId: string;
  currency: Currency;
  serviceExternalId: string;
  invoiceExternalId: string;
  /** The amount that the merchant is paid, in minor units: 0 if debts of the merchant took all of it. */
  amountMinor: number;
  /** When the merchant wants the money, in unix seconds; null for as soon as possible. */
  requestedAt: number | null;
}

/** The platform settings that decide when merchants are paid. */
export type PayoutTerms = Pick<PlatformRow, 'time_zone' | 'min_payout_business_day' | 'payout_term'>;

/** Adds advances to the waiting lines, each from the earliest day that its terms allow. The merchants' accounts are locked. */
export async function addPayoutLines(
  { db, platformId, now }: ChangeContext,
  platform: PayoutTerms,
  lines: readonly AdvanceLine[],
): Promise<void> {
  const termsOf = dayTermsOf(platform, now);
  const calendarOf = await findCalendars(db, platformId);
  await insertPayoutLines(
    db,
    platformId,
    lines.map(({ currency, requestedAt, ...line }) => ({
      line_id: randomUUID(),
      merchant_external_id: line.merchantExternalId,
      currency,
      kind: 'ADVANCE',
      invoice_external_id: line.invoiceExternalId,
      service_external_id: line.serviceExternalId,
      amount: line.amountMinor,
      earliest_on: earliestPayoutDay(calendarOf(currency), termsOf(requestedAt)),
      created_at: now,
      payout_external_id: null,
    })),
  );
}

/**
 * Removes the advances of services. A payout that is not released is cancelled, and formed again without them. Throws
 * INVALID_STATUS_TRANSITION if the bank is already instructed.
 */
export async function removePayoutLines(
  context: ChangeContext,
  serviceExternalIds: readonly string[],
): Promise<void> {
  const { db, platformId } = context;
  const found = await listLinesOfServices(db, platformId, serviceExternalIds);
  await lockMerchantAccounts(
    db,
    platformId,
    found.map(({ merchant_external_id }) => merchant_external_id),
  );
  // A payout may have been formed while this transaction waited for the lock.
  const lines = await listLinesOfServices(db, platformId, serviceExternalIds);
  const ids = new Set(lines.flatMap(({ payout_external_id }) => payout_external_id ?? []));
  const payouts = await findPayouts(db, platformId, [...ids]);
  const instructed = payouts.find((payout) => !isPayoutCancellable(payout));
  if (instructed)
    throw refusal('INVALID_STATUS_TRANSITION', `The payout ${instructed.external_id} is already instructed`, {
      ...{ status: instructed.status, trigger: 'cancel', allowed: [] },
    });
  if (ids.size > 0) await cancelPayouts(context, [...ids], { reason: 'A service of it was cancelled.' });
  await deletePayoutLines(
    db,
    platformId,
    lines.map(({ line_id }) => line_id),
  );
}

/** Returns the problem that refuses a payout at the instant that a request names (unix seconds), or null. */
export type PayoutDateCheck = (currency: Currency, requestedAt: number) => Problem | null;

/** Returns the function that gives the refusal of an instant: PAYOUT_DATE_TOO_EARLY or PAYOUT_DATE_NOT_BUSINESS_DAY. */
export async function findPayoutDateCheck(context: ChangeContext): Promise<PayoutDateCheck> {
  const calendarOf = await findCalendars(context.db, context.platformId);
  const platform = (await findPlatform(context.db, context.platformId)) as PlatformRow;
  const termsOf = dayTermsOf(platform, context.now);
  return (currency, requestedAt) => {
    const terms = termsOf(requestedAt);
    return payoutDayRefusal(calendarOf(currency), { ...terms, requestedOn: terms.requestedOn as string });
  };
}

const dayTermsOf =
  ({ time_zone: timeZone, min_payout_business_day, payout_term }: PayoutTerms, now: number) =>
  (requestedAt: number | null) => ({
    today: localDayOf(now, timeZone),
    requestedOn: requestedAt === null ? null : localDayOf(requestedAt, timeZone),
    minBusinessDays: min_payout_business_day,
    payoutTermDays: payout_term,
  });
