/**
 * Only operators end a freeze, so it outlasts the period of the facility. It can also begin after the period. Until it ends,
 * an EXPIRED facility is not renewed, because the renewal would make it ACTIVE.
 */
import { type Transition, transitionOf } from '#kernel/lifecycle';
import { refusal } from '#kernel/problem';
import { type FacilityStatus, type FacilityTrigger, facilityLifecycle } from './facility.lifecycle.ts';
import type { FacilityRow } from './facility.queries.ts';

type Frozen = Pick<FacilityRow, 'status' | 'frozen_at'>;
type OfFacility = Transition<FacilityStatus, FacilityTrigger>;

/**
 * The transition of a facility for this trigger. Throws INVALID_STATUS_TRANSITION, also when an EXPIRED facility would be
 * unfrozen without a freeze or frozen twice, and FACILITY_FROZEN for a renewal while a freeze stands.
 */
export function facilityTransitionOf(facility: Frozen, trigger: FacilityTrigger): OfFacility {
  const transition = transitionOf(facilityLifecycle, facility.status, trigger);
  if (facility.status !== 'EXPIRED') return transition;
  const isFrozen = facility.frozen_at !== null;
  if (isFrozen && (trigger === 'renew' || trigger === 'refer_renewal'))
    throw refusal(
      'FACILITY_FROZEN',
      'The facility is EXPIRED and frozen: an operator must unfreeze it before it can be renewed',
      { frozen_at: facility.frozen_at },
    );
  if (trigger === (isFrozen ? 'freeze' : 'unfreeze'))
    throw refusal('INVALID_STATUS_TRANSITION', `The facility is ${isFrozen ? '' : 'not '}frozen`, {
      status: facility.status,
      trigger,
      allowed: facilityLifecycle.transitions
        .filter(({ from, trigger: other }) => from === facility.status && other !== trigger)
        .map(({ trigger: other }) => other),
    });
  return transition;
}

/** Whether operators can freeze the facility. */
export const isFreezable = ({ status, frozen_at }: Frozen): boolean =>
  frozen_at === null &&
  facilityLifecycle.transitions.some(({ from, trigger }) => from === status && trigger === 'freeze');

/** The beginning of the freeze that stands after the transition, in unix seconds; null without one. */
export function freezeAfter(
  { frozen_at: since }: Frozen,
  transition: OfFacility,
  now: number,
): number | null {
  if (transition.trigger === 'unfreeze') return null;
  return transition.to === 'FROZEN' || transition.trigger === 'freeze' ? (since ?? now) : since;
}
