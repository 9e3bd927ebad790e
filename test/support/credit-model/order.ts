/** The model of orders. */
import { creditRefusal, isLateForReview, isStopped } from './credit.ts';
import { authorizationEnd } from './limits.ts';
import {
  type Action,
  type Answer,
  DAY_SECONDS,
  done,
  illegal,
  isRefused,
  type Model,
  type Order,
  type OrderScript,
  type OrderStatus,
  openReview,
  refused,
  scriptedEnd,
  type Term,
} from './state.ts';

const CONFIRMATION_LIMIT_DAYS = 14;

const ALLOWED: Record<OrderStatus, readonly string[]> = {
  DRAFT: ['complete_checkout', 'complete_checkout_for_review', 'cancel'],
  PENDING_CONFIRMATION: ['confirm', 'decline', 'cancel', 'expire'],
  CONFIRMED: [
    'pay',
    'invoice',
    'uninvoice',
    'cancel',
    'close',
    'close_short',
    'expire',
    'disburse',
    'settle',
  ],
  DISBURSED: ['invoice', 'uninvoice', 'close_short', 'settle'],
  CLOSED: [],
  CANCELLED: [],
  EXPIRED: [],
};

/** Whether the order's status has this trigger. */
export const has = ({ status }: Order, trigger: string) => ALLOWED[status].includes(trigger);
export const illegalFor = ({ status }: Order) => illegal(ALLOWED[status]);
/** The refusal by a guard of a transition that the status allows. */
export const unguarded = ({ status }: Order, trigger: string) =>
  illegal(ALLOWED[status].filter((each) => each !== trigger));

const newOrder = ({ now }: Model, id: string, gross: number, script: OrderScript): Order => ({
  id,
  status: 'DRAFT',
  gross,
  createdAt: now,
  ...{ term: null, orderedAt: now },
  script,
  awaitsIncrease: false,
  ...{ reserved: 0, invoiced: 0 },
  expiresAt: null,
  isClosedShort: false,
  paidAt: null,
});

export function createDraft(model: Model, id: string, gross: number, script: OrderScript): Answer {
  if (model.orders.some((order) => order.id === id)) return refused(409, 'EXTERNAL_ID_ALREADY_EXISTS');
  model.orders.push(newOrder(model, id, gross, script));
  return done(201);
}

/** Prepayment is not credit. */
export const isOnCredit = ({ term }: Order) => term !== null && term !== 'PREPAYMENT';

export function createOrder(
  model: Model,
  id: string,
  gross: number,
  term: Term,
  script: OrderScript,
): Answer {
  if (model.orders.some((order) => order.id === id)) return refused(409, 'EXTERNAL_ID_ALREADY_EXISTS');
  const order = newOrder(model, id, gross, script);
  const refusal = agree(model, order, term);
  if (refusal) return refusal;
  model.orders.push(order);
  return done(201);
}

export function completeCheckout(model: Model, order: Order, term: Term): Answer {
  if (!has(order, 'complete_checkout')) return illegalFor(order);
  if (term === 'DEFER_30D' || term === 'SPLIT_3M') {
    if (model.facility?.status === 'PENDING') return wait(model, order, term);
    const isTooMuch = creditRefusal(model, order.gross)?.reason === 'FACILITY_EXCEEDED_AVAILABLE_AMOUNT';
    if (isTooMuch && model.facility?.actions.has('INCREASE'))
      return wait(model, order, term, { isForIncrease: true });
  }
  return agree(model, order, term) ?? done();
}

/** The facility, or the increase that the order needs, is under review: the order waits and reserves nothing. */
function wait(model: Model, order: Order, term: Term, { isForIncrease = false } = {}): Answer {
  if (isStopped(model)) return refused(422, 'BUYER_OVERDUE');
  if (order.script === 'rejected') return refused(422, 'PAYMENT_TERM_NOT_AVAILABLE');
  Object.assign(order, { awaitsIncrease: isForIncrease, term, orderedAt: model.now });
  order.status = 'PENDING_CONFIRMATION';
  order.expiresAt = model.now + CONFIRMATION_LIMIT_DAYS * DAY_SECONDS;
  return done();
}

/** After the decision about the facility or its increase, confirms or declines waiting orders, the oldest first. */
export function settleWaiting(model: Model, about: Action, at: number): void {
  if (model.facility?.status === 'PENDING') return;
  const waiting = model.orders.filter(
    (order) => has(order, 'confirm') && (about !== 'INCREASE' || order.awaitsIncrease),
  );
  waiting.sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
  for (const order of waiting) if (isRefused(confirm(model, order, at))) decline(model, order);
}

