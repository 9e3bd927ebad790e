/** Unfreezing by operators. A frozen facility takes no orders, so unfreezing it raises what the buyer can owe. */
import { transitionOf } from '#kernel/lifecycle';
import { notFound } from '#kernel/problem';
import { type ChangeKind, mayAct } from '#modules/operators';
import { facilityLifecycle } from './facility.lifecycle.ts';
import { lockFacility } from './facility.queries.ts';
import { setFreeze } from './operations/freeze-facility.ts';

export interface Unfreezing {
  buyerExternalId: string;
}

export const facilityUnfreezing: ChangeKind<Unfreezing> = {
  name: 'FACILITY_UNFREEZING',
  role: 'CREDIT',
  mayApprove: (role) => mayAct(role, 'CREDIT'),
  /** Throws NOT_FOUND, and INVALID_STATUS_TRANSITION unless the facility is frozen. */
  async plan(context, { buyerExternalId }) {
    const { db, platformId } = context;
    const facility = await lockFacility(db, { platformId, buyerExternalId });
    if (!facility) throw notFound();
    const { from, to } = transitionOf(facilityLifecycle, facility.status, 'unfreeze');
    return {
      subject: `facility of buyer ${buyerExternalId}`,
      // A later freeze is another one: its version differs.
      before: { status: from, version: facility.version },
      after: { status: to },
      takesTwo: true,
      async apply({ actor, reason }) {
        await setFreeze({ ...context, actor }, facility, 'unfreeze', reason);
      },
    };
  },
};
