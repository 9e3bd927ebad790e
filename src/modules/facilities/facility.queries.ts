import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { isNotRelocating, onEachPlatform } from '#infra/database/each-platform';
import { byPlatform, gathered } from '#infra/database/gather';
import type { Facilities, FacilityPendingActions, FacilityTransitions } from '#infra/database/schema';
import { arrayOf } from '#infra/database/unnest-rows';
import type { Currency } from '#kernel/currency';
import { rowsInOrderOfBuyers, unnestBuyerKeys } from '#modules/buyers';
import type { CursorPage } from '#operation/list';
import { type ListContext, type ListTable, listRows } from '#operation/list-table.queries';
import type { FacilityStatus } from './facility.lifecycle.ts';

export interface FacilityRow extends Omit<Selectable<Facilities>, 'status' | 'currency'> {
  status: FacilityStatus;
  currency: Currency;
}

export interface FacilityKey {
  platformId: number;
  buyerExternalId: string;
}

export function facilityKeyOf(row: Pick<FacilityRow, 'platform_id' | 'buyer_external_id'>): FacilityKey {
  return { platformId: row.platform_id, buyerExternalId: row.buyer_external_id };
}

const COLUMNS = [
  'platform_id',
  'buyer_external_id',
  'status',
  'version',
  'created_at',
  'updated_at',
  'currency',
  'total_amount',
  'used_amount',
  'pending_orders_amount',
  'available_amount',
  'entry_last',
  'risk_band',
  'price_class',
  'reviewed_at',
  'expires_at',
  'renewal_due_at',
  'decision_id',
  'registry_company_id',
  'frozen_at',
  'has_entity_keys',
] as const satisfies readonly (keyof FacilityRow)[];

export function columnsOf(alias: 'c' | 'f' | 'l') {
  return WRITTEN_OUT[alias];
}

// Written out once: composing the list for each statement costs more than the rest of its text.
const WRITTEN_OUT = {
  c: sql.raw(COLUMNS.map((column) => `c.${column}`).join(', ')),
  f: sql.raw(COLUMNS.map((column) => `f.${column}`).join(', ')),
  l: sql.raw(COLUMNS.map((column) => `l.${column}`).join(', ')),
};

/**
 * Facilities in the order of the keys; undefined for a buyer without one. `lateral … offset 0` looks each up by its key: a
 * connection keeps the plan it made while the table was small, and that plan would read the whole table.
 */
export async function findFacilities(db: Db, keys: FacilityKey[]): Promise<(FacilityRow | undefined)[]> {
  const { rows } = await sql<FacilityRow>`
    select ${columnsOf('f')}
    from ${unnestBuyerKeys(keys)}
    cross join lateral (
      select * from facilities where platform_id = k.platform_id and buyer_external_id = k.buyer_external_id offset 0
    ) f`.execute(db);
  return rowsInOrderOfBuyers(keys, rows);
}

export const findFacility = gathered(findFacilities, byPlatform);

/** Locks a facility. Every change of credit locks in this order: facility, order, invoice. */
export async function lockFacility(db: Db, key: FacilityKey): Promise<FacilityRow | undefined> {
  return db
    .selectFrom('facilities')
    .selectAll()
    .where('platform_id', '=', key.platformId)
    .where('buyer_external_id', '=', key.buyerExternalId)
    .forNoKeyUpdate()
    .$castTo<FacilityRow>()
    .executeTakeFirst();
}

/** Locks the facilities of some buyers in the order of their keys. A buyer without one is ignored. */
export async function lockFacilities(
  db: Db,
  platformId: number,
  buyerExternalIds: readonly string[],
): Promise<void> {
  await sql`
    select from facilities
    where platform_id = ${platformId} and buyer_external_id = any(${arrayOf('text', buyerExternalIds)})
    order by buyer_external_id
    for no key update`.execute(db);
}

/** Locks ACTIVE facilities of all platforms whose last decision found one of the companies, or whose buyer follows one. */
export async function lockActiveFacilitiesOf(
  db: Db,
  companyIds: readonly number[],
  countMax: number,
): Promise<FacilityRow[]> {
  const { rows: concerned } = await sql<Pick<FacilityRow, 'platform_id' | 'buyer_external_id'>>`
    select platform_id, buyer_external_id from facilities
    where registry_company_id = any(${companyIds}::bigint[]) and status = 'ACTIVE'
      and ${isNotRelocating('platform_id')}
    union
    select b.platform_id, b.external_id from buyers b
    join facilities f on f.platform_id = b.platform_id and f.buyer_external_id = b.external_id and f.status = 'ACTIVE'
    where b.registry_company_id = any(${companyIds}::bigint[])
      and ${isNotRelocating('b.platform_id')}
    order by 1, 2 limit ${countMax}`.execute(db);
  return onEachPlatform(concerned, async (platformId, facilities) => {
    const buyerExternalIds = facilities.map((each) => each.buyer_external_id);
    const { rows } = await sql<FacilityRow>`
      select ${columnsOf('f')} from facilities f
      where f.platform_id = ${platformId} and f.status = 'ACTIVE'
        and f.buyer_external_id = any(${arrayOf('text', buyerExternalIds)})
      order by f.buyer_external_id
      for no key update`.execute(db);
    return rows;
  });
}

