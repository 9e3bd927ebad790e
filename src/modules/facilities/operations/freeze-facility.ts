import { notFound } from '#kernel/problem';
import { type ChangeContext, type Context, operation } from '#operation/operation';
import { type FacilityRow, lockFacility } from '../facility.queries.ts';
import { Facility, FacilityFreeze, FacilityParams } from '../facility.schemas.ts';
import { type FacilityView, findFacilityView, toFacility } from '../facility-view.queries.ts';
import { facilityTransitionOf } from '../freeze.rules.ts';
import { transitionFacility } from '../transition-facility.ts';

export const freezeFacility = operation({
  id: 'freezeFacility',
  summary: "Stop new orders on a buyer's facility",
  description:
    'For operators. Existing orders and invoices continue, and prepayment is allowed. A facility whose period has ended stays ' +
    'EXPIRED, and is not renewed before it is unfrozen.',
  tag: 'Facilities',
  scope: 'admin',
  effect: 'transaction',
  params: FacilityParams,
  body: FacilityFreeze,
  isConditional: true,
  isVersioned: true,
  status: 200,
  response: Facility,
  problems: ['NOT_FOUND', 'INVALID_STATUS_TRANSITION'],
  run: (context, { params, body }) => changeFreeze(context, params.external_id, 'freeze', body.reason),
});

/** Freezes or unfreezes a facility. Throws NOT_FOUND and INVALID_STATUS_TRANSITION. */
export async function changeFreeze(
  context: Context,
  buyerExternalId: string,
  trigger: 'freeze' | 'unfreeze',
  reason: string,
) {
  const { db, platformId, assertVersion } = context;
  const key = { platformId, buyerExternalId };
  const facility = await lockFacility(db, key);
  if (!facility) throw notFound();
  assertVersion(facility.version);
  const { version } = await setFreeze(context, facility, trigger, reason);
  const body = toFacility((await findFacilityView(db, key)) as FacilityView);
  return { body, version, isBeyondVersion: body.pending_actions.length > 0 };
}

/** Like `changeFreeze`, for a facility that the caller's transaction has locked. */
export function setFreeze(
  context: ChangeContext,
  facility: FacilityRow,
  trigger: 'freeze' | 'unfreeze',
  reason: string,
): Promise<FacilityRow> {
  const transition = facilityTransitionOf(facility, trigger);
  const changes = trigger === 'unfreeze' ? { renewal_due_at: notBefore(facility, context.now) } : {};
  return transitionFacility(context, facility, { transition, changes }, reason);
}

/** A renewal that fell due during the freeze becomes due now, because at its own instant it would precede the unfreeze. */
function notBefore({ renewal_due_at: dueAt }: FacilityRow, now: number): number | null {
  return dueAt === null ? null : Math.max(dueAt, now);
}
