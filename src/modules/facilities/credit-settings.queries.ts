import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db } from '#infra/database';
import { gathered } from '#infra/gather';
import { rowsInOrderOfBuyers } from '#infra/rows-in-order';
import type { CreditSettings } from '#infra/schema';
import { unnestedBuyerKeys } from '#infra/unnested';
import type { Overdue, Standing } from './credit.rules.ts';
import { columnsOf, type FacilityKey, type FacilityRow } from './facility.queries.ts';
import { limitPolicyOf } from './limit-policy.rules.ts';

export type CreditSettingsRow = Selectable<CreditSettings>;

/** The platform's row has no buyer. */
const OF_PLATFORM = '';

interface StandingRow {
  platform_id: number;
  buyer_external_id: string;
  facility: FacilityRow | null;
  settings: CreditSettingsRow[];
  overdue: Overdue[];
}

/**
 * What decides whether a buyer may order on credit: the facility, the limit policy that holds for the buyer, and what is
 * overdue. One statement for many buyers, in the order of the keys. `at` is in unix seconds.
 */
export async function findStandings(db: Db, keys: (FacilityKey & { at: number })[]): Promise<Standing[]> {
  const { rows } = await sql<StandingRow>`
    select k.platform_id, k.buyer_external_id,
      (select to_json(f) from (
        select ${columnsOf('f')} from facilities f
        where f.platform_id = k.platform_id and f.buyer_external_id = k.buyer_external_id
      ) f) as facility,
      coalesce((select json_agg(s) from credit_settings s
        where s.platform_id = k.platform_id and s.buyer_external_id in (${OF_PLATFORM}, k.buyer_external_id)), '[]') as settings,
      coalesce((select json_agg(json_build_object('due_at', o.due_at, 'currency', o.currency,
          'outstanding_amount', o.outstanding_amount)) from overdue_invoices o
        where o.platform_id = k.platform_id and o.buyer_external_id = k.buyer_external_id), '[]') as overdue
    from ${unnestedBuyerKeys(keys)}`.execute(db);
  const inOrder = rowsInOrderOfBuyers(keys, rows);
  return keys.map((key, index) => {
    const row = inOrder[index];
    const settings = row?.settings ?? [];
    return {
      facility: row?.facility ?? null,
      limitPolicy: limitPolicyOf(
        settings.find((each) => each.buyer_external_id === OF_PLATFORM),
        settings.find((each) => each.buyer_external_id !== OF_PLATFORM),
        key.at,
      ),
      overdue: row?.overdue ?? [],
    };
  });
}

export const findStanding = gathered(findStandings);

/** With an empty buyer: the platform's own. */
export async function findCreditSettings(db: Db, key: FacilityKey): Promise<CreditSettingsRow | undefined> {
  return db
    .selectFrom('credit_settings')
    .selectAll()
    .where('platform_id', '=', key.platformId)
    .where('buyer_external_id', '=', key.buyerExternalId)
    .executeTakeFirst();
}

/** Sets what is given; what was set before and is not given stays. */
export async function putCreditSettings(db: Db, settings: Insertable<CreditSettings>): Promise<void> {
  const { platform_id: _, buyer_external_id: __, ...rest } = settings;
  await db
    .insertInto('credit_settings')
    .values(settings)
    .onConflict((oc) => oc.columns(['platform_id', 'buyer_external_id']).doUpdateSet(rest))
    .execute();
}

/** False where there was none. With `expiredBy` (unix seconds) only what was over by then. */
export async function deleteCreditSettings(db: Db, key: FacilityKey, expiredBy?: number): Promise<boolean> {
  const result = await db
    .deleteFrom('credit_settings')
    .where('platform_id', '=', key.platformId)
    .where('buyer_external_id', '=', key.buyerExternalId)
    .$if(expiredBy !== undefined, (query) => query.where('expires_at', '<=', expiredBy as number))
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
