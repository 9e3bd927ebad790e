/** A period that ends without a renewal. */
import type { DueSource } from '#infra/due-moves';
import { inTransaction } from '#infra/transaction';
import { moveOf } from '#kernel/lifecycle';
import { findNextExpiry, findPlatformsExpiring } from './due-facility.queries.ts';
import { facilityLifecycle } from './facility.lifecycle.ts';
import { lockFacility } from './facility.queries.ts';
import { moveFacility } from './move-facility.ts';

const TRIGGER = 'expire';

export const facilityExpiries: DueSource<unknown> = {
  findPlatforms: findPlatformsExpiring,
  async findNext(db, platformId, until) {
    const next = await findNextExpiry(db, platformId, until);
    return (
      next && { dueAt: next.dueAt, resource: 'facility', externalId: next.buyerExternalId, trigger: TRIGGER }
    );
  },
  async make(db, platformId, { externalId, dueAt }) {
    await inTransaction(db, async (transaction) => {
      const facility = await lockFacility(transaction, { platformId, buyerExternalId: externalId });
      // Renewed or expired meanwhile.
      if (facility?.expires_at !== dueAt || !CAN_EXPIRE.has(facility.status)) return;
      await moveFacility(
        transaction,
        facility,
        {
          move: moveOf(facilityLifecycle, facility.status, TRIGGER),
          changes: { renewal_due_at: null },
          // The limit stays known; nothing of it is available any more.
          entry: { cause: 'EXPIRED', totalChange: 0 },
        },
        { actor: 'service', now: dueAt },
      );
    });
  },
};

const CAN_EXPIRE = new Set<string | null>(
  facilityLifecycle.moves.filter((move) => move.trigger === TRIGGER).map((move) => move.from),
);