/** Inserts a facility. Returns undefined if the buyer already has one. */
export async function insertFacility(
  db: Db,
  facility: Insertable<Facilities>,
): Promise<FacilityRow | undefined> {
  return db
    .insertInto('facilities')
    .values(facility)
    .onConflict((oc) => oc.doNothing())
    .returningAll()
    .$castTo<FacilityRow>()
    .executeTakeFirst();
}

/** Every column but the amounts, which only the ledger writes. */
export type FacilityChanges = Partial<
  Omit<
    FacilityRow,
    | 'platform_id'
    | 'buyer_external_id'
    | 'total_amount'
    | 'used_amount'
    | 'pending_orders_amount'
    | 'available_amount'
    | 'entry_last'
  >
>;

export async function updateFacility(
  db: Db,
  key: FacilityKey,
  changes: FacilityChanges,
): Promise<FacilityRow> {
  return db
    .updateTable('facilities')
    .set(changes)
    .where('platform_id', '=', key.platformId)
    .where('buyer_external_id', '=', key.buyerExternalId)
    .returningAll()
    .$castTo<FacilityRow>()
    .executeTakeFirstOrThrow();
}

export async function insertFacilityTransition(
  db: Db,
  transition: Insertable<FacilityTransitions>,
): Promise<void> {
  await db.insertInto('facility_transitions').values(transition).execute();
}

const TRANSITIONS: ListTable<{ buyer_external_id: string[] }> = {
  table: 'facility_transitions',
  key: 'version',
  of: 'buyer_external_id',
  sort: '-version',
  values: ['buyer_external_id'],
  ranges: [],
};

/** Transitions of a facility, the newest first. */
export async function listFacilityTransitions(
  context: ListContext,
  buyerExternalId: string,
  page: CursorPage,
) {
  const ofFacility = { buyer_external_id: [buyerExternalId] };
  return listRows<typeof ofFacility, Selectable<FacilityTransitions>>(context, TRANSITIONS, ofFacility, page);
}

/** SQL for the version of the facility's last transition by a decision, for a larger statement; 0 without one. */
export function lastDecidedOf(
  platformId: RawBuilder<unknown>,
  buyerExternalId: RawBuilder<unknown>,
): RawBuilder<number> {
  return sql`(select coalesce(max(version), 0) from facility_transitions
    where platform_id = ${platformId} and buyer_external_id = ${buyerExternalId} and decision_id is not null)`;
}

/** The version of the facility's last transition by a decision; 0 without one. */
export async function findLastDecided(db: Db, { platformId, buyerExternalId }: FacilityKey): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select ${lastDecidedOf(sql.val(platformId), sql.val(buyerExternalId))} as last`.execute(db);
  return rows[0]?.last ?? 0;
}

/** The decision of the facility's last transition by a decision; undefined without one. */
export async function findLastDecisionId(
  db: Db,
  { platformId, buyerExternalId }: FacilityKey,
): Promise<string | undefined> {
  const transition = await db
    .selectFrom('facility_transitions')
    .select('decision_id')
    .where('platform_id', '=', platformId)
    .where('buyer_external_id', '=', buyerExternalId)
    .where('decision_id', 'is not', null)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return transition?.decision_id ?? undefined;
}

/** Inserts a pending action. Returns false if an action of this type is already pending. */
export async function insertPendingAction(
  db: Db,
  action: Insertable<FacilityPendingActions>,
): Promise<boolean> {
  const result = await db
    .insertInto('facility_pending_actions')
    .values(action)
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function deletePendingAction(
  db: Db,
  key: FacilityKey,
  type: 'CREATION' | 'RENEWAL' | 'INCREASE',
): Promise<void> {
  await db
    .deleteFrom('facility_pending_actions')
    .where('platform_id', '=', key.platformId)
    .where('buyer_external_id', '=', key.buyerExternalId)
    .where('type', '=', type)
    .execute();
}

/** SQL for the decision that referred the facility's pending increase, for a larger statement; null without one. */
export function increaseDecisionOf(
  platformId: RawBuilder<unknown>,
  buyerExternalId: RawBuilder<unknown>,
): RawBuilder<string | null> {
  return sql`(select r.decision_id from facility_pending_actions a
    join credit_reviews r on r.platform_id = a.platform_id and r.review_id = a.review_id
    where a.platform_id = ${platformId} and a.buyer_external_id = ${buyerExternalId} and a.type = 'INCREASE')`;
}

/** The decision that referred the facility's pending increase; null without one. */
export async function findIncreaseDecisionId(
  db: Db,
  { platformId, buyerExternalId }: FacilityKey,
): Promise<string | null> {
  const { rows } = await sql<{ found: string | null }>`
    select ${increaseDecisionOf(sql.val(platformId), sql.val(buyerExternalId))} as found`.execute(db);
  return rows[0]?.found ?? null;
}

/** The review that the facility waits for; undefined without a pending action of this type. */
export async function findAwaitedReviewId(
  db: Db,
  { platformId, buyerExternalId }: FacilityKey,
  type: 'CREATION' | 'RENEWAL' | 'INCREASE',
): Promise<string | undefined> {
  const action = await db
    .selectFrom('facility_pending_actions')
    .select('review_id')
    .where('platform_id', '=', platformId)
    .where('buyer_external_id', '=', buyerExternalId)
    .where('type', '=', type)
    .executeTakeFirst();
  return action?.review_id;
}
