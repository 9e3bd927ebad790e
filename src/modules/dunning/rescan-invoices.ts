/** Reads the invoices of a changed plan or stop in batches, and sets their next looks. */
import { inTransaction } from '#infra/database/transaction';
import type { DueSource } from '#infra/time/due-transitions';
import { dueRescans, lockRescan, makeRescan } from './dunning-rescan.queries.ts';

/** One batch of invoices per transaction. Batches do not count as transitions. */
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
