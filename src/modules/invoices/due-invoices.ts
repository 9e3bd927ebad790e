/** Invoices that fall due: those whose next unpaid instalment was not paid by the end of its day. */
import { inTransaction } from '#infra/database/transaction';
import type { Due, DueSource } from '#infra/time/due-transitions';
import { recordOverdueInvoices } from '#modules/buyers';
import type { ChangeContext } from '#operation/operation';
import { findNextDueInvoice, findPlatformsWithDueInvoices } from './due-invoice.queries.ts';
import { type InvoiceRow, lockInvoice } from './invoice.queries.ts';
import { outstandingOf } from './settlement.rules.ts';
import { transitionInvoice } from './transition-invoice.ts';

/** Turns invoices DUE at the end of their due day. */
export const dueInvoices: DueSource<unknown, 'invoice'> = {
  findPlatforms: findPlatformsWithDueInvoices,
  findNext: findNextDueInvoice,
  make: (db, platformId, due) =>
    inTransaction(db, (transaction) => becomeDueInTime(transaction, platformId, due)),
};

async function becomeDueInTime(
  db: ChangeContext['db'],
  platformId: number,
  { externalId, dueAt }: Due,
): Promise<void> {
  const invoice = await lockInvoice(db, { platformId, externalId });
  // It may have been paid, cancelled or postponed since it was found.
  if (!invoice || invoice.falls_due_at === null || invoice.falls_due_at > dueAt) return;
  await becomeDue({ db, platformId, actor: 'service', now: dueAt }, invoice);
}

/** Turns a locked invoice DUE, and counts its arrears among the buyer's. Throws INVALID_STATUS_TRANSITION. */
export async function becomeDue(context: ChangeContext, invoice: InvoiceRow): Promise<void> {
  await transitionInvoice(context, invoice, 'become_due', {});
  await recordOverdueInvoices(context.db, [overdueOf(context.platformId, invoice, context.now)]);
}

/** The arrears of an invoice at an instant: what is unpaid of the instalments whose day has ended, as its buyer owes it. */
export function overdueOf(platformId: number, invoice: InvoiceRow, now: number) {
  const arrearsMinor = invoice.installments
    .filter(({ due_at }) => due_at <= Math.max(now, invoice.due_at))
    .reduce((sum, each) => sum + outstandingOf(each), 0);
  return {
    platformId,
    buyerExternalId: invoice.buyer_external_id,
    invoiceExternalId: invoice.external_id,
    dueAt: invoice.due_at,
    currency: invoice.currency,
    outstandingMinor: arrearsMinor,
  };
}
