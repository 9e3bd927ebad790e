/** What one person may no longer grant alone, because of what has happened since the policy proposed it. */
import { refusal } from '#kernel/problem';
import { heldMinorOf, type LegalEntity } from '#modules/facilities';
import {
  type DecisionRow,
  findDecision,
  lockStandingInsolvency,
  minorUnitsOf,
  type ReviewRow,
} from '#modules/underwriting';
import type { ChangeContext } from '#operation/operation';

/**
 * The policy proposed the limit in addition to what the company's other buyers held then. If they hold more now, one person may
 * grant only the proposal less the difference. Throws OVERRIDE_REQUIRED above that, which two persons may grant, knowingly.
 */
export async function assertEntityNotGrown(
  { db, platformId }: Pick<ChangeContext, 'db' | 'platformId'>,
  review: ReviewRow,
  decision: DecisionRow,
  { others }: LegalEntity,
): Promise<void> {
  if (decision.outcome !== 'ACCEPT' || decision.approved_by !== null || others.length === 0) return;
  const original = review.decision_id ? await findDecision(db, platformId, review.decision_id) : undefined;
  const { entity_limit = 0, entity_in_other_currency = false } = original?.inputs ?? {};
  const holding = others.filter((other) => heldMinorOf(other) > 0);
  const comparable = holding.filter(({ currency }) => currency === review.currency);
  const heldMinor = comparable.reduce((sum, other) => sum + heldMinorOf(other), 0);
  const growthMinor = Math.max(0, heldMinor - (minorUnitsOf(entity_limit, review.currency) ?? 0));
  const isIncomparable = comparable.length < holding.length && !entity_in_other_currency;
  const limitMax = isIncomparable ? 0 : Math.max(0, (review.limit_minor ?? 0) - growthMinor);
  if ((decision.limit_minor ?? 0) <= limitMax) return;
  throw refusal(
    'OVERRIDE_REQUIRED',
    'Other buyers of the company have been granted credit since the proposal: this needs a second person',
    { limit_max: limitMax, entity_amount: heldMinor },
  );
}

/** Throws OVERRIDE_REQUIRED if one person would grant credit to an insolvent buyer. Two persons may, knowingly. */
export async function assertNotInsolvent(
  { db, platformId }: Pick<ChangeContext, 'db' | 'platformId'>,
  decision: DecisionRow,
): Promise<void> {
  if (decision.outcome !== 'ACCEPT' || decision.approved_by !== null) return;
  const key = { platformId, buyerExternalId: decision.buyer_external_id };
  if ((await lockStandingInsolvency(db, key)) === undefined) return;
  throw refusal('OVERRIDE_REQUIRED', 'The buyer is insolvent: this needs a second person', {
    limit_max: null,
  });
}
