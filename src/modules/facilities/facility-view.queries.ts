/** Facilities as the API shows them, with their pending actions. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { byPlatform, gathered } from '#infra/database/gather';
import { rowsInOrderOfBuyers, unnestBuyerKeys } from '#modules/buyers';
import type { CursorPage } from '#operation/list';
import { type ListContext, type ListTable, listKeys } from '#operation/list-table.queries';
import { availableNow } from './available-amount.rules.ts';
import { facilityLifecycle } from './facility.lifecycle.ts';
import { columnsOf, type FacilityKey, type FacilityRow } from './facility.queries.ts';
import type { Facility } from './facility.schemas.ts';

export interface FacilityView extends FacilityRow {
  pending_actions: Facility['pending_actions'];
}

/** The pending actions of `facilities f` as a column, for the platform of `k`. */
const PENDING_ACTIONS = sql<Facility['pending_actions']>`
  coalesce((
    select json_agg(json_build_object('type', a.type, 'created_at', a.created_at) order by a.created_at, a.type)
    from facility_pending_actions a
    where a.platform_id = k.platform_id and a.buyer_external_id = f.buyer_external_id
  ), '[]')`;

/** Facilities in the order of the keys; undefined for a buyer without one. Looks them up one by one, like `findFacilities`. */
export async function findFacilityViews(db: Db, keys: FacilityKey[]): Promise<(FacilityView | undefined)[]> {
  const { rows } = await sql<FacilityView>`
    select ${columnsOf('f')}, ${PENDING_ACTIONS} as pending_actions
    from ${unnestBuyerKeys(keys)}
    cross join lateral (
      select * from facilities where platform_id = k.platform_id and buyer_external_id = k.buyer_external_id offset 0
    ) f`.execute(db);
  return rowsInOrderOfBuyers(keys, rows);
}

export const findFacilityView = gathered(findFacilityViews, byPlatform);

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

export const facilityTotals = {
  list: 'facilities',
  by: [[], ['status'], ['currency'], ['risk_band']],
} as const;

const FACILITIES: ListTable<FacilityFilter> = {
  table: 'facilities',
  key: 'buyer_external_id',
  values: ['buyer_external_ids', 'status', 'currency', 'risk_band'],
  columns: { buyer_external_ids: 'buyer_external_id' },
  ranges: RANGES,
  conditions: {
    // As an array, so that PostgreSQL finds these buyers first: few actions are pending at a time.
    pending_action: (actions, platformId) =>
      sql`t.buyer_external_id = any(array(select buyer_external_id::text from facility_pending_actions
        where platform_id = ${platformId} and type = any(${actions}::text[])))`,
  },
  nullable: ['expires_at'],
  spread: { column: 'status', values: facilityLifecycle.states, after: ['currency', 'risk_band'] },
  counted: facilityTotals.by,
};

export async function listFacilityViews(context: ListContext, filter: FacilityFilter, page: CursorPage) {
  const { keys, listed } = await listKeys(context, FACILITIES, filter, page);
  const { db, platformId } = context;
  const rows = await findFacilityViews(
    db,
    keys.map((buyerExternalId) => ({ platformId, buyerExternalId })),
  );
  return { listed, rows: rows.filter((row) => row !== undefined) };
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
