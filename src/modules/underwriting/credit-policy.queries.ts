/** The versions of a platform's credit policy and their activations. Rows are never changed or deleted. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { inlineOnCluster } from '#infra/database/one-node';
import { DEFAULT_POLICY_NAME, defaultPolicy } from './policy/default-policy.ts';
import type { PolicyGraph } from './policy.schemas.ts';

export interface PolicyRow {
  version: number;
  name: string;
  graph: PolicyGraph;
  sha256: Buffer;
  created_at: number;
  created_by: string;
}

const COLUMNS = sql`p.version, p.name, p.graph, p.sha256, p.created_at, p.created_by`;

interface ActivePolicy extends PolicyRow {
  activated_by: string;
  /** Whether this is the last activation of the platform. */
  is_newest: boolean;
}

/**
 * The policy in force now, or at an instant (unix seconds). Undefined for a platform without a credit request until then.
 */
export async function findActivePolicy(
  db: Db,
  platformId: number,
  at: number | null = null,
): Promise<ActivePolicy | undefined> {
  const { rows } = await sql<ActivePolicy>`
    select ${COLUMNS}, a.activated_by, a.is_newest from (
      select *, activation = max(activation) over () as is_newest from credit_policy_activations
      where platform_id = ${platformId}
    ) a
    join credit_policies p on p.platform_id = ${platformId} and p.version = a.version
    where ${at}::bigint is null or a.activated_at <= ${at}
    order by a.activation desc limit 1`.execute(db);
  return rows[0];
}

export async function findPolicyVersion(
  db: Db,
  platformId: number,
  version: number,
): Promise<PolicyRow | undefined> {
  const { rows } = await sql<PolicyRow>`
    select ${COLUMNS} from credit_policies p where p.platform_id = ${platformId} and p.version = ${version}`.execute(
    db,
  );
  return rows[0];
}

/** The creator of the default policy, which comes with the program. */
const MADE_BY_US = 'Tradeline';

/**
 * The SHA-256 of former default policies. Only these are replaced: two versions of the program that run side by side would
 * otherwise replace each other's default without end.
 */
const FORMER_DEFAULTS = new Set([
  'd924f18bbaba9eae09ac1055d5fca9b5d505df1031e7f5d4dc2cfa56a947830a',
  '65a4c6ff0026f9e7f2a6c05e32eee8b9c1db35eba75a6c7485899d1afa1b62ec',
  '98f93be8ab551b87dc205c6b5b54fff57b07dd8493b88d0b72a870a9bcad221d',
  'e727ceb5be2460f584f433b395e934d7140b43ca779373fe55853ff354d4c995',
  'cca843cdac2d8e3d46f71871af02e0a00a7e57cd9c3d48591159177b78958ba8',
  'ab0540a887223450a15155180ca2658a0030e80cda1463dd93e4608e87ee56d0',
]);

/** Whether the program activated a former default and no operator has activated a policy since. */
function isFormerDefault({ activated_by, sha256, is_newest }: ActivePolicy): boolean {
  return is_newest && activated_by === MADE_BY_US && FORMER_DEFAULTS.has(sha256.toString('hex'));
}

/**
 * Returns the policy in force at `now` (unix seconds), which can be the past instant of a due transition. The first call for
 * a platform stores the default policy as version 1 and activates it, in one statement that concurrent calls may repeat; so
 * no transaction may be open. A former default is replaced by the current one.
 */
export async function activePolicy(db: Db, platformId: number, now: number): Promise<PolicyRow> {
  const known = await findActivePolicy(db, platformId, now);
  if (known && isFormerDefault(known)) await replaceFormerDefault(db, platformId, now);
  else if (known) return known;
  else await storeDefault(db, platformId, now);
  // Without an instant: another process, whose clock is ahead, may have stored it.
  const stored = await findActivePolicy(db, platformId);
  if (!stored) throw new Error('The default policy is missing after it was stored.');
  return stored;
}

async function storeDefault(db: Db, platformId: number, now: number): Promise<void> {
  const { graph, sha256 } = defaultPolicy();
  await sql`
    with stored as (
      insert into credit_policies (platform_id, version, name, graph, sha256, created_at, created_by)
      values (${platformId}, 1, ${DEFAULT_POLICY_NAME}, ${JSON.stringify(graph)}, ${sha256}, ${now}, ${MADE_BY_US})
      on conflict do nothing
    )
    insert into credit_policy_activations (platform_id, activation, version, activated_at, activated_by)
    values (${platformId}, 1, 1, ${now}, ${MADE_BY_US}) on conflict do nothing`.execute(db);
}

