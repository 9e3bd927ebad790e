import { transitionOf } from '#kernel/lifecycle';
import { notFound } from '#kernel/problem';
import type { Context } from '#operation/operation';
import { facilityLifecycle } from './facility.lifecycle.ts';
import { type FacilityRow, lockFacility } from './facility.queries.ts';
import { type FacilityView, findFacilityView, toFacility } from './facility-view.queries.ts';
import { transitionFacility } from './transition-facility.ts';

/** An operator stops new orders, or allows them again, and says why. */
export async function freezing(
  { db, platformId, actor, now, assertVersion }: Context,
  buyerExternalId: string,
  trigger: 'freeze' | 'unfreeze',
  reason: string,
) {
  const key = { platformId, buyerExternalId };
  const facility = await lockFacility(db, key);
  if (!facility) throw notFound();
  assertVersion(facility.version);
  const transition = transitionOf(facilityLifecycle, facility.status, trigger);
  const changes = trigger === 'unfreeze' ? { renewal_due_at: notBefore(facility, now) } : {};
  const { version } = await transitionFacility(db, facility, { transition, changes }, { actor, now, reason });
  return { body: toFacility((await findFacilityView(db, key)) as FacilityView), version };
}

/** What fell due while nobody could ask is due now: asked for as of then, it would stand before the unfreezing. */
function notBefore({ renewal_due_at: dueAt }: FacilityRow, now: number): number | null {
  return dueAt === null ? null : Math.max(dueAt, now);
}
