/** Writers of the ledger. Each posts one entry after the other, each in its own transaction. */
import type pg from 'pg';
import { openDatabase } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import { credit, debit, post } from '#modules/ledger';
import { type Measurement, measure } from './measure.ts';
import { answerJobs } from './part.ts';

export interface PostJob {
  connection: pg.ClientConfig;
  durationMs: number;
  /** The platform of each writer. */
  platformIds: number[];
}

async function postEntries({ connection, durationMs, platformIds }: PostJob): Promise<Measurement> {
  const { db, close } = openDatabase({ connection, connectionsMax: platformIds.length });
  const lines = [
    debit('bank', 11_900, 'main'),
    credit('buyer_receivable', 11_400, 'buyer'),
    credit('fee_income', 500),
  ];
  try {
    return await measure({ durationMs, loops: platformIds.length }, async (loop) => {
      const platformId = platformIds[loop] ?? 0;
      await inTransaction(db, (transaction) =>
        post(transaction, platformId, [
          { cause: 'PAYMENT_RECORDED', currency: 'EUR', effectiveAt: 1_763_640_000, actor: 'service', lines },
        ]),
      );
    });
  } finally {
    await close();
  }
}

if (import.meta.main) answerJobs(postEntries);
