import type { Db } from '#infra/database/database';
import { recordEvents } from '#modules/webhooks';
import type { BuyerRow } from './buyer.queries.ts';

export async function recordBuyerCreated(db: Db, buyer: BuyerRow): Promise<void> {
  await recordEvents(db, [
    {
      platformId: buyer.platform_id,
      type: 'BUYER.CREATED',
      occurredAt: buyer.created_at,
      data: { external_id: buyer.external_id, sequence: buyer.version },
    },
  ]);
}

export interface ChangedBuyer {
  buyer: BuyerRow;
  changedFields: string[];
}

/** Names the fields that changed, not their values: those may be personal. */
export async function recordBuyersUpdated(db: Db, changes: readonly ChangedBuyer[]): Promise<void> {
  await recordEvents(
    db,
    changes.map(({ buyer, changedFields }) => ({
      platformId: buyer.platform_id,
      type: 'BUYER.UPDATED',
      occurredAt: buyer.updated_at,
      data: { external_id: buyer.external_id, sequence: buyer.version, changed_fields: changedFields },
    })),
  );
}

export async function recordBuyerUpdated(db: Db, buyer: BuyerRow, changedFields: string[]): Promise<void> {
  await recordBuyersUpdated(db, [{ buyer, changedFields }]);
}
