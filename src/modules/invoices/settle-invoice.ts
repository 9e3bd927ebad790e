/**
 * The one place that changes what an existing invoice owes: payments, unapplied cash, reversals, credit notes and refunds.
 * Facility, orders, invoice, allocations, facts, ledger and events are one transaction.
 */
import { clearOverdueInvoices, recordOverdueInvoices } from '#modules/buyers';
import { lockFacilities, releaseUse, reopenUse } from '#modules/facilities';
import { post } from '#modules/ledger';
import { lockOrders, settleOrders, uninvoiceOrders } from '#modules/orders';
import type { ChangeContext, Context } from '#operation/operation';
import { cancelledParts } from './cancelled-parts.rules.ts';
import { findInvoices, type InvoiceColumns, type InvoiceRow, lockInvoices } from './invoice.queries.ts';
import { listAppliedPayments, writeAllocations } from './payment.queries.ts';
import { listEndedOrders, listOrderParts } from './settled-orders.queries.ts';
import {
  defaultsAt,
  fallsDueAt,
  nextDueOf,
  type OwedChange,
  type OwingInvoice,
  owedInstalments,
  type Settlement,
  settlementOf,
} from './settlement.rules.ts';
import { recordSettlementFacts } from './settlement-facts.ts';
import { settlementPostings } from './settlement-postings.rules.ts';
import { changeInvoice, type InvoiceChanges, transitionInvoice } from './transition-invoice.ts';

/**
 * Locks the facilities, the orders and then the invoices, each in the order of their keys. Returns the invoices by
 * external_id; an unknown one is missing.
 */
export async function lockToSettle(
  { db, platformId }: Pick<ChangeContext, 'db' | 'platformId'>,
  externalIds: readonly string[],
): Promise<Map<string, InvoiceRow>> {
  const found = await findInvoices(db, platformId, externalIds);
  await lockFacilities(db, platformId, [...new Set(found.map(({ buyer_external_id }) => buyer_external_id))]);
  const orders = [...new Set(found.flatMap(({ order_external_ids }) => order_external_ids))];
  if (orders.length > 0) await lockOrders(db, platformId, orders);
  const locked = await lockInvoices(db, platformId, externalIds);
  return new Map(locked.map((invoice) => [invoice.external_id, invoice]));
}

/** What settling needs: days count in the time zone of the platform. */
export type SettlingContext = ChangeContext & Pick<Context, 'timeZone'>;

/**
 * Settles a locked invoice. The caller has checked that its status allows the change, and writes the payment or the credit
 * note itself, with its event. Returns the invoice after it.
 */
export async function settleInvoice(
  context: SettlingContext,
  invoice: InvoiceRow,
  change: OwedChange,
): Promise<InvoiceColumns> {
  const { db, platformId, actor, now } = context;
  const owing: OwingInvoice = {
    invoice,
    applied: invoice.paid_amount === 0 ? [] : await listAppliedPayments(db, platformId, invoice.external_id),
  };
  const settlement = settlementOf(owing, change, context);
  const changed = await writeInvoice(context, invoice, change, settlement);
  await writeAllocations(db, platformId, {
    invoice: changed,
    cause: change.cause,
    allocations: settlement.allocations,
    installments: settlement.installments,
    exceptPaymentId:
      change.cause === 'PAYMENT' || change.cause === 'REVERSAL' ? change.payment.external_id : null,
    actor,
  });
  await writeCreditUse(context, invoice, change, changed);
  const effectiveAt = change.cause === 'PAYMENT' ? change.payment.paid_at : now;
  await post(db, platformId, settlementPostings(owing, change, settlement, { actor, effectiveAt }));
  await recordSettlementFacts(context, owing, change, settlement, changed);
  if (changed.status === 'CLOSED' || changed.status === 'CANCELLED')
    await settleOrders(context, await listEndedOrders(db, platformId, invoice.order_external_ids));
  await followOverdue(context, invoice, changed, settlement);
  return changed;
}

