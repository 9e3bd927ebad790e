import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { gathered } from '#infra/database/gather';
import type { CreditSettings } from '#infra/database/schema';
import { rowsInOrderOfBuyers, unnestBuyerKeys } from '#modules/buyers';
import type { Overdue, Standing } from './credit.rules.ts';
import { columnsOf, type FacilityKey, type FacilityRow } from './facility.queries.ts';
import { limitPolicyOf } from './limit-policy.rules.ts';

export type CreditSettingsRow = Selectable<CreditSettings>;

/** The buyer of the platform's own row. */
const OF_PLATFORM = '';

/** The columns that `standingColumns` selects. */
export interface StandingColumns {
  facility: FacilityRow | null;
  settings: CreditSettingsRow[];
  overdue: Overdue[];
}

/** SQL columns of a buyer's standing, for a larger statement. Both expressions name the buyer in that statement. */
export function standingColumns(
  platformId: RawBuilder<unknown>,
  buyerExternalId: RawBuilder<unknown>,
): RawBuilder<StandingColumns> {
  return sql`
    (select to_json(found) from (
      select ${columnsOf('f')} from facilities f
      where f.platform_id = ${platformId} and f.buyer_external_id = ${buyerExternalId}
    ) found) as facility,
    coalesce((select json_agg(setting) from credit_settings setting
      where setting.platform_id = ${platformId}
        and setting.buyer_external_id in (${sql.lit(OF_PLATFORM)}, ${buyerExternalId})), '[]') as settings,
    coalesce((select json_agg(json_build_object('due_at', due.due_at, 'currency', due.currency,
        'outstanding_amount', due.outstanding_amount)) from overdue_invoices due
      where due.platform_id = ${platformId} and due.buyer_external_id = ${buyerExternalId}), '[]') as overdue`;
}

/** Builds the standing at an instant, in unix seconds. */
export function toStanding({ facility, settings, overdue }: StandingColumns, at: number): Standing {
  const limitPolicy = limitPolicyOf(
    settings.find((each) => each.buyer_external_id === OF_PLATFORM),
    settings.find((each) => each.buyer_external_id !== OF_PLATFORM),
    at,
  );
  return { facility, limitPolicy, overdue, increaseDecisionId: null };
}

const NOTHING: StandingColumns = { facility: null, settings: [], overdue: [] };
const STANDING_OF_K = standingColumns(sql.ref('k.platform_id'), sql.ref('k.buyer_external_id'));

/**
 * Reads the standings of buyers: facility, limit policy and overdue invoices. One statement for many buyers; answers in
 * the order of the keys. `at` is in unix seconds.
 */
export async function findStandings(db: Db, keys: (FacilityKey & { at: number })[]): Promise<Standing[]> {
  const { rows } = await sql<StandingColumns & { platform_id: number; buyer_external_id: string }>`
    select k.platform_id, k.buyer_external_id, ${STANDING_OF_K}
    from ${unnestBuyerKeys(keys)}`.execute(db);
  const inOrder = rowsInOrderOfBuyers(keys, rows);
  return keys.map(({ at }, index) => toStanding(inOrder[index] ?? NOTHING, at));
}

export const findStanding = gathered(findStandings);

/** The settings of a buyer, or of the platform for an empty buyer. */
export async function findCreditSettings(db: Db, key: FacilityKey): Promise<CreditSettingsRow | undefined> {
  return db
    .selectFrom('credit_settings')
    .selectAll()
    .where('platform_id', '=', key.platformId)
    .where('buyer_external_id', '=', key.buyerExternalId)
    .executeTakeFirst();
}

/** The overrides in force at `at` (unix seconds), in the order of their buyers. */
export async function listOverrides(db: Db, platformId: number, at: number): Promise<CreditSettingsRow[]> {
  return db
    .selectFrom('credit_settings')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('buyer_external_id', '<>', OF_PLATFORM)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .orderBy('buyer_external_id')
    .execute();
}

/** Sets the given columns and keeps the others. */
export async function putCreditSettings(db: Db, settings: Insertable<CreditSettings>): Promise<void> {
  const { platform_id: _, buyer_external_id: __, ...rest } = settings;
  await db
    .insertInto('credit_settings')
    .values(settings)
    .onConflict((oc) => oc.columns(['platform_id', 'buyer_external_id']).doUpdateSet(rest))
    .execute();
}

/** Returns false if there was none. With `expiredBy` (unix seconds) deletes only what expired by then. */
export async function deleteCreditSettings(db: Db, key: FacilityKey, expiredBy?: number): Promise<boolean> {
  const result = await db
    .deleteFrom('credit_settings')
    .where('platform_id', '=', key.platformId)
    .where('buyer_external_id', '=', key.buyerExternalId)
    .$if(expiredBy !== undefined, (query) => query.where('expires_at', '<=', expiredBy as number))
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
