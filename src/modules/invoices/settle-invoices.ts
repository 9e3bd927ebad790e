/**
 * The only place that changes what existing invoices owe: payments, unapplied cash, reversals, credit notes and refunds. Facilities,
 * orders, invoices, allocations, facts, ledger and events are written in one transaction, with one statement each.
 */
import type { Db } from '#infra/database/database';
import {
  lockFacilities,
  type ReleaseCause,
  type ReleasedCredit,
  type ReopenedCredit,
  releaseUse,
  reopenUse,
} from '#modules/facilities';
import { post } from '#modules/ledger';
import { lockOrders, type OrderSettlement, settleOrders, uninvoiceOrders } from '#modules/orders';
import { settleFinancings } from '#modules/services';
import { type NewEvent, recordEvents } from '#modules/webhooks';
import type { ChangeContext } from '#operation/operation';
import { cancelledParts } from './cancelled-parts.rules.ts';
import { followDunnings } from './dunning/follow-dunnings.ts';
import { lockReminded } from './dunning/reminded-party.queries.ts';
import { followOverdue } from './follow-overdue.ts';
import { invoiceEvent } from './invoice.events.ts';
import {
  findPartiesOfInvoices,
  type InvoiceColumns,
  type InvoiceRow,
  lockInvoices,
} from './invoice.queries.ts';
import type {
  InvoiceSettlement,
  SettledInvoiceChange,
  SettlingContext,
  SettlingPlatform,
} from './invoice-settlement.ts';
import { listAppliedPayments } from './payment.queries.ts';
import { settledColumns } from './settled-columns.rules.ts';
import { writeSettlements } from './settled-invoice.queries.ts';
import { listEndedOrders, listOrderParts } from './settled-orders.queries.ts';
import { type OwedChange, outstandingOf, settlementOf } from './settlement.rules.ts';
import { recordSettlementFacts } from './settlement-facts.ts';
import { settlementPostings } from './settlement-postings.rules.ts';

/**
 * Locks the facilities, then the orders, then the invoices, each in the order of their keys. Returns the invoices by external_id. An
 * unknown one is missing.
 */
export async function lockToSettle(
  { db, platformId }: Pick<ChangeContext, 'db' | 'platformId'>,
  externalIds: readonly string[],
): Promise<Map<string, InvoiceRow>> {
  const { buyerExternalIds, orderExternalIds } = await findPartiesOfInvoices(db, platformId, externalIds);
  await lockFacilities(db, platformId, buyerExternalIds);
  if (orderExternalIds.length > 0) await lockOrders(db, platformId, orderExternalIds);
  const locked = await lockInvoices(db, platformId, externalIds);
  return new Map(locked.map((invoice) => [invoice.external_id, invoice]));
}

/** Settles locked invoices, each at most once. Returns the results in the same order. */
export async function settleInvoices(
  platform: SettlingPlatform,
  settlements: readonly InvoiceSettlement[],
): Promise<SettledInvoiceChange[]> {
  if (settlements.length === 0) return [];
  const { db, platformId } = platform;
  const changes = await writeInvoices(platform, settlements);
  await writeCreditUse(platform, changes);
  await post(
    db,
    platformId,
    changes.flatMap(({ invoice, applied, change, settlement, actor, now }) =>
      settlementPostings({ invoice, applied }, change, settlement, {
        actor,
        effectiveAt: change.cause === 'PAYMENT' ? change.payment.paid_at : now,
      }),
    ),
  );
  await recordSettlementFacts(platform, changes);
  await recordEvents(db, changes.flatMap(eventsOf));
  await closeOrders(platform, changes);
  await followFinancings(platform, changes);
  await followOverdueOf(platform, changes);
  await followReminders(platform, changes);
  return changes;
}

/** Settles one invoice. Returns the settled invoice. */
export async function settleInvoice(
  { actor, now, ...platform }: SettlingContext,
  invoice: InvoiceRow,
  change: OwedChange,
  documentEvent?: InvoiceSettlement['documentEvent'],
): Promise<InvoiceColumns> {
  const settlement = { invoice, change, actor, now, ...(documentEvent && { documentEvent }) };
  const [changed] = await settleInvoices(platform, [settlement]);
  return (changed as SettledInvoiceChange).settled;
}

async function writeInvoices(
  { db, platformId, timeZone }: SettlingPlatform,
  settlements: readonly InvoiceSettlement[],
): Promise<SettledInvoiceChange[]> {
  const paid = settlements.filter(({ invoice }) => invoice.paid_amount > 0);
  const payments = await listAppliedPayments(
    db,
    platformId,
    paid.map(({ invoice }) => invoice.external_id),
  );
  const planned = settlements.map((each) => {
    const { invoice, change, now } = each;
    const applied = payments.get(invoice.external_id) ?? [];
    const settlement = settlementOf({ invoice, applied }, change, { now, timeZone });
    return {
      ...each,
      applied,
      settlement,
      ...settledColumns(invoice, change, settlement, { now, timeZone }),
    };
  });
  const lookAt = await findNextLooks(db, platformId, planned);
  const settled = await writeSettlements(
    db,
    platformId,
    planned.map(({ invoice, change, settlement, columns, transition, actor }) => ({
      columns: { ...columns, dunning_at: lookAt(columns) },
      transition,
      cause: change.cause,
      allocations: settlement.allocations,
      installments: settlement.installments.filter((each, index) => {
        const before = invoice.installments[index];
        return each.paid_amount !== before?.paid_amount || each.credited_amount !== before.credited_amount;
      }),
      exceptPaymentId:
        change.cause === 'PAYMENT' || change.cause === 'REVERSAL' ? change.payment.external_id : null,
      actor,
    })),
  );
  return planned.map((each, index) => ({ ...each, settled: settled[index] as InvoiceColumns }));
}

