/**
 * Permanent facts about how buyers pay: closed orders, paid invoices and defaults. Orders and invoices record them in their
 * own transaction. Recording a fact again has no effect, and nothing is changed or deleted.
 */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { unnestRows } from '#infra/database/unnest-rows';
import type { Currency } from '#kernel/currency';
import type { DefaultChangeKind } from '#modules/underwriting';

interface Fact {
  buyerExternalId: string;
  /** When it is recorded, in unix seconds of the platform's clock. */
  at: number;
}

export interface ClosedOrder extends Fact {
  orderExternalId: string;
}

export interface SettledInvoice extends Fact {
  invoiceExternalId: string;
  /** The payment that settled the invoice. */
  paymentId: string;
}

export interface PaidInvoice extends SettledInvoice {
  /** Days of the platform's calendar such as 2026-01-31: when it was due, and when the money came. */
  dueOn: string;
  paidOn: string;
  currency: Currency;
  /** Minor units, above 0. */
  amountMinor: number;
}

interface InvoiceFact extends Fact {
  invoiceExternalId: string;
}

export interface InvoiceDefault extends InvoiceFact {
  /** The day on which the invoice was more than 90 days past due. */
  defaultedOn: string;
  currency: Currency;
  /** Outstanding on that day, in minor units, above 0. */
  amountMinor: number;
}

export interface InvoiceDefaultChange extends InvoiceFact {
  /** The payment, credit note or write-off. */
  sourceId: string;
  kind: DefaultChangeKind;
  changedOn: string;
  /** Minor units; below 0 to reverse an earlier change. */
  amountMinor: number;
}

const FACT = { buyer_external_id: ['text', 'buyerExternalId'], recorded_at: ['bigint', 'at'] } as const;
const INVOICE = { ...FACT, invoice_external_id: ['text', 'invoiceExternalId'] } as const;
const SETTLED = { ...INVOICE, payment_id: ['text', 'paymentId'] } as const;
const AMOUNT = { currency: ['text', 'currency'], amount: ['bigint', 'amountMinor'] } as const;

const unnestClosed = unnestRows<ClosedOrder>('t', {
  ...FACT,
  order_external_id: ['text', 'orderExternalId'],
});
const unnestPaid = unnestRows<PaidInvoice>('t', {
  ...SETTLED,
  ...AMOUNT,
  due_on: ['text', 'dueOn'],
  paid_on: ['text', 'paidOn'],
});
const unnestFacts = unnestRows<InvoiceFact>('t', INVOICE);
const unnestSettled = unnestRows<SettledInvoice>('t', SETTLED);
const unnestDefaults = unnestRows<InvoiceDefault>('t', {
  ...INVOICE,
  ...AMOUNT,
  defaulted_on: ['text', 'defaultedOn'],
});
const unnestChanges = unnestRows<InvoiceDefaultChange>('t', {
  ...INVOICE,
  source_id: ['text', 'sourceId'],
  kind: ['text', 'kind'],
  changed_on: ['text', 'changedOn'],
  amount: ['bigint', 'amountMinor'],
});

/** Records orders that were fulfilled and paid. */
export async function recordClosedOrders(
  db: Db,
  platformId: number,
  orders: readonly ClosedOrder[],
): Promise<void> {
  await sql`
    insert into closed_orders (platform_id, buyer_external_id, order_external_id, closed_at)
    select ${platformId}::int, buyer_external_id, order_external_id, recorded_at from ${unnestClosed(orders)}
    order by buyer_external_id, order_external_id
    on conflict do nothing`.execute(db);
}

/** Records invoices that a payment settled in full, each once per payment. */
export async function recordPaidInvoices(
  db: Db,
  platformId: number,
  invoices: readonly PaidInvoice[],
): Promise<void> {
  await sql`
    insert into paid_invoices (platform_id, buyer_external_id, invoice_external_id, payment_id, due_on, paid_on, currency,
      amount, recorded_at)
    select ${platformId}::int, buyer_external_id, invoice_external_id, payment_id, due_on::date, paid_on::date, currency,
      amount, recorded_at from ${unnestPaid(invoices)}
    order by buyer_external_id, invoice_external_id, payment_id
    on conflict do nothing`.execute(db);
}

/** Records that settling payments were reversed. Each must have been recorded as settling. */
export async function reversePaidInvoices(
  db: Db,
  platformId: number,
  invoices: readonly SettledInvoice[],
): Promise<void> {
  await sql`
    insert into paid_invoice_reversals (platform_id, buyer_external_id, invoice_external_id, payment_id, recorded_at)
    select ${platformId}::int, buyer_external_id, invoice_external_id, payment_id, recorded_at
    from ${unnestSettled(invoices)}
    order by buyer_external_id, invoice_external_id, payment_id
    on conflict do nothing`.execute(db);
}

/** Records that invoices are no longer paid, by reversing every settlement that was not reversed yet. */
export async function reverseSettlements(
  db: Db,
  platformId: number,
  invoices: readonly InvoiceFact[],
): Promise<void> {
  await sql`
    insert into paid_invoice_reversals (platform_id, buyer_external_id, invoice_external_id, payment_id, recorded_at)
    select ${platformId}::int, p.buyer_external_id, p.invoice_external_id, p.payment_id, t.recorded_at
    from ${unnestFacts(invoices)}
    join paid_invoices p on p.platform_id = ${platformId} and p.buyer_external_id = t.buyer_external_id
      and p.invoice_external_id = t.invoice_external_id
    order by p.buyer_external_id, p.invoice_external_id, p.payment_id
    on conflict do nothing`.execute(db);
}

/** Records invoices that defaulted, each once. A reversed payment restores the amount of a recorded default. */
export async function recordDefaults(
  db: Db,
  platformId: number,
  defaults: readonly InvoiceDefault[],
): Promise<void> {
  await sql`
    insert into invoice_defaults (platform_id, buyer_external_id, invoice_external_id, defaulted_on, currency, amount,
      recorded_at)
    select ${platformId}::int, buyer_external_id, invoice_external_id, defaulted_on::date, currency, amount, recorded_at
    from ${unnestDefaults(defaults)}
    order by buyer_external_id, invoice_external_id
    on conflict do nothing`.execute(db);
}

/** Records changes of defaulted amounts, each kind once per source. Each invoice must have been recorded as defaulted. */
export async function recordDefaultChanges(
  db: Db,
  platformId: number,
  changes: readonly InvoiceDefaultChange[],
): Promise<void> {
  await sql`
    insert into invoice_default_changes (platform_id, buyer_external_id, invoice_external_id, source_id, kind, changed_on,
      amount, recorded_at)
    select ${platformId}::int, buyer_external_id, invoice_external_id, source_id, kind, changed_on::date, amount, recorded_at
    from ${unnestChanges(changes)}
    order by buyer_external_id, invoice_external_id, source_id, kind
    on conflict do nothing`.execute(db);
}
