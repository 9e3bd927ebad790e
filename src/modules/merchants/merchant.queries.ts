import type { Insertable, Selectable, Updateable } from 'kysely';
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { gathered } from '#infra/database/gather';
import { rowsInOrder } from '#infra/database/rows-in-order';
import type { Merchants } from '#infra/database/schema';
import { unnestKeys, unnestNumberedKeys } from '#infra/database/unnest-rows';
import type { PlatformVault } from '#infra/secrets/vault';
import { listPage, type Page } from '#operation/list';
import type { Merchant } from './merchant.schemas.ts';

export type MerchantRow = Selectable<Merchants>;
export interface MerchantKey {
  platformId: number;
  externalId: string;
}

/** What buyers know a merchant by. */
export function shownName({
  trading_name,
  legal_name,
}: Pick<MerchantRow, 'trading_name' | 'legal_name'>): string {
  return trading_name ?? legal_name;
}

/** In the order of the keys; undefined where there is no such merchant. */
export async function findMerchants(db: Db, keys: MerchantKey[]): Promise<(MerchantRow | undefined)[]> {
  const { rows } = await sql<MerchantRow>`
    select m.* from ${unnestKeys(keys)}
    cross join lateral (
      select * from merchants where platform_id = k.platform_id and external_id = k.external_id offset 0
    ) m`.execute(db);
  return rowsInOrder(keys, rows);
}

export const findMerchant = gathered(findMerchants);

/** In the order of the keys. */
export async function existMerchants(db: Db, keys: MerchantKey[]): Promise<boolean[]> {
  const { rows } = await sql<{ exists: boolean }>`
    select exists (
      select from merchants m where m.platform_id = k.platform_id and m.external_id = k.external_id offset 0
    ) as "exists"
    from ${unnestNumberedKeys(keys)}
    order by k.nth`.execute(db);
  return rows.map((row) => row.exists);
}

export const existsMerchant = gathered(existMerchants);

/** Until the transaction ends, no other one registers a merchant of this platform that asks for this first. */
export async function lockRegistration(db: Db, platformId: number): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('tradeline/merchants', p.platform_id))
    from (values (${platformId}::int)) p (platform_id)`.execute(db);
}

/** The merchant of a single-merchant platform; undefined before it is registered. */
export async function findOnlyMerchant(db: Db, platformId: number): Promise<MerchantRow | undefined> {
  return db
    .selectFrom('merchants')
    .selectAll()
    .where('platform_id', '=', platformId)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
}

export async function lockMerchant(
  db: Db,
  platformId: number,
  externalId: string,
): Promise<MerchantRow | undefined> {
  return db
    .selectFrom('merchants')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Undefined where the external_id is taken. */
export async function insertMerchant(
  db: Db,
  merchant: Insertable<Merchants>,
): Promise<MerchantRow | undefined> {
  return db
    .insertInto('merchants')
    .values(merchant)
    .onConflict((oc) => oc.doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function updateMerchant(
  db: Db,
  platformId: number,
  externalId: string,
  changes: Updateable<Merchants>,
): Promise<MerchantRow> {
  return db
    .updateTable('merchants')
    .set(changes)
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Newest first. `onlyExternalId` is the one merchant a restricted key may see. */
export async function listMerchantRows(
  db: Db,
  platformId: number,
  onlyExternalId: string | null,
  page: Page,
) {
  const matching = db
    .selectFrom('merchants')
    .where('platform_id', '=', platformId)
    .$if(onlyExternalId !== null, (query) => query.where('external_id', '=', onlyExternalId as string));
  const [rows, { total }] = await Promise.all([
    matching
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('external_id')
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return listPage(rows, total, page);
}

const placeOf = (externalId: string) => `merchants/${externalId}/contact_emails`;

export function sealEmails(vault: PlatformVault, externalId: string, emails: string[]): Buffer {
  return vault.seal(placeOf(externalId), JSON.stringify(emails));
}

export function toMerchant(row: MerchantRow, vault: PlatformVault): Merchant {
  return {
    ...row,
    contact_emails: JSON.parse(vault.open(placeOf(row.external_id), row.contact_emails_sealed)),
  };
}
