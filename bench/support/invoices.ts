/** The common parts of the invoice benches: invoices on orders, and payments that settle them. */
import type { Side } from './compare.ts';
import type { Series } from './ids.ts';
import { ORDER_ON_CREDIT, posting, postOrders, WITHOUT_END } from './orders.ts';
import type { Bench } from './question.ts';

const ORDER_PREFIX = 'order-';
export const INVOICE_PREFIX = 'invoice-';
/** What `postInvoices` makes. */
export const INVOICES: Series = { prefix: INVOICE_PREFIX, first: 0, count: WITHOUT_END };
const PAYMENT_PREFIX = 'payment-';

/** Posts orders on credit, for the other functions of this file to invoice. */
export const postOrdersToInvoice = (bench: Bench): Side['run'] =>
  postOrders(bench, { path: '/v1/orders', prefix: ORDER_PREFIX, more: ORDER_ON_CREDIT });

/** Invoices one order after the other, each in full. */
export const postInvoices = (bench: Bench): Side['run'] =>
  posting(bench, {
    path: '/v1/invoices',
    body: {
      external_id: '{id}',
      order_external_ids: ['{order}'],
      amount: ORDER_ON_CREDIT.amount,
      invoice_number: '{order}',
    },
    prefixes: { id: INVOICE_PREFIX, order: ORDER_PREFIX },
  });

/**
 * Places and invoices orders, each step for twice as long as the run that consumes its results, so that they suffice on a machine that is
 * busy at times. Returns a function that places more orders.
 */
export async function prepareInvoices(bench: Bench): Promise<Side['run']> {
  const { progress, rounds, roundMs, warmUpMs } = bench;
  const placeOrders = postOrdersToInvoice(bench);
  progress('invoicing orders');
  const preparedMs = 2 * (warmUpMs + rounds * roundMs);
  await placeOrders(2 * preparedMs);
  await postInvoices(bench)(preparedMs);
  return placeOrders;
}

/** Pays one invoice after the other in full: the amount and the fee of its term. */
export const postPayments = (bench: Bench, owedMinor: number): Side['run'] =>
  posting(bench, {
    path: '/v1/invoices/{invoice}/payments',
    body: { external_id: '{id}', amount: owedMinor, received_by: 'PLATFORM' },
    prefixes: { id: PAYMENT_PREFIX, invoice: INVOICE_PREFIX },
  });