/** A new day is examined only if there is a dunning plan. Most settlements close their invoice, and then nothing is read. */
async function findNextLooks(
  db: Db,
  platformId: number,
  planned: readonly { invoice: InvoiceRow; columns: InvoiceColumns }[],
): Promise<(columns: InvoiceColumns) => number | null> {
  const postponed = planned
    .filter(({ invoice, columns }) => (columns.dunning_at ?? invoice.dunning_at) !== invoice.dunning_at)
    .map(({ columns }) => columns);
  if (postponed.length === 0) return ({ dunning_at }) => dunning_at;
  const isReminded = await lockReminded(db, platformId, postponed);
  return (columns) => (!postponed.includes(columns) || isReminded(columns) ? columns.dunning_at : null);
}

function eventsOf({ invoice, event, settled, documentEvent }: SettledInvoiceChange): NewEvent[] {
  return [
    ...(event === null ? [] : [invoiceEvent(event, settled, invoice.status)]),
    ...(documentEvent ? [documentEvent(settled)] : []),
  ];
}

/** Releases the credit that the invoices no longer use, and uses again the credit that they need again. */
async function writeCreditUse(
  { db, platformId }: SettlingPlatform,
  changes: readonly SettledInvoiceChange[],
): Promise<void> {
  const released: ReleasedCredit[] = [];
  const reopened: ReopenedCredit[] = [];
  for (const each of changes) {
    const { invoice, change, actor, now, settled } = each;
    const uninvoicedMinor =
      settled.status === 'CANCELLED' ? await giveBack({ db, platformId, actor, now }, invoice, change) : 0;
    const releasedMinor = invoice.credit_used - settled.credit_used - uninvoicedMinor;
    if (releasedMinor === 0) continue;
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
    if (change.cause === 'REVERSAL') reopened.push({ ...use, paymentId: change.payment.external_id });
    else released.push({ ...use, ...releaseCauseOf(change) });
  }
  await releaseUse(db, released);
  await reopenUse(db, reopened);
}

function releaseCauseOf(change: OwedChange): ReleaseCause {
  if ('payment' in change) return { cause: 'INVOICE_PAID', paymentId: change.payment.external_id };
  if (change.cause === 'REFUND') return { cause: 'INVOICE_CANCELLED' };
  return { cause: 'INVOICE_CREDITED', creditNoteExternalId: change.creditNoteExternalId };
}

/**
 * Gives the parts of a cancelled invoice back to its orders. After a refund, the orders reserve the credit again. Credited goods will
 * not be delivered, so their credit is released. Returns the amount that the orders' entries released, in minor units.
 */
async function giveBack(context: ChangeContext, invoice: InvoiceRow, { cause }: OwedChange): Promise<number> {
  const parts = await listOrderParts(context.db, context.platformId, invoice.external_id);
  return uninvoiceOrders(
    context,
    cancelledParts(invoice, parts, cause === 'REFUND' ? invoice.credit_used : 0),
  );
}

/** Closes the orders whose last invoice has ended. */
async function closeOrders(
  { db, platformId }: SettlingPlatform,
  changes: readonly SettledInvoiceChange[],
): Promise<void> {
  const ended = changes.filter(
    ({ settled }) => settled.status === 'CLOSED' || settled.status === 'CANCELLED',
  );
  // If several invoices of an order end, the last one closes it.
  const byOrder = new Map(
    ended.flatMap(({ invoice, actor, now }) =>
      invoice.order_external_ids.map((orderExternalId) => [orderExternalId, { orderExternalId, actor, now }]),
    ),
  );
  const orders = await listEndedOrders(db, platformId, [...byOrder.keys()]);
  await settleOrders(
    db,
    platformId,
    orders.map((externalId) => byOrder.get(externalId) as OrderSettlement),
  );
}

/** A financing is settled while nothing of its invoice is owed. */
async function followFinancings(
  platform: SettlingPlatform,
  changes: readonly SettledInvoiceChange[],
): Promise<void> {
  await settleFinancings(
    platform,
    changes
      .filter(
        ({ invoice, settled }) =>
          invoice.is_financed && (invoice.outstanding_amount === 0) !== (settled.outstanding_amount === 0),
      )
      .map(({ invoice, settled, actor, now }) => ({
        invoiceExternalId: invoice.external_id,
        isSettled: settled.outstanding_amount === 0,
        actor,
        now,
      })),
  );
}

async function followOverdueOf(
  { db }: SettlingPlatform,
  changes: readonly SettledInvoiceChange[],
): Promise<void> {
  const due = changes.filter(({ settled }) => settled.status === 'DUE');
  const ended = changes.filter(
    ({ invoice, settled }) => invoice.status === 'DUE' && settled.status !== 'DUE',
  );
  await followOverdue(
    db,
    due.map(({ settled, settlement }) => ({ invoice: settled, installments: settlement.installments })),
    ended.map(({ invoice }) => invoice),
  );
}

/** Ends the reminders of paid invoices. */
async function followReminders(
  { db, platformId }: SettlingPlatform,
  changes: readonly SettledInvoiceChange[],
): Promise<void> {
  await followDunnings(
    db,
    platformId,
    changes.map(({ invoice, settled, settlement, actor, now }) => {
      const next = settlement.installments.find((each) => outstandingOf(each) > 0);
      return { invoice, settled, nextInstallment: next?.number ?? null, actor, now };
    }),
  );
}
