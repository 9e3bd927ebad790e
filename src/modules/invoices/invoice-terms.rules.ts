/** The terms that the orders of an invoice agreed: payment method, instalments, due days, and the invoice's part of their fees. */
import { localDayOf } from '#kernel/local-day';
import type { PaymentMethod } from '#kernel/payment-term';
import { type Problem, refusal } from '#kernel/problem';
import { merchantFeeOf, type TermOffer } from '#modules/facilities';
import { isOrderOnCredit, type OrderPart, type OrderRow } from '#modules/orders';
import { feePartOf, instalmentsOfPart } from './invoice-parts.rules.ts';
import type { NewInvoice, TakenFee } from './new-invoice.queries.ts';

/** How the request wants the invoice to be paid; null stands for the terms that the orders agreed. */
export interface TermsRequest {
  grossMinor: number;
  /** Unix seconds. */
  invoicedAt: number;
  dueAt: number | null;
  paymentMethod: PaymentMethod | null;
  /** The time zone of the platform, in which days are counted. */
  timeZone: string;
}

/** Throws ORDER_NOT_INVOICEABLE if the invoice is dated before one of its orders. Days are compared because many callers send midnight. */
export function assertNotBeforeOrders(
  invoicedAt: number,
  orders: readonly OrderRow[],
  timeZone: string,
): void {
  const day = localDayOf(invoicedAt, timeZone);
  const early = orders.find(({ ordered_at }) => day < localDayOf(ordered_at, timeZone));
  if (!early) return;
  throw refusal(
    'ORDER_NOT_INVOICEABLE',
    `The order ${early.external_id} was placed after the date of the invoice`,
    {
      order_external_id: early.external_id,
      status: early.status,
      is_closed_short: early.is_closed_short,
      ordered_at: early.ordered_at,
      invoiced_at: invoicedAt,
    },
  );
}

/** The 422 for an order that differs from the request or from the orders before it. */
export function orderMismatch(field: string, order: Pick<OrderRow, 'external_id'>): Problem {
  return refusal(
    'ORDER_MISMATCH',
    `The order ${order.external_id} does not match the invoice: ${field} differs`,
    {
      field,
      order_external_id: order.external_id,
    },
  );
}

/** The payment method that the request names, or else the method of all orders. Throws ORDER_MISMATCH. */
export function agreedMethod({ paymentMethod }: TermsRequest, orders: readonly OrderRow[]): string {
  if (paymentMethod !== null) return paymentMethod;
  const method = orders[0]?.payment_method;
  const other = orders.find(({ payment_method }) => payment_method === null || payment_method !== method);
  if (other) throw orderMismatch('payment_method', other);
  return method as string;
}

/** The contribution of each order, in the order in which the invoice lists them. */
export function invoiceOrdersOf(
  parts: readonly OrderPart[],
  taken: readonly TakenFee[],
): NewInvoice['orders'] {
  const takenOf = new Map(taken.map((fee) => [fee.order_external_id, fee]));
  return parts.map(({ order, amountMinor }) => {
    const before = takenOf.get(order.external_id);
    const fee = feePartOf(termFeeOf(order), order.amount_gross, amountMinor, {
      amountMinor: order.invoiced_amount,
      fee: { net: before?.fee_net ?? 0, tax: before?.fee_tax ?? 0 },
    });
    return {
      order_external_id: order.external_id,
      amount: amountMinor,
      credit_amount: isOrderOnCredit(order) ? amountMinor : 0,
      fee_net: fee.net,
      fee_tax: fee.tax,
    };
  });
}

/** Whether a fee was agreed with the order. */
export function hasTermFee(order: OrderRow): boolean {
  return termFeeOf(order).gross > 0;
}

/** The fee that was agreed with the order. Only one side pays it. */
function termFeeOf(order: OrderRow): TermOffer['fee'] {
  const offer = offerOf(order);
  return isPaidByMerchant(offer) ? merchantFeeOf(offer) : offer.fee;
}

