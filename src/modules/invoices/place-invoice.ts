/**
 * Creating invoices. The credit, the orders, the invoice with its parts, prepayments and events are one transaction. Invoices of one
 * platform that arrive at the same time share a transaction; each has its own outcome.
 */
import type { Db } from '#infra/database/database';
import { gathered } from '#infra/database/gather';
import { inTransaction } from '#infra/database/transaction';
import { transitionOf } from '#kernel/lifecycle';
import { endOfLocalDay } from '#kernel/local-day';
import { orProblem, Problem, refusal } from '#kernel/problem';
import { post } from '#modules/ledger';
import {
  lockOrdersToInvoice,
  type OrderPart,
  type OrderRow,
  partsOfOrders,
  takeFromOrders,
} from '#modules/orders';
import { recordEvents } from '#modules/webhooks';
import { firstLookAt } from './dunning/first-look.rules.ts';
import { type IsReminded, lockReminded } from './dunning/reminded-party.queries.ts';
import { invoiceEvent } from './invoice.events.ts';
import { invoiceLifecycle } from './invoice.lifecycle.ts';
import type { InvoiceRow } from './invoice.queries.ts';
import {
  agreedMethod,
  assertNotBeforeOrders,
  feesByPayer,
  hasTermFee,
  instalmentsFor,
  invoiceOrdersOf,
  type TermsRequest,
} from './invoice-terms.rules.ts';
import { findTakenFees, insertInvoices, type NewInvoice, type TakenFee } from './new-invoice.queries.ts';
import { newPaymentReference } from './payment-reference.rules.ts';
import { type InvoicedOrders, settlePrepaidOrders } from './settle-prepaid-orders.ts';
import { feeChargePosting } from './settlement-postings.rules.ts';

/** An invoice before its orders are locked. */
export interface InvoiceRequest extends TermsRequest {
  platformId: number;
  orderExternalIds: readonly string[];
  columns: Pick<
    NewInvoice,
    | 'external_id'
    | 'buyer_external_id'
    | 'merchant_external_id'
    | 'currency'
    | 'amount_net'
    | 'amount_tax'
    | 'invoice_number'
    | 'payment_script'
    | 'contact_external_id'
    | 'line_items'
    | 'billing_address'
    | 'delivery_address'
    | 'custom_data'
  >;
  actor: string;
  /** Unix seconds. */
  now: number;
}

async function placeInvoices(db: Db, requests: InvoiceRequest[]): Promise<(InvoiceRow | Problem)[]> {
  const platformId = requests[0]?.platformId as number;
  if (db.isTransaction) return writeInvoices(db, platformId, requests);
  return inTransaction(db, (transaction) => writeInvoices(transaction, platformId, requests));
}

/**
 * Creates an invoice. Returns it, or the problem that refused it. Throws EXTERNAL_ID_ALREADY_EXISTS. Two invoices of one buyer, order
 * or external_id never share a transaction: the second would not see what the first took.
 */
export const placeInvoice = gathered(placeInvoices, {
  groupOf: ({ platformId }) => platformId,
  keysOf: ({ columns, orderExternalIds }) => [
    `invoices/${columns.external_id}`,
    `buyers/${columns.buyer_external_id}`,
    ...orderExternalIds.map((externalId) => `orders/${externalId}`),
  ],
});

interface Draft {
  invoice: NewInvoice;
  parts: OrderPart[];
}

