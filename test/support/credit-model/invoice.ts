/** The model of invoices: the amounts that they take from orders, and the effects of payments, credit notes and refunds. */
import { judgeLater } from './late-invoice.ts';
import { authorizationEnd } from './limits.ts';
import { has, isOnCredit, settleOrder } from './order.ts';
import { appliedOf, creditUsedOf, dueAtOf, instalmentsOf, outstandingOf, sumOf } from './owed.ts';
import { followFinancing, hasActiveService } from './service-status.ts';
import {
  type Answer,
  type Claim,
  type CreditNote,
  dayOf,
  done,
  endOfDay,
  type Invoice,
  type InvoiceStatus,
  illegal,
  type Model,
  type Payment,
  refused,
} from './state.ts';

const ALLOWED: Record<InvoiceStatus, readonly string[]> = {
  OPEN: ['become_due', 'pay', 'refund', 'credit'],
  DUE: ['postpone', 'cure', 'pay', 'refund', 'credit'],
  CLOSED: ['refund', 'credit', 'reopen', 'reopen_due'],
  CANCELLED: [],
};

/** Changes the owed amount; the status follows. */
function changeOwed(model: Model, invoice: Invoice, change: () => void): void {
  const owed = outstandingOf(invoice);
  changeStatus(model, invoice, change);
  judgeLater(invoice, model.now);
  followFinancing(model, invoice, owed);
}

function changeStatus(model: Model, invoice: Invoice, change: () => void): void {
  const dueBefore = dueAtOf(invoice);
  change();
  const next = instalmentsOf(invoice).find(({ outstanding }) => outstanding > 0);
  const { status } = invoice;
  if (!next) {
    if (status === 'CLOSED') return;
    const paidAt = Math.max(...invoice.money.map(({ payment }) => payment.paidAt));
    Object.assign(invoice, { status: 'CLOSED', fallsDueAt: null, paidAt });
    settleOrders(model, invoice);
    return;
  }
  const ends = endOfDay(next.dueAt);
  const isPast = ends <= model.now;
  if (status === 'CLOSED' && isPast) Object.assign(invoice, { status: 'DUE', paidAt: null });
  else if (status === 'CLOSED' || (status === 'DUE' && !isPast))
    Object.assign(invoice, { status: 'OPEN', fallsDueAt: ends, paidAt: null });
  else if (status === 'OPEN' && next.dueAt !== dueBefore) invoice.fallsDueAt = Math.max(ends, model.now);
}

function settleOrders(model: Model, { parts }: Invoice): void {
  for (const { order } of parts) settleOrder(model, order);
}

export interface PaymentRequest {
  id: string;
  amount: number;
  isAtPlatform: boolean;
  paidAt: number;
}

export function pay(model: Model, invoice: Invoice, request: PaymentRequest): Answer {
  if (model.payments.some(({ id }) => id === request.id)) return refused(409, 'EXTERNAL_ID_ALREADY_EXISTS');
  if (invoice.status === 'CANCELLED') return illegal(ALLOWED.CANCELLED);
  const owed = outstandingOf(invoice);
  if (!request.isAtPlatform && request.amount > owed) return refused(422, 'PAYMENT_EXCEEDS_OUTSTANDING');
  receive(model, { ...request, invoice, order: null, isReversed: false, difference: 0 });
  return done(201);
}

/** Receives money. Any excess over the owed amount stays with the buyer. */
export function receive(model: Model, payment: Payment): void {
  model.payments.push(payment);
  const amount = Math.min(payment.amount, outstandingOf(payment.invoice));
  if (amount > 0) settleWith(model, payment.invoice, payment, amount);
}

export function settleWith(model: Model, invoice: Invoice, payment: Payment, amount: number): void {
  changeOwed(model, invoice, () => {
    const before = invoice.money.find((each) => each.payment === payment);
    if (before) before.amount += amount;
    else invoice.money.push({ payment, amount });
  });
}

/** Pays the remainder. */
export function payRest(model: Model, invoice: Invoice, request: Omit<PaymentRequest, 'amount'>): Answer {
  if (invoice.status === 'CLOSED') return refused(409, 'INVOICE_ALREADY_PAID');
  const answer = pay(model, invoice, { ...request, amount: outstandingOf(invoice) });
  return answer.status === 201 ? done() : answer;
}

/** Reverses a payment: everything that it settled is owed again. */
export function reverse(model: Model, payment: Payment): Answer {
  if (payment.isReversed) return refused(409, 'PAYMENT_ALREADY_REVERSED');
  payment.isReversed = true;
  for (const invoice of model.invoices) {
    const without = invoice.money.filter((each) => each.payment !== payment);
    if (without.length < invoice.money.length)
      changeOwed(model, invoice, () => {
        invoice.money = without;
      });
  }
  return done();
}

