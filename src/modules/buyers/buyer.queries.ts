import { type Insertable, type Selectable, type SelectQueryBuilder, sql, type Updateable } from 'kysely';
import type { Db } from '#infra/database/database';
import { gathered } from '#infra/database/gather';
import { rowsInOrder } from '#infra/database/rows-in-order';
import type { Buyers, DB } from '#infra/database/schema';
import { unnestKeys, unnestNumberedKeys } from '#infra/database/unnest-rows';
import type { Address } from '#kernel/address';
import type { LegalForm } from '#kernel/fields';
import { listPage, type Page } from '#operation/list';
import { sorted, within } from '#operation/list.queries';
import type { RegistryLink } from './buyer.schemas.ts';

export type BuyerRow = Omit<Selectable<Buyers>, 'search_text' | 'registry'> & {
  registry: RegistryLink | null;
};
/** A buyer whose company is known: not only invited. */
export type KnownBuyer = BuyerRow & { legal_name: string; legal_form: LegalForm; business_address: Address };
export interface BuyerKey {
  platformId: number;
  externalId: string;
}

const COLUMNS = [
  'platform_id',
  'external_id',
  'version',
  'created_at',
  'updated_at',
  'legal_name',
  'legal_form',
  'trading_name',
  'registered_at',
  'incorporated_at',
  'business_identifiers',
  'business_address',
  'delivery_address',
  'custom_data',
  'language',
  'formality',
  'registry',
  'registry_company_id',
  'overdue_since',
  'contact_email_sealed',
] as const;

/** Of `buyers b`. Written out once: composing the list anew took three times as long as the rest of the statement. */
export const BUYER_COLUMNS_OF_B = sql.raw(COLUMNS.map((column) => `b.${column}`).join(', '));

/**
 * In the order of the keys; undefined where there is no such buyer. Each is looked up by itself (`lateral … offset 0`):
 * a connection keeps the plan it made while the table was small, and that one would read the whole of it.
 */
export async function findBuyers(db: Db, keys: BuyerKey[]): Promise<(BuyerRow | undefined)[]> {
  const { rows } = await sql<BuyerRow>`
    select ${BUYER_COLUMNS_OF_B}
    from ${unnestKeys(keys)}
    cross join lateral (
      select * from buyers where platform_id = k.platform_id and external_id = k.external_id offset 0
    ) b`.execute(db);
  return rowsInOrder(keys, rows);
}

export const findBuyer = gathered(findBuyers);

/**
 * In the order of the keys; undefined where there is no such buyer, null where its company is not known yet. For whoever
 * needs no more of it than that.
 */
export async function findBuyerNames(db: Db, keys: BuyerKey[]): Promise<(string | null | undefined)[]> {
  const { rows } = await sql<{ external_id: string | null; legal_name: string | null }>`
    select b.external_id, b.legal_name
    from ${unnestNumberedKeys(keys)}
    left join lateral (
      select external_id, legal_name from buyers where platform_id = k.platform_id and external_id = k.external_id offset 0
    ) b on true
    order by k.nth`.execute(db);
  return rows.map((row) => (row.external_id === null ? undefined : row.legal_name));
}

export const findBuyerName = gathered(findBuyerNames);

export async function lockBuyer(
  db: Db,
  platformId: number,
  externalId: string,
): Promise<BuyerRow | undefined> {
  return db
    .selectFrom('buyers')
    .select(COLUMNS)
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .forNoKeyUpdate()
    .$castTo<BuyerRow>()
    .executeTakeFirst();
}

/** Undefined where the external_id is taken. */
export async function insertBuyer(db: Db, buyer: Insertable<Buyers>): Promise<BuyerRow | undefined> {
  return db
    .insertInto('buyers')
    .values(buyer)
    .onConflict((oc) => oc.doNothing())
    .returning(COLUMNS)
    .$castTo<BuyerRow>()
    .executeTakeFirst();
}

export async function updateBuyer(
  db: Db,
  platformId: number,
  externalId: string,
  changes: Updateable<Buyers>,
): Promise<BuyerRow> {
  return db
    .updateTable('buyers')
    .set(changes)
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .returning(COLUMNS)
    .$castTo<BuyerRow>()
    .executeTakeFirstOrThrow();
}

export const BUYER_SORTS = ['created_at', 'updated_at', 'legal_name', 'external_id'] as const;

export interface BuyerFilter {
  external_id?: string[];
  legal_form?: LegalForm[];
  country?: string[];
  created_at?: string;
  updated_at?: string;
  /** Part of an external_id, name or identifier value; case does not matter. */
  text?: string;
}

export async function listBuyerRows(
  db: Db,
  platformId: number,
  filter: BuyerFilter,
  sort: string | undefined,
  page: Page,
) {
  const matching = filtered(db.selectFrom('buyers').where('platform_id', '=', platformId), filter);
  const columns = Object.fromEntries(BUYER_SORTS.map((name) => [name, sql.ref(name)]));
  const [rows, { total }] = await Promise.all([
    sorted(matching.select(COLUMNS).$castTo<BuyerRow>(), sort, columns, sql.ref('external_id'))
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return listPage(rows, total, page);
}

function filtered<O>(query: SelectQueryBuilder<DB, 'buyers', O>, filter: BuyerFilter) {
  let narrowed = query;
  if (filter.external_id) narrowed = narrowed.where(sql<boolean>`external_id = any(${filter.external_id})`);
  if (filter.legal_form) narrowed = narrowed.where(sql<boolean>`legal_form = any(${filter.legal_form})`);
  if (filter.country)
    narrowed = narrowed.where(sql<boolean>`business_address ->> 'country' = any(${filter.country})`);
  if (filter.created_at) narrowed = narrowed.where(within(sql.ref('created_at'), filter.created_at));
  if (filter.updated_at) narrowed = narrowed.where(within(sql.ref('updated_at'), filter.updated_at));
  if (filter.text !== undefined)
    narrowed = narrowed.where(sql<boolean>`search_text like lower(${likePattern(filter.text)})`);
  return narrowed;
}

// The caller's % and _ are text, not wildcards.
const likePattern = (text: string) => `%${text.trim().replaceAll(/[\\%_]/g, '\\$&')}%`;
