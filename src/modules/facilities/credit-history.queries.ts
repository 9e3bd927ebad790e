/** How buyers have paid so far: written by orders and invoices, read by decisions. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { unnestRows } from '#infra/database/unnest-rows';
import type { FacilityKey } from './facility.queries.ts';

/** What to add to a buyer's history. Default: 0. */
export interface CreditEvents extends FacilityKey {
  ordersClosed?: number;
  invoicesPaid?: number;
  /** Of the paid invoices, those that were paid after the due date. */
  invoicesPaidLate?: number;
}

const unnestCounts = unnestRows<CreditEvents>('t', {
  platform_id: ['int', 'platformId'],
  buyer_external_id: ['text', 'buyerExternalId'],
  orders_closed: ['int', (event) => event.ordersClosed ?? 0],
  invoices_paid: ['int', (event) => event.invoicesPaid ?? 0],
  invoices_paid_late: ['int', (event) => event.invoicesPaidLate ?? 0],
});

/** Adds to the buyers' histories, in the caller's transaction. A reversed payment counts -1. */
export async function countCreditHistory(db: Db, events: CreditEvents[]): Promise<void> {
  await sql`
    insert into credit_histories as h (platform_id, buyer_external_id, orders_closed, invoices_paid, invoices_paid_late)
    select platform_id, buyer_external_id, sum(orders_closed), sum(invoices_paid), sum(invoices_paid_late)
    from ${unnestCounts(events)}
    group by platform_id, buyer_external_id order by platform_id, buyer_external_id
    on conflict (platform_id, buyer_external_id) do update set
      orders_closed = h.orders_closed + excluded.orders_closed, invoices_paid = h.invoices_paid + excluded.invoices_paid,
      invoices_paid_late = h.invoices_paid_late + excluded.invoices_paid_late`.execute(db);
}
