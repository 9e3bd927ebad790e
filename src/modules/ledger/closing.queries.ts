/** The instant until which the books are closed. */
import type { Insertable, Selectable } from 'kysely';
import type { Db } from '#infra/database/database';
import type { LedgerClosings } from '#infra/database/schema';

export type ClosingRow = Selectable<LedgerClosings>;

/**
 * Locks the books until the transaction ends and returns their first open instant in Unix seconds; 0 if nothing is closed.
 * Waits for running postings, and later ones wait for the lock.
 */
export async function lockBooks(db: Db, platformId: number): Promise<number> {
  await db
    .insertInto('ledger_books')
    .values({ platform_id: platformId })
    .onConflict((oc) => oc.column('platform_id').doNothing())
    .execute();
  const { open_from: openFrom } = await db
    .selectFrom('ledger_books')
    .select('open_from')
    .where('platform_id', '=', platformId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return openFrom;
}

/** Records a closing. The caller has locked the books. */
export async function insertClosing(db: Db, closing: Insertable<LedgerClosings>): Promise<void> {
  const { platform_id: platformId, open_from } = closing;
  await db.insertInto('ledger_closings').values(closing).execute();
  await db.updateTable('ledger_books').set({ open_from }).where('platform_id', '=', platformId).execute();
}

/** All closings, the earliest first. */
export async function listClosings(db: Db, platformId: number): Promise<ClosingRow[]> {
  return db
    .selectFrom('ledger_closings')
    .selectAll()
    .where('platform_id', '=', platformId)
    .orderBy('open_from')
    .execute();
}
