/** Stored bank transactions, which the API does not show. */
import type { Reality } from './reality.ts';

export interface StoredTransaction {
  id: string;
  /** 0 for the sum of a batch. */
  number: number;
  queueReason: string | null;
  paymentId: string | null;
}

/** The unknown transactions, the sum of a batch first. */
export function newTransactions(reality: Reality, known: readonly string[]): Promise<StoredTransaction[]> {
  return reality.stored<StoredTransaction>(
    `select t.transaction_id as id, t.number, t.queue_reason as "queueReason", m.payment_external_id as "paymentId"
     from bank_transactions t left join bank_matches m using (platform_id, transaction_id)
     where t.platform_id = $1 and t.transaction_id <> all($2::uuid[]) order by t.number`,
    known,
  );
}

/** The payment recorded for the last match of a transaction; empty without one. */
export async function paymentOf(reality: Reality, transactionId: string): Promise<string> {
  const [found] = await reality.stored<{ payment_id: string }>(
    `select payment_external_id as payment_id from bank_matches
     where platform_id = $1 and transaction_id = $2 and payment_external_id is not null
     order by version desc limit 1`,
    transactionId,
  );
  return found?.payment_id ?? '';
}

/** The statuses of all transactions, by their ids. */
export async function transactionStatuses(reality: Reality): Promise<Record<string, string>> {
  const rows = await reality.stored<{ transaction_id: string; status: string }>(
    'select transaction_id, status from bank_transactions where platform_id = $1',
  );
  return Object.fromEntries(rows.map(({ transaction_id, status }) => [transaction_id, status]));
}
