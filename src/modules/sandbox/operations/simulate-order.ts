import { rethrowNaming } from '#kernel/missing-entity';
import { getOrder, Order } from '#modules/orders';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { simulateOrderTransition } from '../simulated-order.ts';
import { OrderSimulation } from '../simulator.schemas.ts';

export const simulateOrder = operation({
  id: 'simulateOrder',
  summary: 'Simulate a transition of an order',
  description:
    'Makes the transition that a person, a payout or the passing of time would make, with the same guards, ledger entry and ' +
    'event. It ends an open review.',
  tag: 'Sandbox',
  scope: 'admin',
  effect: 'transaction',
  isSandboxOnly: true,
  body: OrderSimulation,
  isVersioned: true,
  status: 200,
  response: Order,
  problems: [
    'NOT_FOUND',
    'MERCHANT_NOT_ALLOWED',
    'INVALID_STATUS_TRANSITION',
    'ORDER_HAS_INVOICE',
    'NO_ACTIVE_FACILITY',
    'FACILITY_EXPIRED',
    'FACILITY_FROZEN',
    'FACILITY_EXCEEDED_AVAILABLE_AMOUNT',
    'BUYER_OVERDUE',
  ],
  example: { body: { external_id: 'order-1018', trigger: 'expire' } },
  async run(context, { body }) {
    assertPlatformWide(context.caller);
    await simulateOrderTransition({ ...context, actor: 'sandbox', assertVersion: () => {} }, body).catch(
      rethrowNaming({
        field: 'body.external_id',
        value: body.external_id,
        remedy:
          'No order has this external_id: create it first with POST /v1/orders or POST /v1/orders/draft.',
      }),
    );
    const params = { external_id: body.external_id };
    return getOrder.run(context, { params, query: {}, body: undefined }, undefined);
  },
});
