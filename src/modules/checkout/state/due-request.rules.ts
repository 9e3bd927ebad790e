/** Which credit decision a checkout requests, if any. */
import { DAY_SECONDS } from '#kernel/day';
import { isLimitTooSmall } from '#modules/facilities';
import { purchaseOf } from '#modules/orders';
import type { Snapshot } from './snapshot.ts';

/** A first facility, or a higher limit for a buyer whose facility does not cover the order. */
export type DueRequest = 'CREATION' | 'INCREASE';

/** How long after a rejection a buyer may request credit again: repeating a request does not change the decision. */
const REQUEST_AGAIN_SECONDS = DAY_SECONDS;

/** Null if no decision is due. A checkout requests one increase, and none while one is under review. */
export function dueRequestOf({
  order,
  checkout,
  standing,
  now,
}: Pick<Snapshot, 'order' | 'checkout' | 'standing' | 'now'>): DueRequest | null {
  const { facility, increaseDecisionId } = standing;
  if (facility === null) return 'CREATION';
  if (facility.status === 'REJECTED') {
    const decidedAt = facility.reviewed_at ?? facility.updated_at;
    return decidedAt + REQUEST_AGAIN_SECONDS <= now ? 'CREATION' : null;
  }
  const isDecided = increaseDecisionId !== null || (checkout?.credit_decision_id ?? null) !== null;
  if (order.status !== 'DRAFT' || isDecided) return null;
  return isLimitTooSmall(standing, purchaseOf(order), now) ? 'INCREASE' : null;
}
