/** The model of new invoices: the amounts that they take from orders, their instalments, and payments in advance. */
import { creditRefusal } from './credit.ts';
import { receive, settleWith, unappliedOf } from './invoice.ts';
import { has, isOnCredit } from './order.ts';
import { sumOf } from './owed.ts';
import {
  type Answer,
  type Claim,
  dayOf,
  done,
  endOfDay,
  type Invoice,
  type Model,
  type Order,
  refused,
} from './state.ts';
import { agreedClaims, feePartOf, isSplit } from './term.ts';

export const openOf = ({ gross, invoiced }: Order) => gross - invoiced;

/** Net and tax, and a due day other than the agreed one, or null. */
export interface InvoiceRequest {
  id: string;
  net: number;
  tax: number;
  dueAt: number | null;
  /** The id that the service has given to the payment in advance for the order. */
  paymentIdOf(order: Order): string;
}

export function createInvoice(model: Model, orders: Order[], request: InvoiceRequest): Answer {
  if (model.invoices.some(({ id }) => id === request.id)) return refused(409, 'EXTERNAL_ID_ALREADY_EXISTS');
  if (orders.some((order) => !has(order, 'invoice') || order.isClosedShort))
    return refused(422, 'ORDER_NOT_INVOICEABLE');
  const gross = request.net + request.tax;
  const open = sumOf(orders, openOf);
  if (orders.length > 0 && gross > open) return refused(422, 'ORDER_AMOUNT_EXCEEDED', { available: open });
  let left = gross;
  const parts = orders.map((order) => {
    const amount = Math.min(left, openOf(order));
    left -= amount;
    return { order, amount, ...feePartOf(order, amount, feeTaken(model, order)) };
  });
  const claims = claimsOf(parts, gross, request.dueAt);
  if (!claims) return refused(422, 'ORDER_MISMATCH');
  const missing = sumOf(parts, ({ order, amount }) =>
    isOnCredit(order) ? Math.max(0, amount - order.reserved) : 0,
  );
  const refusal = missing > 0 ? creditRefusal(model, missing) : null;
  if (refusal) return refusal;
  take(parts);
  const [first] = claims as [Claim];
  const invoice: Invoice = {
    ...{ id: request.id, net: request.net, tax: request.tax, invoicedAt: model.now, parts, claims },
    ...{ status: 'OPEN', fallsDueAt: Math.max(endOfDay(first.dueAt), model.now), paidAt: null },
    ...{ judgedAt: null, isDefaulted: false, money: [], notes: [] },
    ...{ hasFile: false, financedCredit: 0, writtenOff: 0 },
  };
  model.invoices.push(invoice);
  for (const part of parts) payInAdvance(model, invoice, part, request.paymentIdOf);
  return done(201);
}

/**
 * Pays the order's part with its payment in advance: first with the amount that no invoice has used, even if it was reversed since, then
 * with the remainders of earlier invoices.
 */
function payInAdvance(
  model: Model,
  invoice: Invoice,
  { order, amount }: Invoice['parts'][number],
  paymentIdOf: InvoiceRequest['paymentIdOf'],
): void {
  const { paidAt } = order;
  if (paidAt === null) return;
  const before = model.payments.filter((each) => each.order === order);
  const first = Math.min(amount, order.gross - sumOf(before, (each) => each.amount));
  if (first > 0) {
    const id = paymentIdOf(order);
    const payment = {
      id,
      invoice,
      order,
      amount: first,
      paidAt,
      isAtPlatform: true,
      isReversed: false,
      difference: 0,
    };
    receive(model, payment);
  }
  let left = amount - first;
  for (const payment of before.sort((one, other) => (one.id < other.id ? -1 : 1))) {
    const taken = Math.min(left, unappliedOf(model, payment));
    left -= taken;
    if (taken > 0) settleWith(model, invoice, payment, taken);
  }
}

function take(parts: Invoice['parts']): void {
  for (const { order, amount } of parts) {
    if (amount === 0) continue;
    order.invoiced += amount;
    order.reserved -= Math.min(amount, order.reserved);
    order.expiresAt = null;
  }
}

/** The part of the order's fee on its valid invoices. */
function feeTaken({ invoices }: Model, order: Order) {
  const parts = invoices
    .filter(({ status }) => status !== 'CANCELLED')
    .flatMap((invoice) => invoice.parts.filter((part) => part.order === order));
  return { net: sumOf(parts, ({ feeNet }) => feeNet), tax: sumOf(parts, ({ feeTax }) => feeTax) };
}

/** The instalments, with the fee in the first; null if the orders did not agree on the same days. */
function claimsOf(parts: Invoice['parts'], gross: number, dueAt: number | null): Claim[] | null {
  const agreed = parts.map(({ order }) => agreedClaims(order));
  const daysOf = (claims: readonly { dueAt: number }[] = []) =>
    claims.map((each) => dayOf(each.dueAt)).join();
  const [first] = agreed;
  const haveSameDays = agreed.every((each) => daysOf(each) === daysOf(first));
  const isInParts = parts.some(({ order }) => isSplit(order));
  if ((isInParts || dueAt === null) && !haveSameDays) return null;
  if (isInParts && dueAt !== null && dayOf(dueAt) !== dayOf(first?.[0]?.dueAt ?? 0)) return null;
  const plan = isInParts ? splitOf(parts) : [{ dueAt: dueAt ?? (first?.[0]?.dueAt as number), goods: gross }];
  const fee = sumOf(parts, ({ feeNet, feeTax }) => feeNet + feeTax);
  return plan
    .map((claim, index) => ({ ...claim, fee: index === 0 ? fee : 0 }))
    .filter((claim) => claim.goods + claim.fee > 0);
}

/** Divides each order's part like the order. The remainder goes to the first instalment. */
function splitOf(parts: Invoice['parts']): Omit<Claim, 'fee'>[] {
  const divided = parts.map(({ order, amount }) => {
    const claims = agreedClaims(order).map((claim) => ({
      ...claim,
      goods: Math.floor((claim.goods * amount) / order.gross),
    }));
    const rest = amount - sumOf(claims, ({ goods }) => goods);
    return claims.map((claim, index) => ({ ...claim, goods: claim.goods + (index === 0 ? rest : 0) }));
  });
  const [first = []] = divided;
  return first.map(({ dueAt }, index) => ({
    dueAt,
    goods: sumOf(divided, (each) => each[index]?.goods ?? 0),
  }));
}
