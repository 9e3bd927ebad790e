/** Overdue invoices of each buyer. Invoices write them; buyers show them, and credit is decided by them. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { namesOf } from '#infra/database/table';
import { unnestRows } from '#infra/database/unnest-rows';
import type { Currency } from '#kernel/currency';
import { unnestBuyerKeys } from './buyer-keys.ts';

export interface OverdueKey {
  platformId: number;
  buyerExternalId: string;
  invoiceExternalId: string;
}

export interface OverdueInvoice extends OverdueKey {
  /** Unix seconds. */
  dueAt: number;
  currency: Currency;
  outstandingMinor: number;
}

const INVOICE_KEY = {
  platform_id: ['int', 'platformId'],
  buyer_external_id: ['text', 'buyerExternalId'],
  invoice_external_id: ['text', 'invoiceExternalId'],
} as const;
const INVOICE = {
  ...INVOICE_KEY,
  due_at: ['bigint', 'dueAt'],
  currency: ['text', 'currency'],
  outstanding_amount: ['bigint', 'outstandingMinor'],
} as const;
const KEY_NAMES = namesOf(Object.keys(INVOICE_KEY));
const NAMES = namesOf(Object.keys(INVOICE));
const unnestInvoiceKeys = unnestRows<OverdueKey>('k', INVOICE_KEY);
const unnestInvoices = unnestRows<OverdueInvoice>('t', INVOICE);

/**
 * Records invoices that became due, or whose outstanding amount changed while due; each invoice once. In the caller's
 * transaction. Locks the buyers: after facility, order and invoice.
 */
export async function recordOverdueInvoices(db: Db, invoices: OverdueInvoice[]): Promise<void> {
  await sql`
    insert into overdue_invoices as o (${NAMES})
    select * from ${unnestInvoices(invoices)}
    order by ${KEY_NAMES}
    on conflict (${KEY_NAMES})
      do update set due_at = excluded.due_at, outstanding_amount = excluded.outstanding_amount`.execute(db);
  await followOverdue(db, invoices);
}

/** Removes invoices that are no longer due: paid, cancelled or postponed. Ignores unknown ones. */
export async function clearOverdueInvoices(db: Db, keys: OverdueKey[]): Promise<void> {
  await sql`
    delete from overdue_invoices
    where (${KEY_NAMES}) in (select * from ${unnestInvoiceKeys(keys)})`.execute(db);
  await followOverdue(db, keys);
}

/**
 * Writes `overdue_since` of the buyers. They are locked first, in the order of their keys: a second statement under the
 * lock sees every invoice that a concurrent transaction recorded. The version is unchanged: it counts what a PUT replaces.
 */
async function followOverdue(db: Db, keys: Omit<OverdueKey, 'invoiceExternalId'>[]): Promise<void> {
  const buyers = unnestBuyerKeys(keys);
  await sql`
    select 1 from buyers
    where (platform_id, external_id) in (select * from ${buyers})
    order by platform_id, external_id for no key update`.execute(db);
  await sql`
    update buyers b set overdue_since = (
      select min(o.due_at) from overdue_invoices o
      where o.platform_id = b.platform_id and o.buyer_external_id = b.external_id
    )
    where (b.platform_id, b.external_id) in (select * from ${buyers})`.execute(db);
}