async function writeInvoices(
  db: Db,
  platformId: number,
  requests: readonly InvoiceRequest[],
): Promise<(InvoiceRow | Problem)[]> {
  const isReminded = await lockReminded(
    db,
    platformId,
    requests.map(({ columns }) => columns),
  );
  const orders = await lockOrdersToInvoice(
    db,
    platformId,
    requests.map(({ columns, orderExternalIds }) => ({
      buyerExternalId: columns.buyer_external_id,
      orderExternalIds,
    })),
  );
  const withFee = [...orders.values()].filter(
    (order) => order.invoiced_amount > 0 && order.term_offer && hasTermFee(order),
  );
  const fees =
    withFee.length === 0
      ? []
      : await findTakenFees(
          db,
          platformId,
          withFee.map(({ external_id }) => external_id),
        );
  const drafts = requests.map((request) => orProblem(() => draftOf(request, orders, fees, isReminded)));
  const drafted = drafts.filter((draft): draft is Draft => !(draft instanceof Problem));
  const problems = await takeFromOrders(db, platformId, drafted.map(takingOf));
  const accepted = drafted.filter((_, index) => problems[index] === null);
  const written = await write(
    db,
    platformId,
    accepted.map(({ invoice }) => invoice),
  );
  const timeZone = requests[0]?.timeZone as string;
  const prepaid = await settlePrepaidOrders({ db, platformId, timeZone }, accepted.map(invoicedOrdersOf));
  return drafts.map((draft) => {
    if (draft instanceof Problem) return draft;
    const { external_id: externalId } = draft.invoice;
    return (
      problems[drafted.indexOf(draft)] ?? prepaid.get(externalId) ?? (written.get(externalId) as InvoiceRow)
    );
  });
}

function draftOf(
  request: InvoiceRequest,
  locked: ReadonlyMap<string, OrderRow>,
  takenFees: readonly TakenFee[],
  isReminded: IsReminded,
): Draft {
  const { columns, now, actor } = request;
  const orders = request.orderExternalIds.map((externalId) => locked.get(externalId) as OrderRow);
  const parts = orders.length === 0 ? [] : partsOfOrders(orders, request.grossMinor);
  assertNotBeforeOrders(request.invoicedAt, orders, request.timeZone);
  const ofOrders = invoiceOrdersOf(parts, takenFees);
  const fees = feesByPayer(orders, ofOrders);
  const installments = instalmentsFor(request, parts, fees.term_fee_gross);
  const { due_at, due_on } = installments[0] as NewInvoice['installments'][number];
  const transition = transitionOf(invoiceLifecycle, null, 'create');
  const invoice: NewInvoice = {
    ...columns,
    platform_id: request.platformId,
    status: transition.to,
    created_at: now,
    invoiced_at: request.invoicedAt,
    due_at,
    due_on,
    agreed_due_at: due_at,
    falls_due_at: Math.max(endOfLocalDay(due_on, request.timeZone), now),
    dunning_at: isReminded(columns) ? firstLookAt({ due_at }, now) : null,
    payment_method: agreedMethod(request, orders),
    payment_reference: newPaymentReference(),
    amount_gross: request.grossMinor,
    ...fees,
    credit_amount: ofOrders.reduce((sum, { credit_amount }) => sum + credit_amount, 0),
    installments,
    orders: ofOrders,
    trigger: transition.trigger,
    actor,
  };
  return { invoice, parts };
}

const takingOf = ({ invoice, parts }: Draft) => ({
  invoiceExternalId: invoice.external_id,
  buyerExternalId: invoice.buyer_external_id,
  parts,
  actor: invoice.actor,
  at: invoice.created_at,
});

const invoicedOrdersOf = ({ invoice, parts }: Draft): InvoicedOrders => ({
  invoiceExternalId: invoice.external_id,
  parts,
  actor: invoice.actor,
  now: invoice.created_at,
});

async function write(
  db: Db,
  platformId: number,
  invoices: readonly NewInvoice[],
): Promise<Map<string, InvoiceRow>> {
  if (invoices.length === 0) return new Map();
  const written = await insertInvoices(db, platformId, invoices);
  // Rolls back what was taken from the orders. Invoices that shared the transaction are then created one by one.
  if (written.size < invoices.length) throw invoiceExists();
  await recordEvents(
    db,
    [...written.values()].map((invoice) => invoiceEvent('INVOICE.CREATED', invoice, null)),
  );
  const charges = invoices.map(({ external_id, actor }) =>
    feeChargePosting(written.get(external_id) as InvoiceRow, actor),
  );
  await post(
    db,
    platformId,
    charges.filter((charge) => charge !== undefined),
  );
  return written;
}

export function invoiceExists(): Problem {
  return refusal('EXTERNAL_ID_ALREADY_EXISTS', 'An invoice with this external_id already exists');
}
