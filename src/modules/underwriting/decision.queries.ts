/** The records of credit decisions. Append-only: an overriding decision is a new record that names the old one. */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { CreditDecisions } from '#infra/database/schema';
import { isUuid } from '#kernel/uuid';
import type { CursorPage } from '#operation/list';
import { type ListContext, type ListTable, listKeys } from '#operation/list-table.queries';
import type { RuleFired } from './policy/evaluate-policy.ts';
import type { PolicyInputs, Subject } from './policy.schemas.ts';

/** The source of an input, and the instant of its data. */
export interface DecisionSource {
  name: string;
  /** Unix seconds. */
  at: number;
  /** Its data beyond the inputs; no personal data. */
  data: Record<string, string | number | boolean | null>;
}

export interface DecisionRow extends Omit<Selectable<CreditDecisions>, 'inputs' | 'sources' | 'rules_fired'> {
  inputs: PolicyInputs | null;
  sources: DecisionSource[];
  rules_fired: RuleFired[];
}

/** The columns of a decision that no policy made. */
export const WITHOUT_POLICY = {
  policy_version: null,
  inputs: null,
  sources: [],
  rules_fired: [],
  script: null,
  assessed_ms: null,
} satisfies Partial<DecisionRow>;

export async function insertDecisions(db: Db, decisions: readonly DecisionRow[]): Promise<void> {
  if (decisions.length === 0) return;
  await db
    .insertInto('credit_decisions')
    .values(
      decisions.map((decision) => ({
        ...decision,
        platform_id: decision.platform_id,
        inputs: decision.inputs && JSON.stringify(decision.inputs),
        sources: JSON.stringify(decision.sources),
        rules_fired: JSON.stringify(decision.rules_fired),
      })),
    )
    .execute();
}

/** The decisions with these ids (UUIDs), in the order of the ids; undefined for an unknown id. */
export async function findDecisions(
  db: Db,
  platformId: number,
  decisionIds: readonly string[],
): Promise<(DecisionRow | undefined)[]> {
  const { rows } = await sql<DecisionRow>`
    select * from credit_decisions where platform_id = ${platformId} and decision_id = any(${[...decisionIds]}::uuid[])`.execute(
    db,
  );
  const byId = new Map(rows.map((row) => [row.decision_id, row]));
  return decisionIds.map((id) => byId.get(id));
}

export async function findDecision(
  db: Db,
  platformId: number,
  decisionId: string,
): Promise<DecisionRow | undefined> {
  const [decision] = await findDecisions(db, platformId, [decisionId]);
  return decision;
}

/** The decisions that replace these, the oldest first. */
export async function listReplacing(
  db: Db,
  platformId: number,
  decisionIds: readonly string[],
): Promise<Pick<DecisionRow, 'decision_id' | 'overrides'>[]> {
  if (decisionIds.length === 0) return [];
  return db
    .selectFrom('credit_decisions')
    .select(['decision_id', 'overrides'])
    .where('platform_id', '=', platformId)
    .where('overrides', 'in', [...decisionIds])
    .orderBy('decided_at')
    .orderBy('decision_id')
    .execute();
}

/**
 * The caller who reads decisions. A key that is restricted to a merchant sees no decision about an order or a service of another
 * merchant, and no requested amount of a facility, because that shows how much the buyer orders elsewhere.
 */
export interface DecisionReader {
  merchantExternalId: string | null;
}

function asVisibleTo({ merchantExternalId }: DecisionReader, row: DecisionRow): DecisionRow {
  return merchantExternalId === null || row.order_external_id !== null || row.service_external_id !== null
    ? row
    : { ...row, requested_minor: null };
}

