/** Writes changes of existing invoices with their version, history and event. */
import { nextVersion } from '#kernel/changes';
import { transitionOf } from '#kernel/lifecycle';
import { refusal } from '#kernel/problem';
import { recordEvents } from '#modules/webhooks';
import type { ChangeContext } from '#operation/operation';
import { type InvoiceEvent, invoiceEvent } from './invoice.events.ts';
import { type InvoiceTrigger, invoiceLifecycle } from './invoice.lifecycle.ts';
import type { InvoiceColumns } from './invoice.queries.ts';
import { updateInvoice, writeInvoiceTransition } from './invoice-changes.queries.ts';

/** The columns that a change can set, besides status, version and the amounts that the database computes. */
export type InvoiceChanges = Partial<
  Pick<
    InvoiceColumns,
    | 'due_at'
    | 'due_on'
    | 'falls_due_at'
    | 'defaults_at'
    | 'dunning_at'
    | 'paid_amount'
    | 'credited_amount'
    | 'paid_at'
    | 'invoiced_at'
    | 'payment_method'
    | 'payment_script'
    | 'contact_external_id'
    | 'billing_address'
    | 'delivery_address'
    | 'custom_data'
    | 'line_items'
  >
>;

/** The transition of this trigger from the invoice's status. Throws INVALID_STATUS_TRANSITION with the allowed triggers. */
export function invoiceTransitionOf(invoice: Pick<InvoiceColumns, 'status'>, trigger: InvoiceTrigger) {
  return transitionOf(invoiceLifecycle, invoice.status, trigger);
}

/** The 409 for a transition that the status allows but a guard refuses. */
export function invoiceGuardRefusal(invoice: InvoiceColumns, trigger: InvoiceTrigger, sentence: string) {
  return refusal('INVALID_STATUS_TRANSITION', sentence, {
    status: invoice.status,
    trigger,
    allowed: invoiceLifecycle.transitions
      .filter(({ from, trigger: other }) => from === invoice.status && other !== trigger)
      .map((transition) => transition.trigger),
  });
}

/**
 * Writes the transition of a locked invoice with its history and event. Only an OPEN invoice falls due and only a DUE one defaults, so
 * a transition to these sets `falls_due_at` or `defaults_at` in its changes. Post the facility's and the ledger's entries in the same
 * transaction.
 */
export async function transitionInvoice(
  { db, platformId, actor, now }: ChangeContext,
  invoice: InvoiceColumns,
  trigger: InvoiceTrigger,
  changes: InvoiceChanges,
  reason: string | null = null,
): Promise<InvoiceColumns> {
  const transition = invoiceTransitionOf(invoice, trigger);
  const changed = await updateInvoice(db, platformId, invoice.external_id, {
    ...(transition.to !== 'OPEN' && { falls_due_at: null }),
    ...(transition.to !== 'DUE' && { defaults_at: null }),
    ...(transition.to !== 'OPEN' && transition.to !== 'DUE' && { dunning_at: null }),
    ...changes,
    ...nextVersion(invoice, now),
    status: transition.to,
  });
  await writeInvoiceTransition(db, changed, { transition, actor, reason });
  if (transition.event !== null)
    await recordEvents(db, [
      invoiceEvent(transition.event as InvoiceEvent['type'], changed, transition.from),
    ]);
  return changed;
}

/** Writes a change of a locked invoice that keeps its status. Without an event, the event of another resource reports the change. */
export async function changeInvoice(
  { db, platformId, now }: ChangeContext,
  invoice: InvoiceColumns,
  changes: InvoiceChanges,
  event: InvoiceEvent['type'] | null,
): Promise<InvoiceColumns> {
  const changed = await updateInvoice(db, platformId, invoice.external_id, {
    ...changes,
    ...nextVersion(invoice, now),
  });
  if (event !== null) await recordEvents(db, [invoiceEvent(event, changed, invoice.status)]);
  return changed;
}
