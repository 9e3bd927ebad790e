/** Facilities as the API shows them, with their pending actions. */
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { gathered } from '#infra/database/gather';
import type { DB } from '#infra/database/schema';
import { rowsInOrderOfBuyers, unnestBuyerKeys } from '#modules/buyers';
import { listPage, type Page } from '#operation/list';
import { sorted, within } from '#operation/list.queries';
import { availableNow } from './available-amount.rules.ts';
import { columnsOf, type FacilityKey, type FacilityRow } from './facility.queries.ts';
import type { Facility } from './facility.schemas.ts';

export interface FacilityView extends FacilityRow {
  pending_actions: Facility['pending_actions'];
}

/** A column of `facilities f`. */
const PENDING_ACTIONS = sql<Facility['pending_actions']>`
  coalesce((
    select json_agg(json_build_object('type', a.type, 'created_at', a.created_at) order by a.created_at, a.type)
    from facility_pending_actions a
    where a.platform_id = f.platform_id and a.buyer_external_id = f.buyer_external_id
  ), '[]')`;

/** In the order of the keys; undefined for a buyer without a facility. Looked up one by one, like `findFacilities`. */
export async function findFacilityViews(db: Db, keys: FacilityKey[]): Promise<(FacilityView | undefined)[]> {
  const { rows } = await sql<FacilityView>`
    select ${columnsOf('f')}, ${PENDING_ACTIONS} as pending_actions
    from ${unnestBuyerKeys(keys)}
    cross join lateral (
      select * from facilities where platform_id = k.platform_id and buyer_external_id = k.buyer_external_id offset 0
    ) f`.execute(db);
  return rowsInOrderOfBuyers(keys, rows);
}

export const findFacilityView = gathered(findFacilityViews);

export const FACILITY_SORTS = [
  'created_at',
  'updated_at',
  'expires_at',
  'total_amount',
  'available_amount',
  'used_amount',
  'buyer_external_id',
] as const;

const RANGES = ['created_at', 'updated_at', 'expires_at', 'total_amount', 'available_amount'] as const;

export interface FacilityFilter extends Partial<Record<(typeof RANGES)[number], string>> {
  buyer_external_ids?: string[];
  status?: string[];
  currency?: string[];
  risk_band?: string[];
  pending_action?: string[];
}

export async function listFacilityViews(
  db: Db,
  platformId: number,
  filter: FacilityFilter,
  sort: string | undefined,
  page: Page,
) {
  const matching = filtered(db.selectFrom('facilities as f').where('f.platform_id', '=', platformId), filter);
  const columns = Object.fromEntries(FACILITY_SORTS.map((name) => [name, sql.ref(`f.${name}`)]));
  const [rows, { total }] = await Promise.all([
    sorted(matching, sort, columns, sql.ref('f.buyer_external_id'))
      .selectAll('f')
      .select(PENDING_ACTIONS.as('pending_actions'))
      .limit(page.limit)
      .offset(page.offset)
      .$castTo<FacilityView>()
      .execute(),
    matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return listPage(rows, total, page);
}

function filtered<O>(
  query: SelectQueryBuilder<DB & { f: DB['facilities'] }, 'f', O>,
  filter: FacilityFilter,
) {
  const lists = {
    buyer_external_id: filter.buyer_external_ids,
    status: filter.status,
    currency: filter.currency,
    risk_band: filter.risk_band,
  };
  let narrowed = query;
  for (const [name, values] of Object.entries(lists))
    if (values) narrowed = narrowed.where(sql<boolean>`${sql.ref(`f.${name}`)} = any(${values})`);
  for (const name of RANGES)
    if (filter[name]) narrowed = narrowed.where(within(sql.ref(`f.${name}`), filter[name]));
  if (filter.pending_action)
    narrowed = narrowed.where(
      sql<boolean>`exists (select from facility_pending_actions a where a.platform_id = f.platform_id
        and a.buyer_external_id = f.buyer_external_id and a.type = any(${filter.pending_action}))`,
    );
  return narrowed;
}

export function toFacility(row: FacilityView): Facility {
  const {
    platform_id: _,
    version: __,
    entry_last: ___,
    price_class: ____,
    renewal_due_at: _____,
    registry_company_id: ______,
    has_entity_keys: _______,
    ...shown
  } = row;
  return { ...shown, available_amount: availableNow(row) } as Facility;
}