function writeInvoice(
  context: SettlingContext,
  invoice: InvoiceRow,
  change: OwedChange,
  { trigger, installments, paidMinor, creditedMinor, applied }: Settlement,
): Promise<InvoiceColumns> {
  const due = nextDueOf(installments);
  const isDueChanged = due.due_at !== invoice.due_at;
  const changes: InvoiceChanges = {
    ...due,
    paid_amount: paidMinor,
    credited_amount: creditedMinor,
    // Whose payment bounced pays no more by itself.
    ...(change.cause === 'REVERSAL' && invoice.payment_script === 'pays-late' && { payment_script: null }),
  };
  const judged = invoice.defaulted_on === null ? { defaults_at: defaultsAt(due, context) } : {};
  if (trigger === null) {
    const isOpen = invoice.status === 'OPEN' && isDueChanged;
    return changeInvoice(
      context,
      invoice,
      {
        ...changes,
        ...(isOpen && { falls_due_at: fallsDueAt(due, context) }),
        ...(invoice.status === 'DUE' && judged),
      },
      // The payment's or the credit note's own event reports the others.
      change.cause === 'APPLICATION' ? 'INVOICE.UPDATED' : null,
    );
  }
  return transitionInvoice(context, invoice, trigger, {
    ...changes,
    falls_due_at: trigger === 'cure' || trigger === 'reopen' ? fallsDueAt(due, context) : null,
    ...(trigger === 'reopen_due' && judged),
    paid_at: trigger === 'pay' ? Math.max(...applied.map(({ payment }) => payment.paid_at)) : null,
  });
}

/** The facility gets back, or uses again, what the invoice uses less or more. */
async function writeCreditUse(
  context: SettlingContext,
  invoice: InvoiceRow,
  change: OwedChange,
  changed: InvoiceColumns,
): Promise<void> {
  const { db, platformId, actor, now } = context;
  const uninvoicedMinor = changed.status === 'CANCELLED' ? await giveBack(context, invoice, change) : 0;
  const releasedMinor = invoice.credit_used - changed.credit_used - uninvoicedMinor;
  if (releasedMinor === 0) return;
  const [order, ...others] = invoice.order_external_ids;
  const use = {
    platformId,
    buyerExternalId: invoice.buyer_external_id,
    invoiceExternalId: invoice.external_id,
    orderExternalId: others.length === 0 ? (order ?? null) : null,
    actor,
    at: now,
    amountMinor: Math.abs(releasedMinor),
  };
  if (change.cause === 'REVERSAL') await reopenUse(db, [{ ...use, paymentId: change.payment.external_id }]);
  else if ('payment' in change)
    await releaseUse(db, [{ ...use, cause: 'INVOICE_PAID', paymentId: change.payment.external_id }]);
  else if (change.cause === 'CREDIT_NOTE')
    await releaseUse(db, [
      { ...use, cause: 'INVOICE_CREDITED', creditNoteExternalId: change.creditNoteExternalId },
    ]);
  else await releaseUse(db, [{ ...use, cause: 'INVOICE_CANCELLED' }]);
}

/**
 * Gives the parts of a cancelled invoice back to its orders, which a refund lets reserve their credit again. Goods that were
 * credited do not come: their credit is released. Returns what the orders' entries have released, in minor units.
 */
async function giveBack(
  context: SettlingContext,
  invoice: InvoiceRow,
  { cause }: OwedChange,
): Promise<number> {
  const parts = await listOrderParts(context.db, context.platformId, invoice.external_id);
  return uninvoiceOrders(
    context,
    cancelledParts(invoice, parts, cause === 'REFUND' ? invoice.credit_used : 0),
  );
}

/** The buyer's overdue invoices have what is owed of its DUE invoices. */
async function followOverdue(
  context: SettlingContext,
  invoice: InvoiceRow,
  changed: InvoiceColumns,
  { installments }: Settlement,
): Promise<void> {
  const { db, platformId } = context;
  const { buyer_external_id: buyerExternalId, external_id: invoiceExternalId } = invoice;
  if (changed.status === 'DUE') await recordOverdueInvoices(db, owedInstalments(changed, installments));
  else if (invoice.status === 'DUE')
    await clearOverdueInvoices(db, [{ platformId, buyerExternalId, invoiceExternalId }]);
}