/** Stores the current default and activates it. If calls run concurrently, each step succeeds in only one of them. */
async function replaceFormerDefault(db: Db, platformId: number, now: number): Promise<void> {
  const by = { platformId, createdAt: now, createdBy: MADE_BY_US };
  const version = await insertPolicy(db, { ...by, name: DEFAULT_POLICY_NAME, ...defaultPolicy() });
  if (version === undefined) return;
  const activated = { activatedAt: now, activatedBy: MADE_BY_US, approvedBy: null };
  await insertActivation(db, { platformId, version, ...activated });
}

export interface NewPolicy {
  platformId: number;
  name: string;
  graph: PolicyGraph;
  sha256: Buffer;
  createdAt: number;
  createdBy: string;
}

/** Returns the new version, or the newest one if its content is the same. Undefined if another was inserted concurrently. */
export async function insertPolicy(db: Db, policy: NewPolicy): Promise<number | undefined> {
  const { platformId, name, graph, sha256, createdAt, createdBy } = policy;
  const { rows } = await sql<{ version: number }>`
    with newest as ${inlineOnCluster(db)} (
      select version, sha256 from credit_policies where platform_id = ${platformId} order by version desc limit 1
    ), stored as (
      insert into credit_policies (platform_id, version, name, graph, sha256, created_at, created_by)
      select ${platformId}, coalesce((select version from newest), 0) + 1, ${name}, ${JSON.stringify(graph)}::json,
        ${sha256}, ${createdAt}::bigint, ${createdBy}
      where not exists (select from newest where newest.sha256 = ${sha256})
      on conflict do nothing
      returning version
    )
    select version from stored union all select version from newest where sha256 = ${sha256}`.execute(db);
  return rows[0]?.version;
}

export interface NewActivation {
  platformId: number;
  version: number;
  activatedAt: number;
  activatedBy: string;
  approvedBy: string | null;
  /** Absent if the program activates its default policy. */
  reason?: string;
}

/** Returns false if another activation was inserted concurrently, or if this version is already in force. */
export async function insertActivation(db: Db, activation: NewActivation): Promise<boolean> {
  const { platformId, version, activatedAt, activatedBy, approvedBy, reason = null } = activation;
  const { numAffectedRows } = await sql`
    with newest as ${inlineOnCluster(db)} (
      select activation, version from credit_policy_activations
      where platform_id = ${platformId} order by activation desc limit 1
    )
    insert into credit_policy_activations (platform_id, activation, version, activated_at, activated_by, approved_by,
      reason)
    select ${platformId}, coalesce((select activation from newest), 0) + 1, ${version}::int, ${activatedAt}::bigint,
      ${activatedBy}, ${approvedBy}, ${reason}
    where not exists (select from newest where newest.version = ${version})
    on conflict do nothing`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

export interface PolicyVersion extends Omit<PolicyRow, 'graph'> {
  is_active: boolean;
  /** The last activation, in unix seconds; null if it never was active. */
  activated_at: number | null;
  activated_by: string | null;
  approved_by: string | null;
}

/** All versions of the policy, the newest first. */
export async function listPolicies(db: Db, platformId: number): Promise<PolicyVersion[]> {
  const { rows } = await sql<PolicyVersion>`
    select p.version, p.name, p.sha256, p.created_at, p.created_by, a.activated_at, a.activated_by, a.approved_by,
      coalesce(a.activation = max(a.activation) over (), false) as is_active
    from credit_policies p
    left join lateral (
      select * from credit_policy_activations
      where platform_id = p.platform_id and version = p.version order by activation desc limit 1
    ) a on true
    where p.platform_id = ${platformId} order by p.version desc`.execute(db);
  return rows;
}

export interface PolicyActivationRow {
  activation: number;
  version: number;
  /** The name of the version. */
  name: string;
  /** Unix seconds. */
  activated_at: number;
  activated_by: string;
  approved_by: string | null;
  reason: string | null;
}

/** All activations, the oldest first. */
export async function listPolicyActivations(db: Db, platformId: number): Promise<PolicyActivationRow[]> {
  const { rows } = await sql<PolicyActivationRow>`
    select a.activation, a.version, p.name, a.activated_at, a.activated_by, a.approved_by, a.reason
    from credit_policy_activations a
    join credit_policies p on p.platform_id = a.platform_id and p.version = a.version
    where a.platform_id = ${platformId} order by a.activation`.execute(db);
  return rows;
}
