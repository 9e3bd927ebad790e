/** A period that ends without a renewal. */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import type { DueSource } from '#infra/time/due-transitions';
import { transitionOf } from '#kernel/lifecycle';
import { findNextFacilityExpiry, findPlatformsExpiring } from './due-facility.queries.ts';
import { facilityLifecycle } from './facility.lifecycle.ts';
import { type FacilityRow, lockFacility } from './facility.queries.ts';
import { type Attribution, transitionFacility } from './transition-facility.ts';

const TRIGGER = 'expire';

export const facilityExpiries: DueSource<unknown, 'facility'> = {
  findPlatforms: findPlatformsExpiring,
  async findNext(db, platformId, until) {
    const next = await findNextFacilityExpiry(db, platformId, until);
    return (
      next && { dueAt: next.dueAt, resource: 'facility', externalId: next.buyerExternalId, trigger: TRIGGER }
    );
  },
  async make(db, platformId, { externalId, dueAt }) {
    await inTransaction(db, async (transaction) => {
      const facility = await lockFacility(transaction, { platformId, buyerExternalId: externalId });
      // Renewed or expired meanwhile.
      if (facility?.expires_at !== dueAt || !CAN_EXPIRE.has(facility.status)) return;
      await expireFacility(transaction, facility, { actor: 'service', now: dueAt });
    });
  },
};

/** Ends the period of a locked facility, now. Throws INVALID_STATUS_TRANSITION for one that does not run. */
export async function expireFacility(
  db: Db,
  facility: FacilityRow,
  change: Attribution,
): Promise<FacilityRow> {
  return transitionFacility(
    db,
    facility,
    {
      transition: transitionOf(facilityLifecycle, facility.status, TRIGGER),
      changes: { expires_at: change.now, renewal_due_at: null },
      // The limit stays known; nothing of it is available any more.
      entry: { cause: 'EXPIRED', totalChange: 0 },
    },
    change,
  );
}

const CAN_EXPIRE = new Set<string | null>(
  facilityLifecycle.transitions
    .filter((transition) => transition.trigger === TRIGGER)
    .map((transition) => transition.from),
);
