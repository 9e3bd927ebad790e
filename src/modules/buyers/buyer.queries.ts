import { type RawBuilder, sql } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import { byPlatform, gathered, gatheredSets } from '#infra/database/gather';
import { rowsInOrder } from '#infra/database/rows-in-order';
import { jsonb, type NewRowOf, type RowOf, table } from '#infra/database/table';
import { unnestKeys, unnestNumberedKeys } from '#infra/database/unnest-rows';
import type { Address } from '#kernel/address';
import type { LegalForm } from '#kernel/fields';
import type { Language } from '#kernel/language';
import type { CursorPage } from '#operation/list';
import { type ListContext, type ListTable, listKeys } from '#operation/list-table.queries';
import type { RegistryLink } from './buyer.schemas.ts';

export const buyersTable = table('buyers', {
  platform_id: 'int',
  external_id: 'text',
  version: 'int',
  created_at: 'bigint',
  updated_at: 'bigint',
  legal_name: 'text',
  legal_form: 'text',
  trading_name: 'text',
  registered_at: 'bigint',
  incorporated_at: 'bigint',
  business_identifiers: 'jsonb',
  business_address: 'jsonb',
  delivery_address: 'jsonb',
  custom_data: 'json',
  language: 'text',
  formality: 'text',
  checkout_language: 'text',
  registry: jsonb<RegistryLink | null>(),
  registry_company_id: 'bigint',
  overdue_since: 'bigint',
  is_company_entered: 'boolean',
  identity_changed_at: 'bigint',
  contact_email_changed_at: 'bigint',
  contact_email_sealed: 'bytea',
  is_email_from_merchant: 'boolean',
});

export type BuyerRow = RowOf<typeof buyersTable>;
/** A buyer whose company is known: not only invited. */
export type KnownBuyer = BuyerRow & { legal_name: string; legal_form: LegalForm; business_address: Address };
export interface BuyerKey {
  platformId: number;
  externalId: string;
}

/**
 * Buyers in the order of the keys; undefined for an unknown one. Each key is a separate lookup (`lateral … offset 0`): a
 * connection keeps the plan it made while the table was small, which would scan the table.
 */
export async function findBuyers(db: Db, keys: BuyerKey[]): Promise<(BuyerRow | undefined)[]> {
  const { rows } = await sql<BuyerRow>`
    select ${buyersTable.of('b')}
    from ${unnestKeys(keys)}
    cross join lateral (
      select * from buyers where platform_id = k.platform_id and external_id = k.external_id offset 0
    ) b`.execute(db);
  return rowsInOrder(keys, rows);
}

export const findBuyer = gathered(findBuyers, byPlatform);

/** Buyers in the order of the keys; undefined for an unknown one. Combines concurrent calls. */
export const readBuyers = gatheredSets(findBuyers, byPlatform);

/** Legal names in the order of the keys; undefined for an unknown buyer, null for an invited one. */
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

export const findBuyerName = gathered(findBuyerNames, byPlatform);

/** Records the language in which the buyer placed an order in the checkout. Changes nothing that the API shows. */
export async function recordCheckoutLanguage(
  db: Db,
  { platformId, externalId }: BuyerKey,
  language: Language,
): Promise<void> {
  await db
    .updateTable('buyers')
    .set({ checkout_language: language })
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .where('checkout_language', 'is distinct from', language)
    .execute();
}

export async function lockBuyer(
  db: Db,
  platformId: number,
  externalId: string,
): Promise<BuyerRow | undefined> {
  return db
    .selectFrom('buyers')
    .select(buyersTable.columns)
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .forNoKeyUpdate()
    .$castTo<BuyerRow>()
    .executeTakeFirst();
}

/** Inserts a buyer. Returns undefined if the external_id is taken. */
export async function insertBuyer(
  db: Db,
  buyer: NewRowOf<typeof buyersTable>,
): Promise<BuyerRow | undefined> {
  return db
    .insertInto('buyers')
    .values(buyersTable.insertable(buyer))
    .onConflict((oc) => oc.doNothing())
    .returning(buyersTable.columns)
    .$castTo<BuyerRow>()
    .executeTakeFirst();
}

export async function updateBuyer(
  db: Db,
  platformId: number,
  externalId: string,
  changes: Partial<BuyerRow>,
): Promise<BuyerRow> {
  return db
    .updateTable('buyers')
    .set(buyersTable.updateable(changes))
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .returning(buyersTable.columns)
    .$castTo<BuyerRow>()
    .executeTakeFirstOrThrow();
}

/**
 * The external_ids of at most `countMax` buyers whose legal name matches the pattern, in which `*` stands for any text. Ignores
 * case. The longest part without a wildcard narrows the search through the index.
 */
export async function findBuyersNamed(
  db: Db,
  platformId: number,
  pattern: string,
  countMax: number,
): Promise<string[]> {
  const longest = pattern.split('*').toSorted((one, other) => other.length - one.length)[0] as string;
  const { rows } = await sql<{ external_id: string }>`
    select b.external_id from buyers b where b.platform_id = ${platformId}
      and b.search_text like lower(${likePattern(longest)}) and ${hasLegalNameLike(pattern)}
    limit ${sql.lit(countMax)} ${sql.raw(UNPREPARED)}`.execute(db);
  return rows.map(({ external_id }) => external_id);
}

/** The condition that the legal name of buyers `b` matches a pattern, as in `findBuyersNamed`. */
export function hasLegalNameLike(pattern: string): RawBuilder<boolean> {
  return sql`lower(b.legal_name) like lower(${pattern.split('*').map(escapeLike).join('%')})`;
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

export const buyerTotals = { list: 'buyers', by: [[], ['legal_form']] } as const;

const BUYERS: ListTable<BuyerFilter> = {
  table: 'buyers',
  key: 'external_id',
  values: ['external_id', 'legal_form'],
  ranges: ['created_at', 'updated_at'],
  conditions: {
    country: (countries) => sql`(t.business_address ->> 'country') = any(${countries}::text[])`,
  },
  searches: {
    text: (text, platformId) => {
      const isInRow = sql`t.search_text like lower(${likePattern(text)})`;
      return { isInRow, byIndex: isShort(text) ? sql`${isInRow} and ${hasGram(platformId, text)}` : isInRow };
    },
  },
  nullable: ['legal_name'],
  counted: buyerTotals.by,
};

/** A search is a separate list: it refuses cursors of other texts and of the list of all buyers. */
const FOUND_BUYERS: ListTable<BuyerFilter> = { ...BUYERS, of: 'text' };

export async function listBuyerRows(context: ListContext, filter: BuyerFilter, page: CursorPage) {
  const table = filter.text === undefined ? BUYERS : FOUND_BUYERS;
  const { keys, listed } = await listKeys(context, table, filter, page);
  const { db, platformId } = context;
  const rows = await findBuyers(
    db,
    keys.map((externalId) => ({ platformId, externalId })),
  );
  return { listed, rows: rows.filter((row) => row !== undefined) };
}

/** Whether the text has at most two characters, too few for a search by trigrams. */
function isShort(text: string): boolean {
  const characters = [...text.trim()];
  // In lower case, İ is two characters.
  return characters.length <= 2 && !characters.includes('İ');
}

/** Takes a tenth of a millisecond per row, so it is combined with a cheap comparison. */
const hasGram = (platformId: number, text: string) =>
  sql`platform_grams(t.platform_id, t.search_text) @> array[lower(${`${platformId} ${text.trim()}`})]`;

// The caller's % and _ are text, not wildcards.
const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');
const likePattern = (text: string) => `%${escapeLike(text.trim())}%`;
