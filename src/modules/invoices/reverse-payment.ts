/** Records that the money of a payment was returned. */
import { RunAgain } from '#infra/database/transaction';
import { notFound, refusal } from '#kernel/problem';
import { listEntriesOfPayment, post, reversalOf } from '#modules/ledger';
import { recordEvents } from '#modules/webhooks';
import { assertVisible, type Caller } from '#operation/caller';
import type { ChangeContext } from '#operation/operation';
import type { InvoiceRow } from './invoice.queries.ts';
import type { SettlingContext } from './invoice-settlement.ts';
import { listChargedInvoicesOfPayment } from './late-charges/late-charge.queries.ts';
import { reopenLateCharges } from './late-charges/settle-late-charges.ts';
import { paymentEvent } from './payment.events.ts';
import {
  findPayment,
  listInvoicesOfPayment,
  lockPayment,
  type PaymentKey,
  type PaymentRow,
  updateReversedPayment,
} from './payment.queries.ts';
import type { PaymentReceiver } from './payment.schemas.ts';
import { assertMayReceive } from './record-payment.ts';
import { lockToSettle, settleInvoices } from './settle-invoices.ts';

/**
 * Reverses a payment that was recorded on the invoice: everything that it settles is owed again, on other invoices too, and its
 * unapplied rest no longer belongs to the buyer. The ledger entries take effect at `effectiveAt`, by default now. Throws NOT_FOUND,
 * MERCHANT_NOT_ALLOWED and PAYMENT_ALREADY_REVERSED.
 */
export async function reversePayment(
  context: SettlingContext & { caller: Caller },
  { invoiceExternalId, externalId }: { invoiceExternalId: string; externalId: string },
  reason: string,
  effectiveAt: number = context.now,
): Promise<PaymentRow> {
  const { db, platformId, now } = context;
  const key = { platformId, externalId };
  const found = await findPayment(db, key);
  if (!found || found.invoice_external_id !== invoiceExternalId) throw notFound();
  assertVisible(found, context.caller);
  assertMayReceive(context.caller, found.received_by as PaymentReceiver);
  const { invoices, payment, settledIds } = await lockSettledByPayment(context, found);
  if (payment.reversed_at !== null)
    throw refusal('PAYMENT_ALREADY_REVERSED', 'The payment was already reversed', {
      reversed_at: payment.reversed_at,
    });
  const reversed = await updateReversedPayment(db, payment, {
    at: Math.max(payment.updated_at, now),
    reason,
  });
  await reverseEntries(context, reversed, effectiveAt);
  await reopenLateCharges(context, reversed);
  const changes = await settleInvoices(
    context,
    settledIds.map((externalId) => ({
      invoice: invoices.get(externalId) as InvoiceRow,
      change: { cause: 'REVERSAL', payment },
      actor: context.actor,
      now,
    })),
  );
  const changed = changes.find(({ invoice }) => invoice.external_id === invoiceExternalId);
  const recordedOn = changed?.settled ?? (invoices.get(invoiceExternalId) as InvoiceRow);
  await recordEvents(db, [paymentEvent('INVOICE.PAYMENT.REVERSED', reversed, recordedOn)]);
  return reversed;
}

/**
 * Locks the invoice on which a payment was recorded and all others that it settles, then the payment. If the payment was applied to
 * another invoice in between, the transaction runs again, because locking that invoice now would be out of order.
 */
async function lockSettledByPayment(
  context: SettlingContext,
  { external_id: externalId, invoice_external_id }: PaymentRow,
): Promise<{ invoices: Map<string, InvoiceRow>; payment: PaymentRow; settledIds: string[] }> {
  const key = { platformId: context.platformId, externalId };
  const expected = new Set([invoice_external_id, ...(await listReducedInvoices(context, key))]);
  const invoices = await lockToSettle(context, [...expected].sort());
  const payment = (await lockPayment(context.db, key)) as PaymentRow;
  if ((await listReducedInvoices(context, key)).some((each) => !expected.has(each)))
    throw new RunAgain('The payment settles further invoices');
  return { invoices, payment, settledIds: await listInvoicesOfPayment(context.db, key) };
}

/** The invoices of which the payment settles a part, or whose late charges it settles. */
async function listReducedInvoices({ db }: Pick<SettlingContext, 'db'>, key: PaymentKey): Promise<string[]> {
  return [...(await listInvoicesOfPayment(db, key)), ...(await listChargedInvoicesOfPayment(db, key))];
}

/** Posts the reversals of all entries about the payment. */
async function reverseEntries(
  { db, platformId, actor }: ChangeContext,
  { external_id }: PaymentRow,
  effectiveAt: number,
): Promise<void> {
  const entries = await listEntriesOfPayment(db, platformId, external_id);
  const reversed = new Set(entries.map(({ reverses_entry }) => reverses_entry));
  await post(
    db,
    platformId,
    entries
      .filter(({ entry_id, reverses_entry }) => reverses_entry === null && !reversed.has(entry_id))
      .map((entry) => {
        // Not before the entry itself, as that of a late charge that was claimed after the money came.
        const at = Math.max(effectiveAt, entry.belongs_to_at ?? entry.effective_at);
        return reversalOf(entry, { cause: 'PAYMENT_REVERSED', effectiveAt: at, actor });
      }),
  );
}
