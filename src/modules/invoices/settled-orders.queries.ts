/** The invoices of orders. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { arrayOf } from '#infra/database/unnest-rows';
import type { InvoiceStatus } from './invoice.lifecycle.ts';
import { type InvoiceOrderRow, invoiceOrdersTable } from './invoice.queries.ts';

const PAID: InvoiceStatus = 'CLOSED';
const ENDED: readonly InvoiceStatus[] = ['CLOSED', 'CANCELLED'];

/** Those of the orders that have only CLOSED or CANCELLED invoices, and at least one CLOSED, in the order of their keys. */
export async function listEndedOrders(
  db: Db,
  platformId: number,
  orderExternalIds: readonly string[],
): Promise<string[]> {
  if (orderExternalIds.length === 0) return [];
  const { rows } = await sql<{ order_external_id: string }>`
    select o.order_external_id
    from invoice_orders o
    join invoices i on i.platform_id = ${platformId} and i.external_id = o.invoice_external_id
    where o.platform_id = ${platformId} and o.order_external_id = any(${arrayOf('text', orderExternalIds)})
    group by o.order_external_id
    having bool_and(i.status = any(${ENDED}::text[])) and bool_or(i.status = ${PAID})
    order by o.order_external_id`.execute(db);
  return rows.map(({ order_external_id }) => order_external_id);
}

/** The parts that an invoice took from its orders, in the order in which it lists them. */
export async function listOrderParts(
  db: Db,
  platformId: number,
  invoiceExternalId: string,
): Promise<InvoiceOrderRow[]> {
  return db
    .selectFrom('invoice_orders')
    .select(invoiceOrdersTable.columns)
    .where('platform_id', '=', platformId)
    .where('invoice_external_id', '=', invoiceExternalId)
    .orderBy('position')
    .execute();
}