const isPaidByMerchant = (offer: TermOffer) => merchantFeeOf(offer).gross > 0;

type Fees = Pick<
  NewInvoice,
  | 'term_fee_net'
  | 'term_fee_tax'
  | 'term_fee_gross'
  | 'merchant_fee_net'
  | 'merchant_fee_tax'
  | 'merchant_fee_gross'
>;

/** The fees of an invoice by payer. Each order keeps the payer that was agreed with it. */
export function feesByPayer(orders: readonly OrderRow[], parts: NewInvoice['orders']): Fees {
  const byMerchant = new Set(
    orders.filter((order) => isPaidByMerchant(offerOf(order))).map(({ external_id }) => external_id),
  );
  const sumOf = (isMerchants: boolean, column: 'fee_net' | 'fee_tax') =>
    parts
      .filter(({ order_external_id }) => byMerchant.has(order_external_id) === isMerchants)
      .reduce((sum, part) => sum + part[column], 0);
  const [net, tax] = [sumOf(false, 'fee_net'), sumOf(false, 'fee_tax')];
  const [merchantNet, merchantTax] = [sumOf(true, 'fee_net'), sumOf(true, 'fee_tax')];
  return {
    ...{ term_fee_net: net, term_fee_tax: tax, term_fee_gross: net + tax },
    ...{ merchant_fee_net: merchantNet, merchant_fee_tax: merchantTax },
    merchant_fee_gross: merchantNet + merchantTax,
  };
}

/** The instalments of an invoice, with the fee in the first. Throws ORDER_MISMATCH. */
export function instalmentsFor(
  request: TermsRequest,
  parts: readonly OrderPart[],
  feeMinor: number,
): NewInvoice['installments'] {
  const plan = parts.some(({ order }) => offerOf(order).installments.length > 1)
    ? splitPlan(request, parts)
    : [{ dueAt: singleDueAt(request, parts), amountMinor: request.grossMinor }];
  return plan
    .map(({ dueAt, amountMinor }, index) => ({
      due_at: dueAt,
      due_on: localDayOf(dueAt, request.timeZone),
      amount: amountMinor,
      fee_amount: index === 0 ? feeMinor : 0,
    }))
    .filter(({ amount, fee_amount }) => amount + fee_amount > 0);
}

const offerOf = ({ term_offer }: OrderRow) => term_offer as TermOffer;
const daysOf = (order: OrderRow, timeZone: string) =>
  offerOf(order).installments.map(({ due_at }) => localDayOf(due_at, timeZone));

function singleDueAt({ dueAt, timeZone }: TermsRequest, parts: readonly OrderPart[]): number {
  if (dueAt !== null) return dueAt;
  const [first] = parts as [OrderPart];
  return firstOfAgreed('due_at', first.order, parts, timeZone).due_at;
}

function splitPlan({ dueAt, timeZone }: TermsRequest, parts: readonly OrderPart[]) {
  const [first] = parts as [OrderPart];
  const agreed = firstOfAgreed('installments', first.order, parts, timeZone);
  if (dueAt !== null && localDayOf(dueAt, timeZone) !== localDayOf(agreed.due_at, timeZone))
    throw orderMismatch('due_at', first.order);
  const amounts = parts.map(({ order, amountMinor }) =>
    instalmentsOfPart(offerOf(order).installments, amountMinor, order.amount_gross),
  );
  return offerOf(first.order).installments.map(({ due_at }, index) => ({
    dueAt: due_at,
    amountMinor: amounts.reduce((sum, ofOrder) => sum + (ofOrder[index] as number), 0),
  }));
}

/** The first instalment that all orders agreed, due on the same day for all of them. */
function firstOfAgreed(field: string, first: OrderRow, parts: readonly OrderPart[], timeZone: string) {
  const days = daysOf(first, timeZone).join();
  const other = parts.find(({ order }) => daysOf(order, timeZone).join() !== days);
  if (other) throw orderMismatch(field, other.order);
  return offerOf(first).installments[0] as TermOffer['installments'][number];
}
