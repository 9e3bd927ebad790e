/** Orders that a person must review first. The review opens and ends in the transaction of the order. */
import { isOnCredit, type PaymentTerm } from '#kernel/payment-term';
import { judgeFirstOrder, type OrderJudgement, type OrderToJudge } from '#modules/facilities';
import {
  type BuyerReasonCode,
  type DecisionSource,
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

/** The policy's verdict on an order on credit that may be the buyer's first; null if the policy has none or a script decides. */
export async function judgementOf(
  { db, platformId }: Pick<Context, 'db' | 'platformId'>,
  { paymentTerm, ...order }: Omit<OrderToJudge, 'platformId'> & { paymentTerm: PaymentTerm },
  script: Script | null,
): Promise<OrderJudgement | null> {
  return script === null && isOnCredit(paymentTerm) ? judgeFirstOrder(db, { platformId, ...order }) : null;
}

const OUTCOME = 'REFER';

/** The reasons for which a person must review an order. */
export interface Referral {
  reasons: readonly ReasonCode[];
  script: Script | null;
  judgement: OrderJudgement | null;
}

/** Records the referral of an order under its `decision_id` and opens its review, in the order's transaction. */
export async function referOrder(
  context: ChangeContext,
  order: Pick<NewOrder, 'external_id' | 'buyer_external_id' | 'currency' | 'amount_gross' | 'decision_id'>,
  { reasons, script, judgement }: Referral,
): Promise<void> {
  const { db, platformId, actor, now } = context;
  const decisionId = order.decision_id as string;
  const judged = judgement?.outcome === 'REFER' ? judgement : null;
  const buyerReasons: BuyerReasonCode[] = reasons.includes('CURRENTLY_PAST_DUE')
    ? ['OVERDUE_INVOICES', 'NEEDS_REVIEW']
    : ['NEEDS_REVIEW'];
  await insertDecisions(db, [
    {
      ...WITHOUT_POLICY,
      ...(judged && { ...judged.columns, sources: [sourceOf(judged, now)] }),
      platform_id: platformId,
      decision_id: decisionId,
      subject: 'ORDER',
      buyer_external_id: order.buyer_external_id,
      order_external_id: order.external_id,
      service_external_id: null,
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

function sourceOf({ decisionId }: OrderJudgement, at: number): DecisionSource {
  return { name: 'ORDER', at, data: { judged_again: decisionId } };
}
