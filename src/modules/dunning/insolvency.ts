/** The insolvency of a buyer: what it stops, the review that it opens, and how two operators lift it. */
import type { Currency } from '#kernel/currency';
import { isFreezable, lockFacility, setFreeze } from '#modules/facilities';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import { openReview } from '#modules/underwriting';
import type { ChangeContext } from '#operation/operation';
import { type LookScope, lookAgain } from './dunning-rescan.queries.ts';
import { endStops } from './dunning-stop.queries.ts';
import { assertNoInsolvencyWaits } from './insolvency-review.ts';
import { stopReminders } from './stop-reminders.ts';

export interface RecordedInsolvency {
  /** Whether it froze the facility. */
  isFrozen: boolean;
  reviewId: string;
}

/**
 * Stops the reminders of an insolvent buyer, freezes its facility if it is ACTIVE or EXPIRED, and opens a review for a person.
 * Throws StartRefused for an unknown buyer, and while a review of its insolvency waits.
 */
export async function recordInsolvency(
  context: ChangeContext,
  { buyerExternalId, reason }: { buyerExternalId: string; reason: string },
): Promise<RecordedInsolvency> {
  const { db, platformId } = context;
  await assertNoInsolvencyWaits(context, buyerExternalId);
  const facility = await lockFacility(db, { platformId, buyerExternalId });
  const isFrozen = facility !== undefined && isFreezable(facility);
  if (isFrozen) await setFreeze(context, facility, 'freeze', reason);
  await stopReminders(context, {
    ...{ cause: 'INSOLVENCY', scope: scopeOf(buyerExternalId), reason },
    ...{ untilOn: null, promisedMinor: null },
  });
  const { currency } = facility ?? ((await findPlatform(db, platformId)) as PlatformRow);
  const reviewId = await openReview(context, {
    ...{ subject: 'INSOLVENCY', buyerExternalId, reasons: ['BUYER_INSOLVENT'], comment: reason },
    ...{ orderExternalId: null, decision: null, scriptedOutcome: null },
    ...{ currency: currency as Currency, requestedMinor: null, proposedMinor: null },
  });
  return { isFrozen, reviewId };
}

/** Lets the reminders continue, and unfreezes the facility if the insolvency froze it. `recordedAt` in unix seconds. */
export async function liftInsolvency(
  context: ChangeContext,
  { buyerExternalId, recordedAt, reason }: { buyerExternalId: string; recordedAt: number; reason: string },
): Promise<void> {
  const { db, platformId, actor, now } = context;
  const facility = await lockFacility(db, { platformId, buyerExternalId });
  // A freeze at another instant has its own reason.
  if (facility?.frozen_at === recordedAt) await setFreeze(context, facility, 'unfreeze', reason);
  const scope = scopeOf(buyerExternalId);
  await endStops(db, platformId, scope, { causes: ['INSOLVENCY'], now, actor });
  await lookAgain(db, platformId, scope, now);
}

const scopeOf = (externalId: string): LookScope => ({ scope: 'BUYER', externalId });
