/** Agreements of buyers to a rate of late interest above the law's. Rows are never changed or deleted. */
import { randomUUID } from 'node:crypto';
import type { Db } from '#infra/database/database';
import { type RowOf, table } from '#infra/database/table';

const agreementsTable = table('late_interest_agreements', {
  platform_id: 'int',
  agreement_id: 'uuid',
  buyer_external_id: 'text',
  basis_points: 'int',
  agreed_on: 'text',
  source: 'text',
  recorded_at: 'bigint',
  recorded_by: 'text',
});

/** The rate that a buyer agreed to, from a day on. */
export type LateInterestAgreement = RowOf<typeof agreementsTable>;

export async function insertLateInterestAgreement(
  db: Db,
  platformId: number,
  agreement: Omit<LateInterestAgreement, 'platform_id' | 'agreement_id'>,
): Promise<void> {
  await db
    .insertInto('late_interest_agreements')
    .values({ ...agreement, platform_id: platformId, agreement_id: randomUUID() })
    .execute();
}

/** The agreements of a buyer, or of all buyers if null, latest first; at most `limit`. */
export async function listLateInterestAgreements(
  db: Db,
  platformId: number,
  { buyerExternalId, limit }: { buyerExternalId: string | null; limit: number },
): Promise<LateInterestAgreement[]> {
  const all = latestFirst(db, platformId).limit(limit);
  const ofBuyer = buyerExternalId === null ? all : all.where('buyer_external_id', '=', buyerExternalId);
  return ofBuyer.execute();
}

/** The agreement that applies to invoices of a day: the last one of this day or before. */
export async function findLateInterestAgreement(
  db: Db,
  platformId: number,
  { buyerExternalId, day }: { buyerExternalId: string; day: string },
): Promise<LateInterestAgreement | undefined> {
  return latestFirst(db, platformId)
    .where('buyer_external_id', '=', buyerExternalId)
    .where('agreed_on', '<=', day)
    .limit(1)
    .executeTakeFirst();
}

const latestFirst = (db: Db, platformId: number) =>
  db
    .selectFrom('late_interest_agreements')
    .select(agreementsTable.columns)
    .where('platform_id', '=', platformId)
    .orderBy('agreed_on', 'desc')
    .orderBy('ordinal', 'desc')
    .$castTo<LateInterestAgreement>();
