/** The model of orders, and of what invoices do to them. */
import { creditRefusal } from './credit.ts';
import { authorizationEnd } from './limits.ts';
import {
  type Action,
  type Answer,
  DAY_SECONDS,
  done,
  illegal,
  invoicedOf,
  isRefused,
  type Model,
  type Order,
  type OrderScript,
  type OrderStatus,
  openReview,
  refused,
  scriptedEnd,
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
const illegalFor = ({ status }: Order) => illegal(ALLOWED[status]);
/** The refusal of a guard: the status allows the transition. */
const unguarded = ({ status }: Order, trigger: string) =>
  illegal(ALLOWED[status].filter((each) => each !== trigger));

const newOrder = ({ now }: Model, id: string, gross: number, script: OrderScript): Order => ({
  id,
  status: 'DRAFT',
  gross,
  createdAt: now,
  isOnCredit: false,
  script,
  awaitsIncrease: false,
  reserved: 0,
  invoices: [],
  expiresAt: null,
  isClosedShort: false,
  isPaid: false,
});

export function createDraft(model: Model, id: string, gross: number, script: OrderScript): Answer {
  if (model.orders.some((order) => order.id === id)) return refused(409, 'EXTERNAL_ID_ALREADY_EXISTS');
  model.orders.push(newOrder(model, id, gross, script));
  return done(201);
}

export type Term = 'PREPAYMENT' | 'DEFER_30D' | 'DEFER_120D';

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
  if (term === 'DEFER_30D') {
    if (model.facility?.status === 'PENDING') return wait(model, order);
    const isTooMuch = creditRefusal(model, order.gross)?.reason === 'FACILITY_EXCEEDED_AVAILABLE_AMOUNT';
    if (isTooMuch && model.facility?.actions.has('INCREASE'))
      return wait(model, order, { isForIncrease: true });
  }
  return agree(model, order, term) ?? done();
}

/** The facility is under review, or the increase that the order needs: the order waits and reserves nothing. */
function wait(model: Model, order: Order, { isForIncrease = false } = {}): Answer {
  if (order.script === 'rejected') return refused(422, 'PAYMENT_TERM_NOT_AVAILABLE');
  order.awaitsIncrease = isForIncrease;
  order.isOnCredit = true;
  order.status = 'PENDING_CONFIRMATION';
  order.expiresAt = model.now + CONFIRMATION_LIMIT_DAYS * DAY_SECONDS;
  return done();
}

/** The facility or its increase is decided: waiting orders are confirmed or declined, the oldest first. */
export function settleWaiting(model: Model, about: Action, at: number): void {
  if (model.facility?.status === 'PENDING') return;
  const waiting = model.orders.filter(
    (order) => has(order, 'confirm') && (about !== 'INCREASE' || order.awaitsIncrease),
  );
  waiting.sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
  for (const order of waiting) if (isRefused(confirm(model, order, at))) decline(model, order);
}

