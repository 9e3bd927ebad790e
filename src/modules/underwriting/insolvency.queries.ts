/** Whether a buyer is insolvent: a review records it, until persons lift it. */
import type { Db } from '#infra/database/database';
import { lockOnPlatform } from '#infra/database/platform-lock';
import type { ReviewRow } from './review.queries.ts';

interface BuyerKey {
  platformId: number;
  buyerExternalId: string;
}

/** The review that recorded the buyer's insolvency; undefined without one, and once persons have lifted it. */
export async function findStandingInsolvency(
  db: Db,
  { platformId, buyerExternalId }: BuyerKey,
): Promise<ReviewRow | undefined> {
  const last = await db
    .selectFrom('credit_reviews')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('buyer_external_id', '=', buyerExternalId)
    .where('subject', '=', 'INSOLVENCY')
    .orderBy('opened_at', 'desc')
    // If two were opened in one second, the undecided one is the later: it recorded the insolvency again.
    .orderBy('list_order')
    .limit(1)
    .executeTakeFirst();
  return last?.outcome === 'ACCEPT' ? undefined : last;
}

/**
 * Locks the buyer's insolvency until the transaction ends: `alone` to record one, `shared` to grant credit. The lock is on a name,
 * because there may be no row. Take it after the lock of the legal entity and before that of the facility.
 */
export async function lockInsolvency(
  db: Db,
  { platformId, buyerExternalId }: BuyerKey,
  mode: 'alone' | 'shared',
): Promise<void> {
  await lockOnPlatform(db, platformId, `insolvency/${buyerExternalId}`, mode);
}

/** The buyer's standing insolvency, for a transaction that grants credit: none can be recorded before it ends. */
export async function lockStandingInsolvency(db: Db, key: BuyerKey): Promise<ReviewRow | undefined> {
  await lockInsolvency(db, key, 'shared');
  return findStandingInsolvency(db, key);
}
