/** Whether a renewal or an increase can be asked for now: before the question, and again under the lock. */
import type { Db } from '#infra/database/database';
import { transitionOf } from '#kernel/lifecycle';
import { notFound, refusal } from '#kernel/problem';
import { triggerOf, underReview } from './apply-decision.ts';
import { facilityLifecycle } from './facility.lifecycle.ts';
import { type FacilityKey, type FacilityRow, lockFacility } from './facility.queries.ts';
import { type FacilityView, findFacilityView } from './facility-view.queries.ts';

type Asked = 'RENEWAL' | 'INCREASE';

/**
 * Throws NOT_FOUND, INVALID_STATUS_TRANSITION, PENDING_RENEWAL or PENDING_INCREASE, and INCREASE_NOT_ABOVE_LIMIT.
 */
export async function assertRequestable(
  { db, platformId }: { db: Db; platformId: number },
  buyerExternalId: string,
  about: Asked,
  requestedMinor?: number,
): Promise<FacilityView> {
  const facility = await findFacilityView(db, { platformId, buyerExternalId });
  if (!facility) throw notFound();
  assertStatus(facility, about, requestedMinor);
  if (facility.pending_actions.some(({ type }) => type === about)) throw underReview(about, facility);
  return facility;
}

/** What waits for a person by now is found when the decision is compared with the last one. */
export async function lockRequestable(
  db: Db,
  key: FacilityKey,
  about: Asked,
  requestedMinor?: number,
): Promise<FacilityRow> {
  const facility = await lockFacility(db, key);
  if (!facility) throw notFound();
  assertStatus(facility, about, requestedMinor);
  return facility;
}

function assertStatus(facility: FacilityRow, about: Asked, requestedMinor?: number): void {
  transitionOf(facilityLifecycle, facility.status, triggerOf(about, 'REFER'));
  if (requestedMinor !== undefined && requestedMinor <= facility.total_amount)
    throw refusal('INCREASE_NOT_ABOVE_LIMIT', `The limit is ${facility.total_amount} already`, {
      requested: requestedMinor,
      total_amount: facility.total_amount,
    });
}
