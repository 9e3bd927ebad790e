/** Orders that a person must look at first: the case is opened and ended in the transaction that moves the order. */

import type { Currency } from '#kernel/currency';
import {
  openReview,
  type ReasonCode,
  type Script,
  scriptOf,
  withdrawReviewsOfOrders,
} from '#modules/underwriting';
import type { ChangeContext, Context } from '#operation/operation';
import type { NewOrder } from './order.queries.ts';

/** The outcome script that the buyer's external_id, or the order's contact_email, calls for; only in a sandbox. */
export function scriptOfOrder(
  { isSandbox }: Pick<Context, 'isSandbox'>,
  buyerExternalId: string,
  contactEmail: string | null | undefined,
): Script | null {
  return isSandbox ? scriptOf(buyerExternalId, contactEmail ? [contactEmail] : []) : null;
}

export async function openOrderReview(
  { db, platformId, actor, now }: ChangeContext,
  order: Pick<NewOrder, 'external_id' | 'buyer_external_id' | 'currency' | 'amount_gross'>,
  reasons: readonly ReasonCode[],
  script: Script | null,
): Promise<void> {
  await openReview(db, platformId, {
    subject: 'ORDER',
    buyerExternalId: order.buyer_external_id,
    orderExternalId: order.external_id,
    currency: order.currency as Currency,
    requestedMinor: order.amount_gross,
    reasons,
    script,
    actor,
    now,
  });
}

/** There is nothing left to decide. */
export async function withdrawOrderReview(
  { db, platformId, actor, now }: ChangeContext,
  externalId: string,
  reason: string,
): Promise<void> {
  await withdrawReviewsOfOrders(db, platformId, [externalId], { by: actor, reason, now });
}
