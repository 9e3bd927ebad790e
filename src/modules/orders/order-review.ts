/** Orders that a person must review first. The review opens and ends in the transaction of the order. */
import {
  type BuyerReasonCode,
  insertDecisions,
  openReview,
  type ReasonCode,
  reviewEndOf,
  type Script,
  scriptOf,
  WITHOUT_POLICY,
} from '#modules/underwriting';
import type { ChangeContext, Context } from '#operation/operation';
import type { NewOrder } from './order.queries.ts';

/** The outcome script named by the buyer's external_id or the order's contact_email; null outside a sandbox. */
export function scriptOfOrder(
  { isSandbox }: Pick<Context, 'isSandbox'>,
  buyerExternalId: string,
  contactEmail: string | null | undefined,
): Script | null {
  return isSandbox ? scriptOf(buyerExternalId, contactEmail ? [contactEmail] : []) : null;
}

const OUTCOME = 'REFER';

/** Records the referral of an order under its `decision_id` and opens its review, in the order's transaction. */
export async function referOrder(
  context: ChangeContext,
  order: Pick<NewOrder, 'external_id' | 'buyer_external_id' | 'currency' | 'amount_gross' | 'decision_id'>,
  reasons: readonly ReasonCode[],
  script: Script | null,
): Promise<void> {
  const { db, platformId, actor, now } = context;
  const decisionId = order.decision_id as string;
  const buyerReasons: BuyerReasonCode[] = reasons.includes('CURRENTLY_PAST_DUE')
    ? ['OVERDUE_INVOICES', 'NEEDS_REVIEW']
    : ['NEEDS_REVIEW'];
  await insertDecisions(db, [
    {
      ...WITHOUT_POLICY,
      platform_id: platformId,
      decision_id: decisionId,
      subject: 'ORDER',
      buyer_external_id: order.buyer_external_id,
      order_external_id: order.external_id,
      outcome: OUTCOME,
      currency: order.currency,
      limit_minor: null,
      requested_minor: order.amount_gross,
      risk_band: null,
      price_class: null,
      reasons: [...reasons],
      buyer_reasons: buyerReasons,
      script,
      overrides: null,
      comment: null,
      actor,
      approved_by: null,
      decided_at: now,
    },
  ]);
  await openReview(context, {
    subject: 'ORDER',
    buyerExternalId: order.buyer_external_id,
    orderExternalId: order.external_id,
    currency: order.currency,
    requestedMinor: order.amount_gross,
    reasons,
    decision: { decision_id: decisionId, outcome: OUTCOME },
    proposedMinor: null,
    scriptedOutcome: script && reviewEndOf(script),
  });
}
