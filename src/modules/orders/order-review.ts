/** Orders that a person must review first. The review opens and ends in the transaction of the order. */
import { openReview, type ReasonCode, reviewEndOf, type Script, scriptOf } from '#modules/underwriting';
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

/** Opens the review of an order, in the order's transaction. */
export async function openOrderReview(
  context: ChangeContext,
  order: Pick<NewOrder, 'external_id' | 'buyer_external_id' | 'currency' | 'amount_gross'>,
  reasons: readonly ReasonCode[],
  script: Script | null,
): Promise<void> {
  await openReview(context, {
    subject: 'ORDER',
    buyerExternalId: order.buyer_external_id,
    orderExternalId: order.external_id,
    currency: order.currency,
    requestedMinor: order.amount_gross,
    reasons,
    decision: null,
    proposedMinor: null,
    scriptedOutcome: script && reviewEndOf(script),
  });
}
