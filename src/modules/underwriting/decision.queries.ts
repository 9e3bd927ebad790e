/** The records of credit decisions. Append-only: an overriding decision is a new record that names the old one. */
import { type Selectable, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { CreditDecisions } from '#infra/database/schema';
import type { RuleFired } from './policy/evaluate-policy.ts';
import type { PolicyInputs } from './policy.schemas.ts';

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

/** In the order of the ids; undefined for an unknown one. */
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

/** Automatic decisions on facilities with their inputs, the oldest first, after a position. */
export async function listApplications(
  db: Db,
  platformId: number,
  after: DecisionPosition | null,
  countMax: number,
): Promise<DecisionRow[]> {
  const { rows } = await sql<DecisionRow>`
    select * from credit_decisions
    where platform_id = ${platformId} and inputs is not null
      and (decided_at, decision_id) > (${after?.decided_at ?? -1}::bigint,
        ${after?.decision_id ?? '00000000-0000-0000-0000-000000000000'}::uuid)
    order by decided_at, decision_id limit ${countMax}`.execute(db);
  return rows;
}
