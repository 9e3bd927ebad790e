export { createDraftOrder } from './operations/create-draft-order.ts';
export { createOrder } from './operations/create-order.ts';
export { getOrder } from './operations/get-order.ts';
export { listOrders } from './operations/list-orders.ts';
export { orderLifecycle } from './order.lifecycle.ts';
export type { DraftOrderCreation } from './order.schemas.ts';
