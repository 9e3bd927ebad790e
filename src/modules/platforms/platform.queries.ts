import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { gathered } from '#infra/database/gather';
import { type NewRowOf, type RowOf, table } from '#infra/database/table';
import { unnestRows } from '#infra/database/unnest-rows';

export const platformsTable = table('platforms', {
  platform_id: 'int',
  code: 'text',
  name: 'text',
  version: 'int',
  created_at: 'bigint',
  disabled_at: 'bigint',
  country: 'text',
  currency: 'text',
  financing_currencies: 'text[]',
  collection_currencies: 'text[]',
  support_emails: 'text[]',
  payout_term: 'int',
  min_payout_business_day: 'int',
  max_payment_term: 'int',
  is_single_merchant: 'boolean',
  enrolls_merchants: 'boolean',
  has_erp_configuration: 'boolean',
  language: 'text',
  formality: 'text',
  logo_url: 'text',
  redirect_url: 'text',
  checkout_origins: 'text[]',
  sends_checkout_invitations: 'boolean',
  return_secret_generation: 'int',
  communication_email: 'text',
  communication_bcc_email: 'text',
  brand_color: 'text',
  privacy_url: 'text',
  imprint_url: 'text',
  terms_url: 'text',
  review_days: 'int',
  time_zone: 'text',
  account_holder: 'text',
  iban_sealed: 'text',
  bic: 'text',
  data_key_wrapped: 'bytea',
  clock_ahead_seconds: 'bigint',
  clock_moving_until: 'timestamptz',
});

export type PlatformRow = RowOf<typeof platformsTable>;
type NewPlatformRow = NewRowOf<typeof platformsTable>;

const unnestIds = unnestRows<number>('k', { platform_id: ['int', (id) => id] });

/** In the order of the ids; undefined for an unknown platform. */
export async function findPlatforms(db: Db, platformIds: number[]): Promise<(PlatformRow | undefined)[]> {
  const { rows } = await sql<PlatformRow>`
    select p.* from ${unnestIds([...new Set(platformIds)])}
    cross join lateral (select * from platforms where platform_id = k.platform_id offset 0) p`.execute(db);
  const byId = new Map(rows.map((row) => [row.platform_id, row]));
  return platformIds.map((id) => byId.get(id));
}

export const findPlatform = gathered(findPlatforms);

export async function findPlatformByCode(db: Db, code: string): Promise<PlatformRow | undefined> {
  return db.selectFrom('platforms').selectAll().where('code', '=', code).executeTakeFirst();
}

/** The oldest platform; undefined in an empty installation. */
export async function findFirstPlatform(db: Db): Promise<PlatformRow | undefined> {
  return db.selectFrom('platforms').selectAll().orderBy('platform_id').limit(1).executeTakeFirst();
}

export async function listPlatforms(db: Db): Promise<PlatformRow[]> {
  return db.selectFrom('platforms').selectAll().orderBy('platform_id').execute();
}

/** Undefined where the code is taken. */
export async function insertPlatform(db: Db, platform: NewPlatformRow): Promise<PlatformRow | undefined> {
  return db
    .insertInto('platforms')
    .values(platformsTable.insertable(platform))
    .onConflict((oc) => oc.column('code').doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Locks the platform against other changes of operators until the transaction ends. Rows that name it can be inserted. */
export async function lockPlatform(db: Db, platformId: number): Promise<void> {
  await db
    .selectFrom('platforms')
    .select('platform_id')
    .where('platform_id', '=', platformId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** The columns that an operator can change. */
export type PlatformChanges = Pick<
  Partial<PlatformRow>,
  | 'name'
  | 'language'
  | 'formality'
  | 'redirect_url'
  | 'checkout_origins'
  | 'logo_url'
  | 'support_emails'
  | 'communication_email'
  | 'communication_bcc_email'
  | 'sends_checkout_invitations'
  | 'max_payment_term'
  | 'financing_currencies'
  | 'collection_currencies'
  | 'payout_term'
  | 'min_payout_business_day'
  | 'has_erp_configuration'
  | 'enrolls_merchants'
  | 'brand_color'
  | 'privacy_url'
  | 'imprint_url'
  | 'terms_url'
  | 'review_days'
  | 'time_zone'
  | 'account_holder'
  | 'iban_sealed'
  | 'bic'
>;

/** Writes the given columns and the next version. */
export async function updatePlatform(
  db: Db,
  platformId: number,
  changes: PlatformChanges,
): Promise<PlatformRow> {
  return db
    .updateTable('platforms')
    .set((eb) => ({ ...changes, version: eb('version', '+', 1) }))
    .where('platform_id', '=', platformId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Disables the platform from `at` (unix seconds); null enables it. Returns false if nothing changed. */
export async function setPlatformDisabled(db: Db, platformId: number, at: number | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('platforms')
    .set({ disabled_at: at })
    .where('platform_id', '=', platformId)
    .where('disabled_at', at === null ? 'is not' : 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Replaces the secret that signs return URLs. Older signatures no longer verify. */
export async function renewReturnSecret(db: Db, platformId: number): Promise<PlatformRow> {
  return db
    .updateTable('platforms')
    .set((eb) => ({ return_secret_generation: eb('return_secret_generation', '+', 1) }))
    .where('platform_id', '=', platformId)
    .returningAll()
    .executeTakeFirstOrThrow();
}