/** The condition for rows of `credit_decisions` that the reader may see. `name` is the alias of the table. */
function isVisibleTo(
  { merchantExternalId }: DecisionReader,
  platformId: number,
  name: 'd' | 't',
): RawBuilder<boolean> {
  if (merchantExternalId === null) return sql`true`;
  const d = sql.ref(name);
  return sql`(${d}.order_external_id is null or exists (
      select from orders o where o.platform_id = ${platformId} and o.external_id = ${d}.order_external_id
        and o.merchant_external_id = ${merchantExternalId}))
    and (${d}.service_external_id is null or exists (
      select from invoice_services s where s.platform_id = ${platformId} and s.external_id = ${d}.service_external_id
        and s.merchant_external_id = ${merchantExternalId}))`;
}

/** Finds a decision. Undefined if it is unknown or the reader may not see it. */
export async function findVisibleDecision(
  db: Db,
  platformId: number,
  decisionId: string,
  reader: DecisionReader,
): Promise<DecisionRow | undefined> {
  if (!isUuid(decisionId)) return undefined;
  const { rows } = await sql<DecisionRow>`
    select d.* from credit_decisions d
    where d.platform_id = ${platformId} and d.decision_id = ${decisionId} and ${isVisibleTo(reader, platformId, 'd')}`.execute(
    db,
  );
  const [row] = rows;
  return row && asVisibleTo(reader, row);
}

const DECISIONS: ListTable<{ buyer_external_id: string[]; reader: DecisionReader }> = {
  table: 'credit_decisions',
  key: 'decision_id',
  of: 'buyer_external_id',
  sort: '-decided_at',
  values: ['buyer_external_id'],
  ranges: [],
  conditions: { reader: (reader, platformId) => isVisibleTo(reader, platformId, 't') },
};

/** A buyer's decisions that the reader may see, the latest first. */
export async function listVisibleDecisions(
  context: ListContext,
  buyerExternalId: string,
  reader: DecisionReader,
  page: CursorPage,
) {
  const filter = { buyer_external_id: [buyerExternalId], reader };
  const { keys, listed } = await listKeys(context, DECISIONS, filter, page);
  const found = await findDecisions(context.db, context.platformId, keys);
  return { rows: found.flatMap((row) => (row ? [asVisibleTo(reader, row)] : [])), listed };
}

/** A buyer's decisions, the oldest first. */
export async function listDecisionsOfBuyer(
  db: Db,
  platformId: number,
  buyerExternalId: string,
): Promise<DecisionRow[]> {
  const { rows } = await sql<DecisionRow>`
    select * from credit_decisions where platform_id = ${platformId} and buyer_external_id = ${buyerExternalId}
    order by decided_at, decision_id`.execute(db);
  return rows;
}

/** The end of the previous page. */
export interface DecisionPosition {
  decided_at: number;
  decision_id: string;
}

/** An automatic decision, with what a person granted in its place. */
export interface PastApplication extends DecisionRow {
  inputs: PolicyInputs;
  by_person: { limitMinor: number; at: number } | null;
}

const OF_AN_ORDER: Subject = 'ORDER';

/** Automatic decisions on facilities with their inputs, the oldest first, after a position. */
export async function listApplications(
  db: Db,
  platformId: number,
  after: DecisionPosition | null,
  countMax: number,
): Promise<PastApplication[]> {
  const { rows } = await sql<PastApplication>`
    select d.*, (
      select json_build_object('limitMinor', p.limit_minor, 'at', p.decided_at) from credit_decisions p
      where p.platform_id = ${platformId} and p.overrides = d.decision_id and p.outcome = 'ACCEPT'
      order by p.decided_at desc limit 1
    ) as by_person
    from credit_decisions d
    where d.platform_id = ${platformId} and d.inputs is not null and d.subject <> ${sql.lit(OF_AN_ORDER)}
      and (d.decided_at, d.decision_id) > (${after?.decided_at ?? -1}::bigint,
        ${after?.decision_id ?? '00000000-0000-0000-0000-000000000000'}::uuid)
    order by d.decided_at, d.decision_id limit ${countMax}`.execute(db);
  return rows;
}
