/** The limit policy and the price table of a platform or one buyer, in versions. Rows are never changed or deleted. */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { byPlatform, gathered } from '#infra/database/gather';
import type { CreditSettingsVersions } from '#infra/database/schema';
import { unnestRows } from '#infra/database/unnest-rows';
import { nextSettingsVersion, type SettingsMadeBy } from '#modules/platforms';
import { type OwedOfInvoice, overdueOn, type Standing } from './credit.rules.ts';
import { columnsOf, type FacilityKey, type FacilityRow } from './facility.queries.ts';
import {
  type LimitPolicy,
  type LimitPolicySettings,
  limitPolicyOf,
  settingsInForce,
} from './limit-policy.rules.ts';

/** All settings of the platform or the buyer, from `valid_from` until the next version. */
export type CreditSettingsVersion = Selectable<CreditSettingsVersions>;

/** The `buyer_external_id` in the platform's own versions. */
const OF_PLATFORM = '';

/** The columns that `standingColumns` selects. */
export interface StandingColumns {
  facility: FacilityRow | null;
  platform_settings: LimitPolicySettings | null;
  buyer_settings: LimitPolicySettings | null;
  overdue: OwedOfInvoice[];
  time_zone: string;
}

/** SQL columns of the settings of the platform and of a buyer at an instant. */
function settingsColumns(
  platformId: RawBuilder<unknown>,
  buyerExternalId: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const settingsOf = (buyer: RawBuilder<unknown>) => sql`
    (select to_json(v) from credit_settings_versions v
      where v.platform_id = ${platformId} and v.buyer_external_id = ${buyer} and v.valid_from <= ${at}
      order by v.version desc limit 1)`;
  return sql`
    ${settingsOf(sql.lit(OF_PLATFORM))} as platform_settings,
    ${settingsOf(buyerExternalId)} as buyer_settings`;
}

/**
 * SQL columns of a buyer's standing at an instant, in unix seconds, for a larger statement. The expressions name platform,
 * buyer and instant in that statement. The settings are those of the instant, in two look-ups of an index.
 */
export function standingColumns(
  platformId: RawBuilder<unknown>,
  buyerExternalId: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
): RawBuilder<StandingColumns> {
  return sql`
    (select to_json(found) from (
      select ${columnsOf('f')} from facilities f
      where f.platform_id = ${platformId} and f.buyer_external_id = ${buyerExternalId}
    ) found) as facility,
    ${settingsColumns(platformId, buyerExternalId, at)},
    coalesce((select json_agg(json_build_object('invoice_external_id', due.invoice_external_id, 'due_at', due.due_at,
        'currency', due.currency, 'outstanding_amount', due.outstanding_amount)) from overdue_invoices due
      where due.platform_id = ${platformId} and due.buyer_external_id = ${buyerExternalId}), '[]') as overdue,
    (select p.time_zone from platforms p where p.platform_id = ${platformId}) as time_zone`;
}

/** Builds the standing at the instant of the columns, in unix seconds. */
export function toStanding(
  { facility, platform_settings, buyer_settings, overdue, time_zone: timeZone }: StandingColumns,
  at: number,
): Standing {
  const limitPolicy = limitPolicyOf(platform_settings, buyer_settings, at);
  return {
    timeZone,
    facility,
    limitPolicy,
    overdue: overdueOn(overdue, at, timeZone),
    increaseDecisionId: null,
  };
}

type StandingKey = FacilityKey & { at: number };

const unnestStandingKeys = unnestRows<StandingKey>(
  'k',
  {
    platform_id: ['int', 'platformId'],
    buyer_external_id: ['text', 'buyerExternalId'],
    at: ['bigint', 'at'],
  },
  { withNth: true },
);
const KEY = [sql.ref('k.platform_id'), sql.ref('k.buyer_external_id'), sql.ref('k.at')] as const;
const STANDING_OF_K = standingColumns(...KEY);
const SETTINGS_OF_K = settingsColumns(...KEY);

/**
 * Reads the standings of buyers (facility, limit policy and overdue invoices) in one statement. Returns them in the order
 * of the keys. `at` is in unix seconds.
 */
export async function findStandings(db: Db, keys: StandingKey[]): Promise<Standing[]> {
  const { rows } = await sql<StandingColumns & { nth: number }>`
    select k.nth::int as nth, ${STANDING_OF_K}
    from ${unnestStandingKeys(keys)}`.execute(db);
  const byNth = new Map(rows.map((row) => [row.nth, row]));
  return keys.map(({ at }, index) => toStanding(byNth.get(index + 1) as StandingColumns, at));
}

export const findStanding = gathered(findStandings, byPlatform);

/** The limit policies of buyers, in the order of the keys. `at` is in unix seconds. */
export async function findLimitPolicies(db: Db, keys: readonly StandingKey[]): Promise<LimitPolicy[]> {
  const { rows } = await sql<Pick<StandingColumns, 'platform_settings' | 'buyer_settings'> & { nth: number }>`
    select k.nth::int as nth, ${SETTINGS_OF_K}
    from ${unnestStandingKeys(keys)}`.execute(db);
  const byNth = new Map(rows.map((row) => [row.nth, row]));
  return keys.map(({ at }, index) => {
    const row = byNth.get(index + 1);
    return limitPolicyOf(row?.platform_settings, row?.buyer_settings, at);
  });
}

/** The newest version, or the one valid at an instant (unix seconds). An empty `buyerExternalId` means the platform. */
export async function findCreditSettings(
  db: Db,
  { platformId, buyerExternalId }: FacilityKey,
  at?: number,
): Promise<CreditSettingsVersion | undefined> {
  return db
    .selectFrom('credit_settings_versions')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('buyer_external_id', '=', buyerExternalId)
    .$if(at !== undefined, (query) => query.where('valid_from', '<=', at as number))
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** All versions of the platform or a buyer, the oldest first. */
export async function listCreditSettings(
  db: Db,
  { platformId, buyerExternalId }: FacilityKey,
): Promise<CreditSettingsVersion[]> {
  return db
    .selectFrom('credit_settings_versions')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('buyer_external_id', '=', buyerExternalId)
    .orderBy('version')
    .execute();
}

/** The overrides in force at `at` (unix seconds), in the order of their buyers. */
export async function listOverrides(
  db: Db,
  platformId: number,
  at: number,
): Promise<CreditSettingsVersion[]> {
  const newest = await db
    .selectFrom('credit_settings_versions')
    .distinctOn('buyer_external_id')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('buyer_external_id', '<>', OF_PLATFORM)
    .orderBy('buyer_external_id')
    .orderBy('version', 'desc')
    .execute();
  return newest.filter((version) => settingsInForce(version, at));
}

/** Inserts the next version, which is never valid before the last one. Runs under the lock of the platform. */
export async function insertCreditSettings(
  db: Db,
  { platformId, buyerExternalId }: FacilityKey,
  settings: LimitPolicySettings,
  made: SettingsMadeBy,
): Promise<void> {
  const last = await findCreditSettings(db, { platformId, buyerExternalId });
  await db
    .insertInto('credit_settings_versions')
    .values({
      ...settings,
      price_table: settings.price_table === null ? null : JSON.stringify(settings.price_table),
      platform_id: platformId,
      buyer_external_id: buyerExternalId,
      ...nextSettingsVersion(last, made),
    })
    .execute();
}
