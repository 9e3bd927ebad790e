/** The first payout for a part of an order. The payouts module calls this in its transactions. */
import { nextVersion } from '#kernel/changes';
import { recordEvents } from '#modules/webhooks';
import type { ChangeContext } from '#operation/operation';
import { orderEvent } from './order.events.ts';
import { orderLifecycle } from './order.lifecycle.ts';
import { lockOrders, writeOrderTransitions } from './order-transitions.queries.ts';
import { orderTransitionOf } from './transition-order.ts';

/**
 * Records that the merchant was paid for a part of these orders. Orders that were already disbursed or have ended stay unchanged. The
 * facilities of their buyers are locked.
 */
export async function disburseOrders(
  { db, platformId, actor, now }: ChangeContext,
  externalIds: readonly string[],
): Promise<void> {
  if (externalIds.length === 0) return;
  const orders = await lockOrders(db, platformId, externalIds);
  const changed = orders
    .filter(({ status }) =>
      orderLifecycle.transitions.some(({ from, trigger }) => from === status && trigger === 'disburse'),
    )
    .map((order) => {
      const transition = orderTransitionOf(order, 'disburse');
      const disbursed = { ...order, ...nextVersion(order, now), status: transition.to };
      return { order: disbursed, transition, actor, reason: null, decisionId: null };
    });
  if (changed.length === 0) return;
  await writeOrderTransitions(db, changed);
  await recordEvents(
    db,
    changed.map(({ order, transition }) => orderEvent(order, transition, null)),
  );
}