/** Agrees on the term or refuses the order; on credit it reserves. */
function agree(model: Model, order: Order, term: Term): Answer | null {
  if (term === 'DEFER_120D') return refused(422, 'PAYMENT_TERM_NOT_AVAILABLE');
  order.isOnCredit = term !== 'PREPAYMENT';
  const judgement = order.isOnCredit ? judgementOf(model, order) : null;
  if (order.isOnCredit) {
    const refusal = creditRefusal(model, order.gross);
    if (refusal) return refusal;
    if (order.script === 'rejected' || judgement === 'REJECT')
      return refused(422, 'PAYMENT_TERM_NOT_AVAILABLE');
    order.reserved = order.gross;
    change(model, order.gross, 0);
  }
  const isReviewed = order.isOnCredit && (order.script !== null || judgement === 'REFER');
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

/** The first order on credit that goes elsewhere is judged by the policy that decided about the facility. */
function judgementOf({ facility, company, orders }: Model, { script }: Order): 'REFER' | 'REJECT' | null {
  const isFirst = !orders.some(
    (each) =>
      each.status === 'CLOSED' || (each.isOnCredit && ['CONFIRMED', 'DISBURSED'].includes(each.status)),
  );
  return script === null && isFirst && company.isElsewhere ? (facility?.judgement ?? null) : null;
}

function change({ facility }: Model, pending: number, used: number): void {
  if (!facility) return;
  facility.pending += pending;
  facility.used += used;
}

/** Releases the reservation and removes the time limit. */
function release(model: Model, order: Order): void {
  change(model, -order.reserved, 0);
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
  change(model, order.gross - order.reserved, 0);
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
  if (order.invoices.length > 0) return refused(409, 'ORDER_HAS_INVOICE');
  return end(model, order, 'CANCELLED');
}

function end(model: Model, order: Order, status: OrderStatus): Answer {
  release(model, order);
  endReview(model, order);
  order.status = status;
  return done();
}

/** Nothing more will be invoiced. */
export function close(model: Model, order: Order): Answer {
  if (order.invoices.length === 0)
    return has(order, 'close') ? end(model, order, 'CANCELLED') : illegalFor(order);
  if (!has(order, 'close_short')) return illegalFor(order);
  if (order.isClosedShort) return unguarded(order, 'close_short');
  release(model, order);
  order.isClosedShort = true;
  return done();
}

export function expireOrder(model: Model, order: Order): Answer {
  if (!has(order, 'expire')) return illegalFor(order);
  return order.expiresAt === null ? unguarded(order, 'expire') : end(model, order, 'EXPIRED');
}

export function invoice(model: Model, order: Order, id: string, amount: number): Answer {
  if (!has(order, 'invoice')) return illegalFor(order);
  const open = order.isClosedShort ? 0 : order.gross - invoicedOf(order);
  if (amount > open) return refused(422, 'ORDER_AMOUNT_EXCEEDED', { available: open });
  const reserved = Math.min(amount, order.reserved);
  if (order.isOnCredit) {
    const refusal = amount > reserved ? creditRefusal(model, amount - reserved) : null;
    if (refusal) return refusal;
    change(model, -reserved, amount);
    order.reserved -= reserved;
  }
  order.invoices.push({ id, amount, used: order.isOnCredit ? amount : 0, payments: [] });
  order.expiresAt = null;
  return done();
}

/** What the invoice still used is reserved again. */
export function uninvoice(model: Model, order: Order, nth: number): Answer {
  if (!has(order, 'uninvoice')) return illegalFor(order);
  const [cancelled] = order.invoices.splice(nth, 1);
  const used = cancelled?.used ?? 0;
  const reserved = order.isClosedShort ? 0 : used;
  change(model, reserved, -used);
  order.reserved += reserved;
  if (order.invoices.length === 0 && order.status === 'CONFIRMED' && !order.isPaid)
    order.expiresAt = authorizationEnd(model, model.now);
  return done();
}

/** The payment in advance: the order no longer expires. */
export function recordPrepayment(order: Order): Answer {
  if (!has(order, 'pay')) return illegalFor(order);
  if (order.isOnCredit || order.isPaid || order.invoices.length > 0) return unguarded(order, 'pay');
  order.isPaid = true;
  order.expiresAt = null;
  return done();
}

/** Releases the paid credit, in every status of the order. */
export function pay(model: Model, order: Order, nth: number, amount: number): Answer {
  const paid = order.invoices[nth];
  if (!paid) throw new Error('There is no such invoice.');
  if (amount === 0) return done();
  paid.used -= amount;
  paid.payments.push(amount);
  change(model, 0, -amount);
  return done();
}

/** Uses again what the last payment had released, whatever the limit is. */
export function reversePayment(model: Model, order: Order, nth: number): Answer {
  const reopened = order.invoices[nth];
  const amount = reopened?.payments.pop() ?? 0;
  if (reopened) reopened.used += amount;
  change(model, 0, amount);
  return done();
}

export function disburse(order: Order): Answer {
  if (!has(order, 'disburse')) return illegalFor(order);
  if (order.invoices.length === 0) return unguarded(order, 'disburse');
  order.status = 'DISBURSED';
  return done();
}

export function settle(model: Model, order: Order): Answer {
  if (!has(order, 'settle')) return illegalFor(order);
  const isWhole = order.isClosedShort || invoicedOf(order) === order.gross;
  return order.invoices.length > 0 && isWhole ? end(model, order, 'CLOSED') : unguarded(order, 'settle');
}
