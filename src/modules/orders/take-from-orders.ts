/**
 * Takes parts of orders for invoices: several orders of one invoice, and several invoices in one transaction. Orders never read
 * invoices.
 */
import type { Db } from '#infra/database/database';
import { nextVersion } from '#kernel/changes';
import { isOnCredit, type PaymentTerm } from '#kernel/payment-term';
import { type Problem, refusal } from '#kernel/problem';
import {
  creditRefusal,
  findStanding,
  lockFacilities,
  type Standing,
  useReservations,
} from '#modules/facilities';
import { orderLifecycle } from './order.lifecycle.ts';
import type { OrderRow } from './order.queries.ts';
import { lockOrders, writeOrderTransitions } from './order-transitions.queries.ts';
import { orderTransitionOf } from './transition-order.ts';

/** The part of an order that an invoice covers: its gross amount in minor units, or 0 if the orders before it sufficed. */
export interface OrderPart {
  order: OrderRow;
  amountMinor: number;
}

/** An invoice that takes parts of locked orders. */
export interface OrderTaking {
  invoiceExternalId: string;
  buyerExternalId: string;
  parts: OrderPart[];
  actor: string;
  /** Unix seconds. */
  at: number;
}

/**
 * Locks the buyers' facilities, then the orders, both in the order of their keys. Returns the orders by external_id. An unknown one is
 * missing.
 */
export async function lockOrdersToInvoice(
  db: Db,
  platformId: number,
  invoices: readonly { buyerExternalId: string; orderExternalIds: readonly string[] }[],
): Promise<Map<string, OrderRow>> {
  const ofOrders = invoices.filter(({ orderExternalIds }) => orderExternalIds.length > 0);
  if (ofOrders.length === 0) return new Map();
  await lockFacilities(db, platformId, [...new Set(ofOrders.map(({ buyerExternalId }) => buyerExternalId))]);
  const ids = [...new Set(ofOrders.flatMap(({ orderExternalIds }) => orderExternalIds))];
  const orders = await lockOrders(db, platformId, ids);
  return new Map(orders.map((order) => [order.external_id, order]));
}

/**
 * Divides an invoice's gross amount (minor units) among its orders in the listed order, each up to its remaining amount. Throws
 * ORDER_NOT_INVOICEABLE and ORDER_AMOUNT_EXCEEDED.
 */
export function partsOfOrders(orders: readonly OrderRow[], grossMinor: number): OrderPart[] {
  for (const order of orders) assertInvoiceable(order);
  let leftMinor = grossMinor;
  const parts = orders.map((order) => {
    const amountMinor = Math.min(leftMinor, openMinorOf(order));
    leftMinor -= amountMinor;
    return { order, amountMinor };
  });
  if (leftMinor === 0) return parts;
  const openMinor = grossMinor - leftMinor;
  throw refusal('ORDER_AMOUNT_EXCEEDED', `The orders have ${openMinor} left to invoice`, {
    requested: grossMinor,
    available: openMinor,
    currency: orders[0]?.currency,
    order_external_ids: orders.map(({ external_id }) => external_id),
  });
}

const openMinorOf = ({ amount_gross, invoiced_amount }: OrderRow) => amount_gross - invoiced_amount;

function assertInvoiceable(order: OrderRow): void {
  const allows = orderLifecycle.transitions.some(
    ({ from, trigger }) => from === order.status && trigger === 'invoice',
  );
  if (allows && !order.is_closed_short) return;
  const why = allows ? 'is closed short' : `is ${order.status}`;
  throw refusal('ORDER_NOT_INVOICEABLE', `The order ${order.external_id} ${why}, so it cannot be invoiced`, {
    order_external_id: order.external_id,
    status: order.status,
    is_closed_short: order.is_closed_short,
  });
}

/** Whether the order is paid on credit, so that its invoices use the buyer's facility. */
export function isOrderOnCredit({ payment_term }: Pick<OrderRow, 'payment_term'>): boolean {
  return isOnCredit(payment_term as PaymentTerm);
}

/**
 * Turns the parts of the reservations into use and writes the orders' transitions. The orders are locked, and no two invoices share an
 * order or a buyer. Returns, in the order of the invoices, null or the problem that refused the invoice; nothing of a refused invoice
 * is written.
 */
export async function takeFromOrders(
  db: Db,
  platformId: number,
  takings: readonly OrderTaking[],
): Promise<(Problem | null)[]> {
  const problems: (Problem | null)[] = [];
  const uses: Parameters<typeof useReservations>[1] = [];
  for (const taking of takings) {
    const missingMinor = missingMinorOf(taking);
    const standing =
      missingMinor === 0
        ? null
        : await findStanding(db, { platformId, buyerExternalId: taking.buyerExternalId, at: taking.at });
    const problem = standing && refusalOf(standing, taking, missingMinor);
    problems.push(problem);
    if (!problem) uses.push(...usesOf(platformId, taking, standing));
  }
  const accepted = takings.filter((_, index) => problems[index] === null);
  const posted = await useReservations(db, uses);
  const refused = uses[posted.findIndex((entry) => !entry?.isPosted)];
  if (refused) throw new Error(`A locked facility refused the use of the order ${refused.orderExternalId}.`);
  await writeOrderTransitions(db, accepted.flatMap(transitionsOf));
  return problems;
}

const takenParts = ({ parts }: OrderTaking) => parts.filter(({ amountMinor }) => amountMinor > 0);
const reservedMinorOf = ({ order, amountMinor }: OrderPart) => Math.min(amountMinor, order.reserved_amount);

/** The part that the orders have not reserved: the full amount on a platform where only invoices count. */
function missingMinorOf(taking: OrderTaking): number {
  return takenParts(taking)
    .filter(({ order }) => isOrderOnCredit(order))
    .reduce((sum, part) => sum + part.amountMinor - reservedMinorOf(part), 0);
}

function refusalOf(standing: Standing, { parts, at }: OrderTaking, missingMinor: number): Problem | null {
  const [first] = parts;
  if (!first) return null;
  return creditRefusal(standing, { grossMinor: missingMinor, currency: first.order.currency }, at);
}

function usesOf(platformId: number, taking: OrderTaking, standing: Standing | null) {
  const { invoiceExternalId, buyerExternalId, actor, at } = taking;
  return takenParts(taking)
    .filter(({ order }) => isOrderOnCredit(order))
    .map((part) => ({
      platformId,
      buyerExternalId,
      orderExternalId: part.order.external_id,
      invoiceExternalId,
      amountMinor: part.amountMinor,
      reservedMinor: reservedMinorOf(part),
      // Applies only to the unreserved part; if there is one, there is a standing.
      tolerancePercent: standing?.limitPolicy.tolerancePercent ?? 0,
      actor,
      at,
    }));
}

function transitionsOf(taking: OrderTaking) {
  return takenParts(taking).map((part) => {
    const { order, amountMinor } = part;
    const transition = orderTransitionOf(order, 'invoice');
    return {
      order: {
        ...order,
        ...nextVersion(order, taking.at),
        status: transition.to,
        invoiced_amount: order.invoiced_amount + amountMinor,
        reserved_amount: order.reserved_amount - reservedMinorOf(part),
        expires_at: null,
      },
      transition,
      actor: taking.actor,
      reason: null,
      decisionId: null,
    };
  });
}
