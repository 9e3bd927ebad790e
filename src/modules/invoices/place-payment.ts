/**
 * Payments that are recorded through the API. Locks, payment, settlement and events are one transaction. Payments of one platform that
 * arrive at the same time share a transaction; each has its own outcome.
 */
import type { Db } from '#infra/database/database';
import { gathered } from '#infra/database/gather';
import { inTransaction } from '#infra/database/transaction';
import { notFound, orProblem, Problem } from '#kernel/problem';
import { assertVisible } from '#operation/caller';
import type { Context } from '#operation/operation';
import type { InvoiceRow } from './invoice.queries.ts';
import type { FullPayment } from './payment.schemas.ts';
import {
  assertMayReceive,
  type MoneyReceived,
  type RecordedPayment,
  recordPayments,
} from './record-payment.ts';
import { lockToSettle } from './settle-invoices.ts';

export interface PaymentRequest {
  context: Pick<Context, 'platformId' | 'caller' | 'actor' | 'now' | 'timeZone'>;
  invoiceExternalId: string;
  request: FullPayment;
  /** The buyer pays the invoice, regardless of the platform's order of charges. */
  isForInvoice?: boolean;
  /** Returns how much of the locked invoice is paid, in minor units. Throws the refusals of the operation. */
  amountOf(invoice: InvoiceRow): number;
}

async function placePayments(db: Db, requests: PaymentRequest[]): Promise<(RecordedPayment | Problem)[]> {
  if (db.isTransaction) return recordAll(db, requests);
  return inTransaction(db, (transaction) => recordAll(transaction, requests));
}

/**
 * Records a payment. Returns it, or the problem that refused it. Two payments of one invoice or external_id never share a transaction:
 * the second would not see what the first settled.
 */
export const placePayment = gathered(placePayments, {
  groupOf: ({ context }) => context.platformId,
  keysOf: ({ invoiceExternalId, request }) => [
    `invoices/${invoiceExternalId}`,
    ...(request.external_id === undefined ? [] : [`payments/${request.external_id}`]),
  ],
});

async function recordAll(
  db: Db,
  requests: readonly PaymentRequest[],
): Promise<(RecordedPayment | Problem)[]> {
  const { platformId, timeZone } = (requests[0] as PaymentRequest).context;
  const invoices = await lockToSettle(
    { db, platformId },
    requests.map(({ invoiceExternalId }) => invoiceExternalId),
  );
  const received = requests.map((each) =>
    orProblem(() => moneyOf(each, invoices.get(each.invoiceExternalId))),
  );
  const accepted = received.filter((money): money is MoneyReceived => !(money instanceof Problem));
  const recorded = await recordPayments({ db, platformId, timeZone }, accepted);
  return received.map((money) =>
    money instanceof Problem ? money : (recorded[accepted.indexOf(money)] as RecordedPayment | Problem),
  );
}

function moneyOf(
  { context: { caller, actor, now }, request, isForInvoice = false, amountOf }: PaymentRequest,
  invoice: InvoiceRow | undefined,
): MoneyReceived {
  if (!invoice) throw notFound();
  assertVisible(invoice, caller);
  assertMayReceive(caller, request.received_by);
  return { invoice, amountMinor: amountOf(invoice), request, isForInvoice, actor, now };
}
