/**
 * Unfreezing by operators. A frozen facility takes no orders, and is not renewed once its period has ended, so unfreezing
 * it raises what the buyer can owe.
 */
import { notFound } from '#kernel/problem';
import { type ChangeKind, mayAct } from '#modules/operators';
import { lockFacility } from './facility.queries.ts';
import { facilityTransitionOf } from './freeze.rules.ts';
import { setFreeze } from './operations/freeze-facility.ts';

export interface Unfreezing {
  buyerExternalId: string;
}

export const facilityUnfreezing: ChangeKind<Unfreezing> = {
  name: 'FACILITY_UNFREEZING',
  role: 'CREDIT',
  mayApprove: (role) => mayAct(role, 'CREDIT'),
  /** Throws NOT_FOUND, and INVALID_STATUS_TRANSITION unless a freeze stands. */
  async plan(context, { buyerExternalId }) {
    const { db, platformId } = context;
    const facility = await lockFacility(db, { platformId, buyerExternalId });
    if (!facility) throw notFound();
    const { from, to } = facilityTransitionOf(facility, 'unfreeze');
    return {
      subject: `facility of buyer ${buyerExternalId}`,
      // The version tells this freeze from a later one.
      before: { status: from, frozen_at: facility.frozen_at, version: facility.version },
      after: { status: to, frozen_at: null },
      takesTwo: true,
      async apply({ actor, reason }) {
        await setFreeze({ ...context, actor }, facility, 'unfreeze', reason);
      },
    };
  },
};
