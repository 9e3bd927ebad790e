/** Invoices that fall due: those whose next unpaid instalment was not paid by the end of its due day. */
import { inTransaction } from '#infra/database/transaction';
import type { Due, DueSource } from '#infra/time/due-transitions';
import { recordEvents } from '#modules/webhooks';
import type { ChangeContext } from '#operation/operation';
import { fallingDue, lockFallingDue, writeFallenDue } from './due-invoice.queries.ts';
import { followOverdue } from './follow-overdue.ts';
import { type InvoiceEvent, invoiceEvent } from './invoice.events.ts';
import { defaultsAt } from './settlement.rules.ts';
import { invoiceTransitionOf } from './transition-invoice.ts';

/**
 * All invoices of a day fall due at one midnight. The fixed cost of a transaction equals that of twenty invoices, while larger batches
 * keep requests waiting longer (bench `fall-due`).
 */
const TOGETHER_MAX = 16;

/** Turns invoices DUE at the end of their due day. */
export const dueInvoices: DueSource<unknown, 'invoice'> = {
  ...fallingDue,
  togetherMax: TOGETHER_MAX,
  make: (db, platformId, due) => inTransaction(db, (transaction) => fallDue(transaction, platformId, due)),
};

/** Skips invoices that were paid, cancelled or postponed since they were found. Locks the invoices, then the buyers. */
async function fallDue(
  db: ChangeContext['db'],
  platformId: number,
  due: readonly Due<'invoice'>[],
): Promise<Due<'invoice'>[]> {
  const [{ dueAt: now }] = due as [Due];
  const externalIds = due.map(({ externalId }) => externalId);
  const locked = await lockFallingDue(db, platformId, externalIds, now);
  const [first] = locked;
  if (!first) return [];
  const fallen = locked.map((invoice) => ({
    externalId: invoice.external_id,
    defaultsAt:
      invoice.defaulted_on === null ? defaultsAt(invoice, { now, timeZone: invoice.time_zone }) : null,
  }));
  const transition = invoiceTransitionOf(first, 'become_due');
  const invoices = await writeFallenDue(db, platformId, fallen, { transition, actor: 'service', now });
  const type = transition.event as InvoiceEvent['type'];
  await recordEvents(
    db,
    invoices.map((invoice) => invoiceEvent(type, invoice, transition.from)),
  );
  await followOverdue(
    db,
    invoices.map((invoice) => ({ invoice, installments: invoice.installments })),
  );
  const made = new Set(invoices.map(({ external_id }) => external_id));
  return due.filter(({ externalId }) => made.has(externalId));
}
