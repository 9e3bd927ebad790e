/** Everything that a decision used and led to, for the person whom it concerns (GDPR articles 15 and 22). */
import type { Db } from '#infra/database/database';
import { findBuyer } from '#modules/buyers';
import type { Context } from '#operation/operation';
import { findPolicyVersion } from './credit-policy.queries.ts';
import { type DecisionRow, findDecision } from './decision.queries.ts';
import type { DecisionInternals } from './decision.schemas.ts';
import { PolicyInputs } from './policy.schemas.ts';
import { listReviewsOfDecision, listReviewTransitions, type ReviewRow } from './review.queries.ts';
import { showDecisions } from './show-decisions.ts';
import { describeSource, ENTITY_SOURCE } from './source.names.ts';

const ABOUT =
  'A credit decision with everything that it used: the inputs and their sources, the version of the credit policy and ' +
  'its rules that fired, the reasons, and what persons did. Amounts are in minor units of the currency, and in whole ' +
  'units among the inputs. A person can be asked to decide again.';

/** Exports a decision; undefined for an unknown one. Needs the scope `credit:read`, as `internal` of a decision does. */
export async function exportDecision(
  context: Pick<Context, 'db' | 'platformId' | 'caller' | 'now'>,
  decisionId: string,
) {
  const { db, platformId, now } = context;
  const row = await findDecision(db, platformId, decisionId);
  if (!row) return undefined;
  const [buyer, policy, persons, [shown]] = await Promise.all([
    findBuyer(db, { platformId, externalId: row.buyer_external_id }),
    policyOf(db, row),
    personsOf(db, row),
    showDecisions(context, row.buyer_external_id, [row]),
  ]);
  const { internal, ...decision } = shown as NonNullable<typeof shown>;
  const { inputs, sources, rules_fired, reasons, replaces, replaced_by, ...verdict } =
    internal as DecisionInternals;
  return {
    about: ABOUT,
    exported_at: instantOf(now),
    company: { external_id: row.buyer_external_id, legal_name: buyer?.legal_name ?? null },
    decision: { ...decision, decided_at: instantOf(row.decided_at) },
    internal_reasons: reasons,
    verdict: {
      risk_band: verdict.risk_band,
      price_class: verdict.price_class,
      proposed_amount: verdict.proposed_amount,
    },
    inputs: Object.entries(inputs ?? {}).map(([name, value]) => ({ name, value, meaning: meaningOf(name) })),
    sources: sources.map(({ name, at, data }) => ({
      name,
      meaning: describeSource(name),
      as_of: instantOf(at),
      data: name === ENTITY_SOURCE ? {} : data,
    })),
    policy,
    rules_fired: rules_fired.map(({ node, rule, description }) => ({
      table: node,
      rule,
      meaning: description,
    })),
    sandbox_script: verdict.script,
    assessed_ms: verdict.assessed_ms,
    persons: {
      decided_by: verdict.decided_by,
      approved_by: verdict.approved_by,
      comment: verdict.comment,
      ...persons,
    },
    replaces,
    replaced_by,
  };
}

const instantOf = (unixSeconds: number) => new Date(unixSeconds * 1_000).toISOString();

function meaningOf(input: string): string {
  const known = (PolicyInputs.properties as Partial<Record<string, { description?: string }>>)[input];
  return known?.description ?? '';
}

async function policyOf(db: Db, { platform_id: platformId, policy_version: version }: DecisionRow) {
  const policy = version === null ? undefined : await findPolicyVersion(db, platformId, version);
  return policy
    ? {
        version: policy.version,
        name: policy.name,
        sha256: policy.sha256.toString('hex'),
        created_at: instantOf(policy.created_at),
        created_by: policy.created_by,
      }
    : null;
}

/** The reviews that the decision led to, or that led to it. */
async function personsOf(db: Db, row: DecisionRow) {
  const reviews = await listReviewsOfDecision(db, row);
  return { reviews: await Promise.all(reviews.map((review) => reviewOf(db, review))) };
}

async function reviewOf(db: Db, { platform_id: platformId, review_id, status, outcome }: ReviewRow) {
  const transitions = await listReviewTransitions(db, platformId, review_id);
  return {
    review_id,
    status,
    outcome,
    transitions: transitions.map(
      ({ transitioned_at, from_status, to_status, trigger, limit_minor, actor, reason }) => ({
        at: instantOf(transitioned_at),
        from: from_status,
        to: to_status,
        trigger,
        limit_amount: limit_minor,
        actor,
        reason,
      }),
    ),
  };
}
