/** Reads the invoices of a plan or a stop that has changed, in batches, so that the worker looks at them again. */
import { inTransaction } from '#infra/database/transaction';
import type { DueSource } from '#infra/time/due-transitions';
import { dueRescans, lockRescan, makeRescan } from './dunning-rescan.queries.ts';

/** A batch of invoices in each transaction. None of them counts as a transition. */
export const rescans: DueSource<unknown, 'invoice'> = {
  ...dueRescans,
  togetherMax: 1,
  async make(db, platformId, due) {
    for (const { externalId } of due)
      await inTransaction(db, async (transaction) => {
        const rescan = await lockRescan(transaction, platformId, externalId);
        if (rescan) await makeRescan(transaction, rescan);
      });
    return [];
  },
};
