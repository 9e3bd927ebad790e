/** Changes of existing invoices: their columns, their instalments and their history. */
import { type Selectable, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { InvoiceTransitions } from '#infra/database/schema';
import { unnestRows } from '#infra/database/unnest-rows';
import type { Transition } from '#kernel/lifecycle';
import type { CursorPage } from '#operation/list';
import { type ListContext, type ListTable, listRows } from '#operation/list-table.queries';
import type { InvoiceStatus, InvoiceTrigger } from './invoice.lifecycle.ts';
import {
  type InstalmentRow,
  type InvoiceColumns,
  installmentsTable,
  invoicesTable,
} from './invoice.queries.ts';

/** Returns the row with the amounts that the database computes. */
export async function updateInvoice(
  db: Db,
  platformId: number,
  externalId: string,
  changes: Partial<Omit<InvoiceColumns, 'outstanding_amount' | 'credit_used'>>,
): Promise<InvoiceColumns> {
  return db
    .updateTable('invoices')
    .set(invoicesTable.updateable(changes))
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .returning(invoicesTable.columns)
    .$castTo<InvoiceColumns>()
    .executeTakeFirstOrThrow();
}

/** The credit that a financing of a locked invoice starts or stops using. */
export interface FinancedCredit {
  invoiceExternalId: string;
  /** Minor units; below zero for credit that is released. */
  changeMinor: number;
}

const unnestCredit = unnestRows<FinancedCredit>('i', {
  external_id: ['text', 'invoiceExternalId'],
  change: ['bigint', 'changeMinor'],
});

/** Changes the credit that locked invoices use, each invoice at most once. */
export async function addFinancedCredit(
  db: Db,
  platformId: number,
  changes: readonly FinancedCredit[],
): Promise<void> {
  if (changes.length === 0) return;
  await sql`
    update invoices v set credit_amount = v.credit_amount + i.change
    from ${unnestCredit(changes)}
    where v.platform_id = ${platformId} and v.external_id = i.external_id`.execute(db);
}

/** Writes the history row of a transition. `invoice` is the invoice after it. */
export async function writeInvoiceTransition(
  db: Db,
  invoice: InvoiceColumns,
  {
    transition,
    actor,
    reason,
  }: { transition: Transition<InvoiceStatus, InvoiceTrigger>; actor: string; reason: string | null },
): Promise<void> {
  await db
    .insertInto('invoice_transitions')
    .values({
      platform_id: invoice.platform_id,
      invoice_external_id: invoice.external_id,
      version: invoice.version,
      from_status: transition.from,
      to_status: transition.to,
      trigger: transition.trigger,
      transitioned_at: invoice.updated_at,
      actor,
      reason,
    })
    .execute();
}

const TRANSITIONS: ListTable<{ invoice_external_id: string[] }> = {
  table: 'invoice_transitions',
  key: 'version',
  of: 'invoice_external_id',
  sort: '-version',
  values: ['invoice_external_id'],
  ranges: [],
};

/** The transitions of an invoice, newest first. */
export async function listInvoiceTransitions(context: ListContext, externalId: string, page: CursorPage) {
  const ofInvoice = { invoice_external_id: [externalId] };
  return listRows<typeof ofInvoice, Selectable<InvoiceTransitions>>(context, TRANSITIONS, ofInvoice, page);
}

/** Moves the only instalment of an invoice to another day. Returns the instalment. */
export async function postponeInstalment(
  db: Db,
  platformId: number,
  invoiceExternalId: string,
  { dueAt, dueOn }: { dueAt: number; dueOn: string },
): Promise<InstalmentRow[]> {
  return db
    .updateTable('invoice_installments')
    .set({ due_at: dueAt, due_on: dueOn })
    .where('platform_id', '=', platformId)
    .where('invoice_external_id', '=', invoiceExternalId)
    .returning(installmentsTable.columns)
    .execute();
}
