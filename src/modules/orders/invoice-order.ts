/** The effects of invoices on their orders. The invoices module calls these functions in its transactions; orders never read invoices. */
import type { Db } from '#infra/database/database';
import { nextVersion } from '#kernel/changes';
import { findStanding, postEntries, recordClosedOrders } from '#modules/facilities';
import { recordEvents } from '#modules/webhooks';
import type { ChangeContext } from '#operation/operation';
import { orderEvent } from './order.events.ts';
import { type OrderTrigger, orderLifecycle } from './order.lifecycle.ts';
import type { OrderRow } from './order.queries.ts';
import { timeLimitOf } from './order.rules.ts';
import { lockOrders, writeOrderTransitions } from './order-transitions.queries.ts';
import {
  guardRefusal,
  lockOrderAndFacility,
  orderTransitionOf,
  transitionOrder,
} from './transition-order.ts';

/** Records the first payout of a FINANCING service on one of the order's invoices. */
export async function disburseOrder(context: ChangeContext, externalId: string): Promise<OrderRow> {
  const order = await lockOrderAndFacility(context, externalId);
  orderTransitionOf(order, 'disburse');
  if (order.invoiced_amount === 0)
    throw guardRefusal(order, 'disburse', 'The order has no invoice, so nothing can be paid out');
  return transitionOrder(context, order, 'disburse', {});
}

/** Whether no further invoice can come. Such an order is settled when its invoices are. */
function isFullyInvoiced(order: OrderRow): boolean {
  return order.invoiced_amount > 0 && (order.is_closed_short || order.invoiced_amount === order.amount_gross);
}

/** An order whose invoices have all ended, with who settled the last one and when (unix seconds). */
export interface OrderSettlement {
  orderExternalId: string;
  actor: string;
  now: number;
}

/**
 * Closes those of the locked orders that are fully invoiced and have not ended. The caller knows that all invoices of each order are
 * CLOSED or CANCELLED and at least one is CLOSED. Such an order reserves nothing, so no credit is released.
 */
export async function settleOrders(
  db: Db,
  platformId: number,
  settlements: readonly OrderSettlement[],
): Promise<void> {
  if (settlements.length === 0) return;
  const byId = new Map(settlements.map((each) => [each.orderExternalId, each]));
  const orders = await lockOrders(db, platformId, [...byId.keys()]);
  const closed = orders
    .filter((order) => allows(order, 'settle') && isFullyInvoiced(order))
    .map((order) => {
      const { actor, now } = byId.get(order.external_id) as OrderSettlement;
      const transition = orderTransitionOf(order, 'settle');
      const changed = { ...order, ...nextVersion(order, now), status: transition.to, expires_at: null };
      return { order: changed, transition, actor, reason: null, decisionId: null, now };
    });
  if (closed.length === 0) return;
  await writeOrderTransitions(db, closed);
  await recordClosedOrders(
    db,
    platformId,
    closed.map(({ order, now }) => ({
      buyerExternalId: order.buyer_external_id,
      orderExternalId: order.external_id,
      at: now,
    })),
  );
  await recordEvents(
    db,
    closed.map(({ order, transition }) => orderEvent(order, transition, null)),
  );
}

/** The part of an order that a cancelled invoice gives back, with the credit that the invoice still used for it (minor units). */
export interface CancelledPart {
  orderExternalId: string;
  invoiceExternalId: string;
  amountMinor: number;
  usedMinor: number;
}

/**
 * Gives parts back to their orders. An order that has ended takes nothing back. Returns the used credit that the orders' entries
 * released; the rest is still used.
 */
export async function uninvoiceOrders(
  context: ChangeContext,
  parts: readonly CancelledPart[],
): Promise<number> {
  let releasedMinor = 0;
  for (const { orderExternalId, ...part } of parts) {
    const order = await lockOrderAndFacility(context, orderExternalId);
    if (!allows(order, 'uninvoice')) continue;
    await uninvoiceLocked(context, order, part);
    releasedMinor += part.usedMinor;
  }
  return releasedMinor;
}

/**
 * Cancels an invoice's part, which can then be invoiced again. The credit it still used (`usedMinor`, neither paid nor credited) is
 * reserved again, or released if the order is closed short or only invoices count.
 */
async function uninvoiceLocked(
  context: ChangeContext,
  order: OrderRow,
  { invoiceExternalId, amountMinor, usedMinor }: Omit<CancelledPart, 'orderExternalId'>,
): Promise<OrderRow> {
  orderTransitionOf(order, 'uninvoice');
  if (amountMinor > order.invoiced_amount || usedMinor > amountMinor)
    throw new Error(`The invoice ${invoiceExternalId} releases more than it used of ${order.external_id}.`);
  const { db, platformId, actor, now } = context;
  const key = { platformId, buyerExternalId: order.buyer_external_id };
  const { limitPolicy } = await findStanding(db, { ...key, at: now });
  const reservedMinor = order.is_closed_short || limitPolicy.counts === 'INVOICES' ? 0 : usedMinor;
  if (usedMinor > 0) {
    await postEntries(db, [
      {
        ...key,
        cause: 'INVOICE_CANCELLED',
        usedChange: -usedMinor,
        pendingOrdersChange: reservedMinor,
        orderExternalId: order.external_id,
        invoiceExternalId,
        actor,
        at: now,
      },
    ]);
  }
  const invoicedMinor = order.invoiced_amount - amountMinor;
  return transitionOrder(context, order, 'uninvoice', {
    invoiced_amount: invoicedMinor,
    reserved_amount: order.reserved_amount + reservedMinor,
    // Without an invoice, the order has its time limit again unless it is prepaid, because a reservation must end.
    ...(invoicedMinor === 0 &&
      order.paid_at === null && { expires_at: timeLimitOf(order.status, limitPolicy, now) }),
  });
}

function allows({ status }: OrderRow, trigger: OrderTrigger): boolean {
  return orderLifecycle.transitions.some((each) => each.from === status && each.trigger === trigger);
}
