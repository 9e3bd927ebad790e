/** What invoices do to their order. The module of invoices calls these in its transactions; orders never read invoices. */
import type { Db } from '#infra/database/database';
import { nextVersion } from '#kernel/changes';
import { isOnCredit, type PaymentTerm } from '#kernel/payment-term';
import { refusal } from '#kernel/problem';
import {
  creditRefusal,
  findStanding,
  postEntries,
  recordClosedOrders,
  useReservations,
} from '#modules/facilities';
import { recordEvents } from '#modules/webhooks';
import type { ChangeContext } from '#operation/operation';
import { orderEvent } from './order.events.ts';
import { type OrderTrigger, orderLifecycle } from './order.lifecycle.ts';
import type { OrderRow } from './order.queries.ts';
import { purchaseOf, timeLimitOf } from './order.rules.ts';
import { reservationRefusal } from './order-credit.ts';
import { lockOrders, writeOrderTransitions } from './order-transitions.queries.ts';
import {
  guardRefusal,
  lockOrderAndFacility,
  orderTransitionOf,
  releaseAndTransitionOrder,
  transitionOrder,
} from './transition-order.ts';

/** The part of an order that an invoice covers. */
export interface InvoicedPart {
  invoiceExternalId: string;
  /** The gross amount in minor units of the order's currency. */
  amountMinor: number;
}

/**
 * Invoices all or a part of the order: that part of the reservation becomes use. Throws ORDER_AMOUNT_EXCEEDED, and the
 * refusals of an order on credit if the part was not reserved because only invoices count.
 */
export async function invoiceOrder(
  context: ChangeContext,
  externalId: string,
  part: InvoicedPart,
): Promise<OrderRow> {
  const order = await lockOrderAndFacility(context, externalId);
  orderTransitionOf(order, 'invoice');
  const { amountMinor } = part;
  const open = order.is_closed_short ? 0 : order.amount_gross - order.invoiced_amount;
  if (amountMinor > open)
    throw refusal('ORDER_AMOUNT_EXCEEDED', `The order has ${open} left to invoice`, {
      requested: amountMinor,
      available: open,
      currency: order.currency,
    });
  const reservedMinor = Math.min(amountMinor, order.reserved_amount);
  await use(context, order, part, reservedMinor);
  return transitionOrder(context, order, 'invoice', {
    invoiced_amount: order.invoiced_amount + amountMinor,
    reserved_amount: order.reserved_amount - reservedMinor,
    expires_at: null,
  });
}

async function use(
  { db, platformId, actor, now }: ChangeContext,
  order: OrderRow,
  { invoiceExternalId, amountMinor }: InvoicedPart,
  reservedMinor: number,
): Promise<void> {
  if (!isOnCredit(order.payment_term as PaymentTerm)) return;
  const buyerExternalId = order.buyer_external_id;
  const standing = await findStanding(db, { platformId, buyerExternalId, at: now });
  const missingMinor = amountMinor - reservedMinor;
  if (missingMinor > 0) {
    const problem = creditRefusal(standing, { ...purchaseOf(order), grossMinor: missingMinor }, now);
    if (problem) throw problem;
  }
  const [posted] = await useReservations(db, [
    {
      platformId,
      buyerExternalId,
      orderExternalId: order.external_id,
      invoiceExternalId,
      amountMinor,
      reservedMinor,
      tolerancePercent: standing.limitPolicy.tolerancePercent,
      actor,
      at: now,
    },
  ]);
  const requested = { amountMinor: missingMinor, currency: order.currency };
  const problem = reservationRefusal(posted, requested, standing, now);
  if (problem) throw problem;
}

/**
 * Cancels an invoice's part, which can be invoiced again. The credit it still used (`usedMinor`, neither paid nor credited)
 * is reserved again, or released if the order is closed short or only invoices count.
 */
export async function uninvoiceOrder(
  context: ChangeContext,
  externalId: string,
  part: InvoicedPart & { usedMinor: number },
): Promise<OrderRow> {
  return uninvoiceLocked(context, await lockOrderAndFacility(context, externalId), part);
}

async function uninvoiceLocked(
  context: ChangeContext,
  order: OrderRow,
  { invoiceExternalId, amountMinor, usedMinor }: InvoicedPart & { usedMinor: number },
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
    // Without an invoice the order has its time limit again, unless it is paid in advance; a reservation must end.
    ...(invoicedMinor === 0 &&
      order.paid_at === null && { expires_at: timeLimitOf(order.status, limitPolicy, now) }),
  });
}

/** Records the first payout of a FINANCING service on one of the order's invoices. */
export async function disburseOrder(context: ChangeContext, externalId: string): Promise<OrderRow> {
  const order = await lockOrderAndFacility(context, externalId);
  orderTransitionOf(order, 'disburse');
  if (order.invoiced_amount === 0)
    throw guardRefusal(order, 'disburse', 'The order has no invoice, so nothing can be paid out');
  return transitionOrder(context, order, 'disburse', {});
}

/** Whether no further invoice can come. The order is settled once its invoices are. */
export function isFullyInvoiced(order: OrderRow): boolean {
  return order.invoiced_amount > 0 && (order.is_closed_short || order.invoiced_amount === order.amount_gross);
}

/**
 * Closes an order. The caller knows that every invoice is CLOSED or CANCELLED and at least one is CLOSED. Throws
 * INVALID_STATUS_TRANSITION unless the order is fully invoiced.
 */
export async function settleOrder(context: ChangeContext, externalId: string): Promise<OrderRow> {
  return settleLocked(context, await lockOrderAndFacility(context, externalId));
}

async function settleLocked(context: ChangeContext, order: OrderRow): Promise<OrderRow> {
  orderTransitionOf(order, 'settle');
  if (!isFullyInvoiced(order))
    throw guardRefusal(order, 'settle', 'The order is neither fully invoiced nor closed short');
  const closed = await releaseAndTransitionOrder(context, order, 'settle', {});
  const { platform_id: platformId, buyer_external_id: buyerExternalId, external_id } = order;
  await recordClosedOrders(context.db, platformId, [
    { buyerExternalId, orderExternalId: external_id, at: context.now },
  ]);
  return closed;
}

/** An order of which every invoice has ended, with who settled the last one and when (unix seconds). */
export interface OrderSettlement {
  orderExternalId: string;
  actor: string;
  now: number;
}

/**
 * Closes those of the locked orders that are fully invoiced and have not ended. The caller knows that every invoice of each is
 * CLOSED or CANCELLED and at least one is CLOSED. Such an order reserves nothing any more, so no credit is released.
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

/** The part of an order that a cancelled invoice gives back, with the credit that the invoice used of it (minor units). */
export type CancelledPart = InvoicedPart & { orderExternalId: string; usedMinor: number };

/**
 * Gives parts back to their orders; an order that has ended takes none. Returns what of the used credit the orders' entries
 * have released: the rest is still used.
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

function allows({ status }: OrderRow, trigger: OrderTrigger): boolean {
  return orderLifecycle.transitions.some((each) => each.from === status && each.trigger === trigger);
}
