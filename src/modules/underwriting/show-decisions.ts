/** Builds what the API and the commands show of decisions. */
import type { Db } from '#infra/database/database';
import { notFound } from '#kernel/problem';
import { translatorOf } from '#messages';
import { findBuyer, localeOfBuyer, preferencesOf } from '#modules/buyers';
import { findPlatform } from '#modules/platforms';
import { mayReadCredit } from '#operation/caller';
import type { Context } from '#operation/operation';
import { type DecisionRow, findDecisions, listReplacing } from './decision.queries.ts';
import type { Decision, DecisionInternals } from './decision.schemas.ts';
import { INPUT_NAMES } from './policy.schemas.ts';
import { type BuyerReasonCode, REASON_CODES } from './reason.codes.ts';

/** Decisions about one buyer, in their order. Throws NOT_FOUND for an unknown buyer. */
export async function showDecisions(
  { db, platformId, caller }: Pick<Context, 'db' | 'platformId' | 'caller'>,
  buyerExternalId: string,
  rows: readonly DecisionRow[],
): Promise<Decision[]> {
  const [buyer, platform, linksOf] = await Promise.all([
    findBuyer(db, { platformId, externalId: buyerExternalId }),
    findPlatform(db, platformId),
    mayReadCredit(caller) ? findLinks(db, platformId, rows) : null,
  ]);
  if (!buyer || !platform) throw notFound();
  const { language, formality } = localeOfBuyer(preferencesOf(buyer), platform);
  const translator = translatorOf(language, formality);
  return rows.map((row) => ({
    decision_id: row.decision_id,
    subject: row.subject,
    buyer_external_id: row.buyer_external_id,
    order_external_id: row.order_external_id,
    service_external_id: row.service_external_id,
    outcome: row.outcome,
    currency: row.currency,
    requested_amount: row.requested_minor,
    limit_amount: row.outcome === 'ACCEPT' ? row.limit_minor : null,
    decided_at: row.decided_at,
    policy_version: row.policy_version,
    language: translator.language,
    reasons: (row.buyer_reasons as BuyerReasonCode[]).map((code) => ({
      code,
      text: translator.text(`reason.${code}`),
    })),
    internal: linksOf && internalsOf(row, linksOf(row)),
  }));
}

type Links = Pick<DecisionInternals, 'replaces' | 'replaced_by'>;

/** Looks up the decisions that these replace, and that replace these. */
async function findLinks(
  db: Db,
  platformId: number,
  rows: readonly DecisionRow[],
): Promise<(row: DecisionRow) => Links> {
  const replacedIds = rows.flatMap(({ overrides }) => (overrides === null ? [] : [overrides]));
  const [replaced, replacing] = await Promise.all([
    findDecisions(db, platformId, replacedIds),
    listReplacing(
      db,
      platformId,
      rows.map((row) => row.decision_id),
    ),
  ]);
  return ({ decision_id, overrides }) => {
    const before = replaced.find((row) => row !== undefined && row.decision_id === overrides);
    return {
      replaces: before
        ? { decision_id: before.decision_id, outcome: before.outcome, limit_amount: before.limit_minor }
        : null,
      replaced_by: replacing.filter((row) => row.overrides === decision_id).map((row) => row.decision_id),
    };
  };
}

function internalsOf(row: DecisionRow, links: Links): DecisionInternals {
  return {
    reasons: internalReasons(row.reasons),
    proposed_amount: row.outcome === 'REFER' ? row.limit_minor : null,
    risk_band: row.risk_band as DecisionInternals['risk_band'],
    price_class: row.price_class as DecisionInternals['price_class'],
    inputs: row.inputs && allInputs(row.inputs),
    sources: row.sources,
    rules_fired: row.rules_fired,
    script: row.script,
    assessed_ms: row.assessed_ms,
    decided_by: row.actor,
    approved_by: row.approved_by,
    comment: row.comment,
    ...links,
  };
}

/** Internal reasons as texts. A code that this version no longer knows is its own text. */
export function internalReasons(codes: readonly string[]): DecisionInternals['reasons'] {
  const texts: Partial<Record<string, string>> = REASON_CODES;
  return codes.map((code) => ({ code, text: texts[code] ?? code }));
}

/** Every input by its name; null for one that did not exist when the decision was made. */
export function allInputs(stored: object): Record<string, unknown> {
  return { ...Object.fromEntries(INPUT_NAMES.map((name) => [name, null])), ...stored };
}
