/** Plans of reminders, in versions. Rows are never changed or deleted. */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { DunningPlanVersions } from '#infra/database/schema';
import { arrayOf } from '#infra/database/unnest-rows';
import { type RemindedParty, setReminded } from '#modules/invoices';
import { nextSettingsVersion, type SettingsMadeBy } from '#modules/platforms';
import type { DunningPlan } from './dunning-plan.rules.ts';

/** The merchant or buyer that the plan belongs to; the platform if both are empty. */
export type PlanScope = RemindedParty;

/** A version of a plan. */
export type DunningPlanVersion = Omit<Selectable<DunningPlanVersions>, 'plan'> & { plan: DunningPlan | null };

/** Versions of all plans of the platform, or of one, the oldest first. */
export async function listDunningPlans(
  db: Db,
  platformId: number,
  scope?: PlanScope,
): Promise<DunningPlanVersion[]> {
  return db
    .selectFrom('dunning_plan_versions')
    .selectAll()
    .where('platform_id', '=', platformId)
    .$if(scope !== undefined, (query) =>
      query
        .where('merchant_external_id', '=', scope?.merchantExternalId ?? '')
        .where('buyer_external_id', '=', scope?.buyerExternalId ?? ''),
    )
    .orderBy('recorded_at')
    .orderBy('version')
    .$castTo<DunningPlanVersion>()
    .execute();
}

/** The plans in force: a buyer's own, else the merchant's, else the platform's; null if none. Returns in the order of the pairs. */
export async function findDunningPlans(
  db: Db,
  platformId: number,
  pairs: readonly PlanScope[],
): Promise<(DunningPlan | null)[]> {
  const { rows } = await sql<VersionOfScope>`
    select distinct on (merchant_external_id, buyer_external_id) merchant_external_id, buyer_external_id, valid_from, plan
    from dunning_plan_versions
    where platform_id = ${platformId} and ${isOf(pairs)}
    order by merchant_external_id, buyer_external_id, version desc`.execute(db);
  return pairs.map((pair) => planOf(rows, pair));
}

/** The plans that were in force at the instant `at` of each pair (unix seconds). Returns in the order of the pairs. */
export async function findPastDunningPlans(
  db: Db,
  platformId: number,
  pairs: readonly (PlanScope & { at: number })[],
): Promise<(DunningPlan | null)[]> {
  const { rows } = await sql<VersionOfScope>`
    select merchant_external_id, buyer_external_id, valid_from, plan from dunning_plan_versions
    where platform_id = ${platformId} and ${isOf(pairs)} order by version desc`.execute(db);
  return pairs.map(({ at, ...scope }) =>
    planOf(
      rows.filter((row) => row.valid_from <= at),
      scope,
    ),
  );
}

type VersionOfScope = Pick<
  DunningPlanVersion,
  'merchant_external_id' | 'buyer_external_id' | 'valid_from' | 'plan'
>;

function isOf(scopes: readonly PlanScope[]): RawBuilder<unknown> {
  const merchants = ['', ...new Set(scopes.map(({ merchantExternalId }) => merchantExternalId))];
  const buyers = ['', ...new Set(scopes.map(({ buyerExternalId }) => buyerExternalId))];
  return sql`merchant_external_id = any(${arrayOf('text', merchants)}) and buyer_external_id = any(${arrayOf('text', buyers)})`;
}

/** @param rows The latest version of a plan first. */
function planOf(
  rows: readonly VersionOfScope[],
  { merchantExternalId, buyerExternalId }: PlanScope,
): DunningPlan | null {
  const latestOf = (merchant: string, buyer: string) =>
    rows.find((row) => row.merchant_external_id === merchant && row.buyer_external_id === buyer)?.plan ??
    null;
  return (
    (buyerExternalId === '' ? null : latestOf('', buyerExternalId)) ??
    latestOf(merchantExternalId, '') ??
    latestOf('', '')
  );
}

/** Inserts the next version, from which on new invoices have looks, or have none. Lock the platform first. */
export async function insertDunningPlan(
  db: Db,
  platformId: number,
  scope: PlanScope,
  { plan, made }: { plan: DunningPlan | null; made: SettingsMadeBy },
): Promise<void> {
  const last = (await listDunningPlans(db, platformId, scope)).at(-1);
  await db
    .insertInto('dunning_plan_versions')
    .values({
      platform_id: platformId,
      merchant_external_id: scope.merchantExternalId,
      buyer_external_id: scope.buyerExternalId,
      ...nextSettingsVersion(last, made),
      plan: plan === null ? null : JSON.stringify(plan),
    })
    .execute();
  await setReminded(db, platformId, scope, plan !== null);
}
