export { completeCheckout, type InvoiceDetails } from './complete-checkout.ts';
export { confirmOrder, declineOrder } from './confirm-order.ts';
export { disburseOrders } from './disburse-orders.ts';
export { cancelByBuyer, closeShort, expireOrder, orderExpiries } from './end-order.ts';
export {
  type CancelledPart,
  disburseOrder,
  type OrderSettlement,
  settleOrders,
  uninvoiceOrders,
} from './invoice-order.ts';
export { cancelOrder } from './operations/cancel-order.ts';
export { createDraftOrder } from './operations/create-draft-order.ts';
export { createOrder } from './operations/create-order.ts';
export { getOrder } from './operations/get-order.ts';
export { listOrderHistory } from './operations/list-order-history.ts';
export { listOrders } from './operations/list-orders.ts';
export { recordPrepayment } from './operations/record-prepayment.ts';
export { orderEvents } from './order.events.ts';
export { type OrderStatus, type OrderTrigger, orderLifecycle } from './order.lifecycle.ts';
export {
  existsOrder,
  findInvoiceEmails,
  findOrder,
  type OrderKey,
  type OrderRow,
  openInvoiceEmail,
  openOrderEmail,
  ordersTable,
  toOrder,
} from './order.queries.ts';
export { purchaseOf, readLineItems } from './order.rules.ts';
export {
  type DraftOrderCreation,
  LineItem,
  LineItemInput,
  Order,
  type OrderCreation,
  OrderParams,
  PURCHASE_ORDER_LENGTH_MAX,
} from './order.schemas.ts';
export { findOrdersToInvite, takeInvitation } from './order-invitation.queries.ts';
export { orderTotals } from './order-list.queries.ts';
export { lockOrder, lockOrders } from './order-transitions.queries.ts';
export { type PaymentDue, paymentDueOf } from './payment-due.rules.ts';
export { applyFacilityDecision } from './pending-orders.ts';
export { listReservingOrders, type ReservingOrder } from './reserving-order.queries.ts';
export {
  isOrderOnCredit,
  lockOrdersToInvoice,
  type OrderPart,
  partsOfOrders,
  takeFromOrders,
} from './take-from-orders.ts';
export { lockOrderAndFacility } from './transition-order.ts';
