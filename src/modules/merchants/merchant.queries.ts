import { type Insertable, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { byPlatform, gathered } from '#infra/database/gather';
import { lockOnPlatform } from '#infra/database/platform-lock';
import { rowsInOrder } from '#infra/database/rows-in-order';
import type { MerchantTransitions } from '#infra/database/schema';
import { type NewRowOf, type RowOf, table, text } from '#infra/database/table';
import { unnestKeys, unnestNumberedKeys } from '#infra/database/unnest-rows';
import type { PlatformVault } from '#infra/secrets/vault';
import { readBusinessAddress } from '#kernel/address';
import { DAY_SECONDS } from '#kernel/day';
import { blankToNull } from '#kernel/text';
import type { CursorPage } from '#operation/list';
import { type ListContext, type ListTable, listKeys } from '#operation/list-table.queries';
import type { MerchantStatus } from './merchant.lifecycle.ts';
import type { Merchant, MerchantReplacement } from './merchant.schemas.ts';

export const merchantsTable = table('merchants', {
  platform_id: 'int',
  external_id: 'text',
  version: 'int',
  status: text<MerchantStatus>(),
  created_at: 'bigint',
  updated_at: 'bigint',
  legal_name: 'text',
  legal_form: 'text',
  trading_name: 'text',
  business_identifiers: 'jsonb',
  business_address: 'jsonb',
  contact_emails_sealed: 'bytea',
  former_emails_sealed: 'bytea',
  emails_changed_at: 'bigint',
});

export type MerchantRow = RowOf<typeof merchantsTable>;

export interface MerchantKey {
  platformId: number;
  externalId: string;
}

/** The name that buyers see. */
export function shownName({
  trading_name,
  legal_name,
}: Pick<MerchantRow, 'trading_name' | 'legal_name'>): string {
  return trading_name ?? legal_name;
}

/** Returns the merchants in the order of the keys; undefined for an unknown one. */
export async function findMerchants(db: Db, keys: MerchantKey[]): Promise<(MerchantRow | undefined)[]> {
  const { rows } = await sql<MerchantRow>`
    select m.* from ${unnestKeys(keys)}
    cross join lateral (
      select * from merchants where platform_id = k.platform_id and external_id = k.external_id offset 0
    ) m`.execute(db);
  return rowsInOrder(keys, rows);
}

export const findMerchant = gathered(findMerchants, byPlatform);

/** Returns the statuses in the order of the keys; undefined for an unknown merchant. */
export async function findMerchantStatuses(
  db: Db,
  keys: MerchantKey[],
): Promise<(MerchantStatus | undefined)[]> {
  const { rows } = await sql<{ status: MerchantStatus | null }>`
    select (
      select status from merchants m where m.platform_id = k.platform_id and m.external_id = k.external_id
    ) as status
    from ${unnestNumberedKeys(keys)}
    order by k.nth`.execute(db);
  return rows.map((row) => row.status ?? undefined);
}

export const findMerchantStatus = gathered(findMerchantStatuses, byPlatform);

/** Serializes the creation of merchants on this platform until the transaction ends. */
export async function lockRegistration(db: Db, platformId: number): Promise<void> {
  await lockOnPlatform(db, platformId, 'merchants');
}

/** The merchant of a single-merchant platform; undefined before it is created. */
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

/** Returns undefined if the external_id is taken. */
export async function insertMerchant(
  db: Db,
  merchant: NewRowOf<typeof merchantsTable>,
): Promise<MerchantRow | undefined> {
  return db
    .insertInto('merchants')
    .values(merchantsTable.insertable(merchant))
    .onConflict((oc) => oc.doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function updateMerchant(
  db: Db,
  platformId: number,
  externalId: string,
  changes: Partial<MerchantRow>,
): Promise<MerchantRow> {
  return db
    .updateTable('merchants')
    .set(merchantsTable.updateable(changes))
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function insertMerchantTransition(
  db: Db,
  transition: Insertable<MerchantTransitions>,
): Promise<void> {
  await db.insertInto('merchant_transitions').values(transition).execute();
}

export interface MerchantFilter {
  external_id?: string[];
  status?: MerchantStatus[];
}

export const merchantTotals = { list: 'merchants', by: [[], ['status']] } as const;

const MERCHANTS: ListTable<MerchantFilter> = {
  table: 'merchants',
  key: 'external_id',
  values: ['external_id', 'status'],
  ranges: [],
  counted: merchantTotals.by,
};

export async function listMerchantRows(context: ListContext, filter: MerchantFilter, page: CursorPage) {
  const { keys, listed } = await listKeys(context, MERCHANTS, filter, page);
  const { db, platformId } = context;
  const rows = await findMerchants(
    db,
    keys.map((externalId) => ({ platformId, externalId })),
  );
  return { listed, rows: rows.filter((row) => row !== undefined) };
}

const placeOf = (externalId: string) => `merchants/${externalId}/contact_emails`;

/** Converts a request: every settable field, missing ones empty. */
export function readMerchant(body: MerchantReplacement) {
  return {
    legal_name: body.legal_name,
    legal_form: body.legal_form,
    trading_name: blankToNull(body.trading_name),
    business_identifiers: body.business_identifiers ?? [],
    business_address: readBusinessAddress(body.business_address),
    contact_emails: body.contact_emails ?? [],
  };
}

/** Converts a request to a row: the settable fields as columns, the e-mail addresses sealed. */
export function toMerchantColumns(
  vault: PlatformVault,
  externalId: string,
  { contact_emails: emails, ...fields }: ReturnType<typeof readMerchant>,
) {
  return { ...fields, contact_emails_sealed: vault.seal(placeOf(externalId), JSON.stringify(emails)) };
}

/** The number of days during which a change of bank details is also mailed to removed addresses. */
const FORMER_EMAILS_DAYS = 30;

const formerPlaceOf = (externalId: string) => `merchants/${externalId}/former_emails`;

/** The columns that record the addresses a replacement removes, in addition to those removed recently. `now` is in unix seconds. */
export function formerEmailColumns(
  vault: PlatformVault,
  row: MerchantRow,
  { wanted, now }: { wanted: readonly string[]; now: number },
): Pick<MerchantRow, 'former_emails_sealed' | 'emails_changed_at'> | undefined {
  const known = emailsOfMerchant(vault, row, now);
  const removed = known.now.filter((email) => !wanted.includes(email));
  if (removed.length === 0) return undefined;
  const former = [...new Set([...known.former, ...removed])];
  return {
    former_emails_sealed: vault.seal(formerPlaceOf(row.external_id), JSON.stringify(former)),
    emails_changed_at: now,
  };
}

/** The addresses of a merchant at an instant in unix seconds, and those removed within the 30 days before it. */
export function emailsOfMerchant(
  vault: PlatformVault,
  row: MerchantRow,
  at: number,
): { now: string[]; former: string[] } {
  const {
    external_id,
    contact_emails_sealed,
    former_emails_sealed: sealed,
    emails_changed_at: changedAt,
  } = row;
  const isRecent = changedAt !== null && at - changedAt < FORMER_EMAILS_DAYS * DAY_SECONDS;
  return {
    now: JSON.parse(vault.open(placeOf(external_id), contact_emails_sealed)),
    former: sealed === null || !isRecent ? [] : JSON.parse(vault.open(formerPlaceOf(external_id), sealed)),
  };
}

export function toMerchant(row: MerchantRow, vault: PlatformVault): Merchant {
  return {
    ...row,
    contact_emails: JSON.parse(vault.open(placeOf(row.external_id), row.contact_emails_sealed)),
  };
}
