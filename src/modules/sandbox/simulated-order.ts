import { notFound } from '#kernel/problem';
import { cancelOrder, confirmOrder, declineOrder, expireOrder, findOrder } from '#modules/orders';
import type { Context } from '#operation/operation';
import { recordSimulation } from './simulated-decision.ts';
import { type ORDER_TRIGGERS, SIMULATED } from './simulator.schemas.ts';

interface SimulationRequest {
  external_id: string;
  trigger: (typeof ORDER_TRIGGERS)[number];
}

/** Simulates a transition, in the caller's transaction. Throws NOT_FOUND, INVALID_STATUS_TRANSITION and the guard's refusal. */
export async function simulateOrderTransition(
  context: Context,
  { external_id: externalId, trigger }: SimulationRequest,
): Promise<void> {
  switch (trigger) {
    case 'confirm':
      await confirmOrder(context, externalId, SIMULATED, await endReview(context, externalId, true));
      return;
    case 'decline':
      await declineOrder(context, externalId, SIMULATED, await endReview(context, externalId, false));
      return;
    case 'cancel': {
      const body = { reason: 'PLATFORM' as const, comment: SIMULATED };
      await cancelOrder.run(context, { params: { external_id: externalId }, query: {}, body }, undefined);
      return;
    }
    case 'expire':
      await expireOrder(context, externalId);
      return;
  }
}

/** Decides the open review of the order, as the sandbox. Returns the id of the decision. */
async function endReview(context: Context, externalId: string, isAccepted: boolean): Promise<string> {
  const { db, platformId } = context;
  const order = await findOrder(db, { platformId, externalId });
  if (!order) throw notFound();
  const { decisionId } = await recordSimulation(context, {
    subject: 'ORDER',
    buyerExternalId: order.buyer_external_id,
    orderExternalId: externalId,
    currency: order.currency,
    accepted: isAccepted ? { limitMinor: order.amount_gross, riskBand: 'B2', priceClass: 'B' } : null,
  });
  return decisionId;
}