/** Agrees on the term or refuses the order. An order on credit reserves its amount. */
function agree(model: Model, order: Order, term: Term): Answer | null {
  if (term === 'DEFER_120D') return refused(422, 'PAYMENT_TERM_NOT_AVAILABLE');
  const agreed: Order = { ...order, term };
  const judgement = isOnCredit(agreed) ? judgementOf(model, order) : null;
  if (isOnCredit(agreed)) {
    const refusal = creditRefusal(model, order.gross);
    if (refusal) return refusal;
    if (order.script === 'rejected' || judgement === 'REJECT')
      return refused(422, 'PAYMENT_TERM_NOT_AVAILABLE');
    order.reserved = order.gross;
  }
  Object.assign(order, { term, orderedAt: model.now });
  const isReviewed =
    isOnCredit(order) && (order.script !== null || judgement === 'REFER' || isLateForReview(model));
  order.status = isReviewed ? 'PENDING_CONFIRMATION' : 'CONFIRMED';
  order.expiresAt = isReviewed
    ? model.now + CONFIRMATION_LIMIT_DAYS * DAY_SECONDS
    : authorizationEnd(model, model.now);
  if (isReviewed)
    openReview(model, {
      about: 'ORDER',
      order,
      requested: order.gross,
      aloneMax: order.gross,
      scripted: scriptedEnd(order.script, model.now),
    });
  return null;
}

/** The policy that decided about the facility judges the first order on credit that is delivered elsewhere. */
function judgementOf({ facility, company, orders }: Model, { script }: Order): 'REFER' | 'REJECT' | null {
  const isFirst = !orders.some(
    (each) =>
      each.status === 'CLOSED' || (isOnCredit(each) && ['CONFIRMED', 'DISBURSED'].includes(each.status)),
  );
  return script === null && isFirst && company.isElsewhere ? (facility?.judgement ?? null) : null;
}

/** Releases the reservation and removes the time limit. */
function release(order: Order): void {
  order.reserved = 0;
  order.expiresAt = null;
}

function endReview(model: Model, order: Order): void {
  for (const each of model.reviews) if (each.order === order) each.status = 'ENDED';
}

export function confirm(model: Model, order: Order, at: number): Answer {
  if (!has(order, 'confirm')) return illegalFor(order);
  const refusal = creditRefusal(model, order.gross, order.reserved, at);
  if (refusal) return refusal;
  order.reserved = order.gross;
  order.status = 'CONFIRMED';
  order.expiresAt = authorizationEnd(model, at);
  endReview(model, order);
  return done();
}

export function decline(model: Model, order: Order): Answer {
  if (!has(order, 'decline')) return illegalFor(order);
  return end(model, order, 'CANCELLED');
}

export function cancel(model: Model, order: Order): Answer {
  if (!has(order, 'cancel')) return illegalFor(order);
  if (order.invoiced > 0) return refused(409, 'ORDER_HAS_INVOICE');
  return end(model, order, 'CANCELLED');
}

export function end(model: Model, order: Order, status: OrderStatus): Answer {
  release(order);
  endReview(model, order);
  order.status = status;
  return done();
}

/** Closes an order: nothing more will be invoiced. */
export function close(model: Model, order: Order): Answer {
  if (order.invoiced === 0) return has(order, 'close') ? end(model, order, 'CANCELLED') : illegalFor(order);
  if (!has(order, 'close_short')) return illegalFor(order);
  if (order.isClosedShort) return unguarded(order, 'close_short');
  release(order);
  order.isClosedShort = true;
  settleOrder(model, order);
  return done();
}

export function expireOrder(model: Model, order: Order): Answer {
  if (!has(order, 'expire')) return illegalFor(order);
  return order.expiresAt === null ? unguarded(order, 'expire') : end(model, order, 'EXPIRED');
}

/** Records the payment in advance, after which the order no longer expires. */
export function recordPrepayment({ now }: Model, order: Order): Answer {
  if (!has(order, 'pay')) return illegalFor(order);
  if (isOnCredit(order) || order.paidAt !== null || order.invoiced > 0) return unguarded(order, 'pay');
  order.paidAt = now;
  order.expiresAt = null;
  return done();
}

export function disburse(order: Order): Answer {
  if (!has(order, 'disburse')) return illegalFor(order);
  if (order.invoiced === 0) return unguarded(order, 'disburse');
  order.status = 'DISBURSED';
  return done();
}

/** Closes an order of which no more can be invoiced, once its invoices have ended and one of them is paid. */
export function settleOrder(model: Model, order: Order): void {
  const invoices = model.invoices.filter(({ parts }) => parts.some((part) => part.order === order));
  const haveEnded = invoices.every(({ status }) => status === 'CLOSED' || status === 'CANCELLED');
  const isPaid = invoices.some(({ status }) => status === 'CLOSED');
  const isWhole = order.invoiced > 0 && (order.isClosedShort || order.invoiced === order.gross);
  if (has(order, 'settle') && haveEnded && isPaid && isWhole) end(model, order, 'CLOSED');
}