/** The part of a payment at the platform that settles no invoice. */
export function unappliedOf({ invoices }: Model, payment: Payment): number {
  return payment.isAtPlatform && !payment.isReversed ? payment.amount - appliedOf(invoices, payment) : 0;
}

/** Settles an invoice with unapplied cash; null applies as much as possible. */
export function apply(model: Model, payment: Payment, invoice: Invoice, requested: number | null): Answer {
  const unapplied = unappliedOf(model, payment);
  const owed = outstandingOf(invoice);
  if (unapplied === 0) return refused(422, 'NOTHING_UNAPPLIED');
  if (owed === 0) return refused(422, 'NOT_OWED');
  const amount = requested ?? Math.min(unapplied, owed);
  if (amount > unapplied) return refused(422, 'MORE_THAN_UNAPPLIED');
  if (amount > owed) return refused(422, 'MORE_THAN_OWED');
  settleWith(model, invoice, payment, amount);
  return done();
}

/** The amount that can still be credited. */
export function creditableOf({ net, tax, notes }: Invoice): CreditNote {
  const left = { net: net - sumOf(notes, (each) => each.net), tax: tax - sumOf(notes, (each) => each.tax) };
  return { ...left, gross: left.net + left.tax };
}

export function credit(model: Model, invoice: Invoice, note: CreditNote): Answer {
  if (invoice.status === 'CANCELLED') return refused(422, 'INVOICE_NOT_CREDITABLE');
  const { net, tax, gross } = creditableOf(invoice);
  if (note.net > net || note.tax > tax || note.gross > gross)
    return refused(422, 'CREDIT_NOTE_EXCEEDS_INVOICE');
  const isWhole = note.gross === gross;
  if (isWhole) {
    cancel(model, invoice, 0);
    invoice.notes.push(note);
  } else
    changeOwed(model, invoice, () => {
      invoice.notes.push(note);
      takeBackExcess(invoice);
    });
  return done(201);
}

/** Removes the excess over the claim from the latest payments. */
function takeBackExcess(invoice: Invoice): void {
  let excess = Math.max(0, -outstandingOf(invoice));
  for (const each of invoice.money.toReversed()) {
    const taken = Math.min(excess, each.amount);
    each.amount -= taken;
    excess -= taken;
  }
  invoice.money = invoice.money.filter(({ amount }) => amount > 0);
}

export function refund(model: Model, invoice: Invoice): Answer {
  if (invoice.status === 'CANCELLED') return refused(409, 'INVOICE_ALREADY_REFUNDED');
  if (hasActiveService(model, invoice)) return refused(409, 'INVOICE_HAS_ACTIVE_SERVICE');
  cancel(model, invoice, creditUsedOf(invoice));
  return done();
}

/** Returns the parts to open orders, which reserve the used amount (`reserved`) again, its last parts. */
function cancel(model: Model, invoice: Invoice, reserved: number): void {
  const owed = outstandingOf(invoice);
  Object.assign(invoice, { status: 'CANCELLED', money: [], fallsDueAt: null, judgedAt: null, paidAt: null });
  let left = reserved;
  for (const { order, amount } of invoice.parts.toReversed()) {
    const used = isOnCredit(order) ? Math.min(left, amount) : 0;
    left -= used;
    if (amount === 0 || !has(order, 'uninvoice')) continue;
    order.invoiced -= amount;
    if (!order.isClosedShort) order.reserved += used;
    if (order.invoiced === 0 && order.status === 'CONFIRMED' && order.paidAt === null)
      order.expiresAt = authorizationEnd(model, model.now);
  }
  settleOrders(model, invoice);
  followFinancing(model, invoice, owed);
}

/** A PUT that changes only the due day. */
export function postpone(model: Model, invoice: Invoice, dueAt: number): Answer {
  const { status, claims } = invoice;
  if (dayOf(dueAt) < dayOf(invoice.invoicedAt)) return refused(400);
  if (claims.length > 1 && dueAt !== dueAtOf(invoice)) return refused(409, 'IMMUTABLE_FIELD');
  if (hasActiveService(model, invoice)) return refused(409, 'INVOICE_HAS_ACTIVE_SERVICE');
  if (claims.length > 1) return done();
  const [claim] = claims as [Claim];
  if (dueAt === claim.dueAt) return done();
  if (status === 'CLOSED' || status === 'CANCELLED')
    return illegal(ALLOWED[status].filter((each) => each !== 'postpone'));
  claim.dueAt = dueAt;
  const ends = endOfDay(dueAt);
  if (status === 'OPEN') invoice.fallsDueAt = Math.max(ends, model.now);
  else if (ends > model.now) Object.assign(invoice, { status: 'OPEN', fallsDueAt: ends });
  judgeLater(invoice, model.now);
  return done();
}
