/** Lists of payments: the payments on an invoice, and payments with unapplied cash. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { CursorPage, Page } from '#operation/list';
import { type ListContext, type ListTable, listRows } from '#operation/list-table.queries';
import { type PaymentKey, type PaymentRow, paymentsTable } from './payment.queries.ts';

const PAYMENTS: ListTable<{ invoice_external_id: string[] }> = {
  table: 'invoice_payments',
  key: 'external_id',
  of: 'invoice_external_id',
  values: ['invoice_external_id'],
  ranges: [],
};

/** The payments that were recorded on an invoice, newest first. */
export async function listPaymentsOfInvoice(context: ListContext, externalId: string, page: CursorPage) {
  const ofInvoice = { invoice_external_id: [externalId] };
  return listRows<typeof ofInvoice, PaymentRow>(context, PAYMENTS, ofInvoice, page, paymentsTable.of('t'));
}

/** The last payment that was recorded on an invoice and is not reversed. */
export async function findLastPayment(
  db: Db,
  { platformId, externalId }: PaymentKey,
): Promise<PaymentRow | undefined> {
  return db
    .selectFrom('invoice_payments')
    .select(paymentsTable.columns)
    .where('platform_id', '=', platformId)
    .where('invoice_external_id', '=', externalId)
    .where('reversed_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('external_id', 'desc')
    .limit(1)
    .$castTo<PaymentRow>()
    .executeTakeFirst();
}

/** Money of buyers that settles no invoice, oldest first. */
export async function listUnappliedPayments(
  db: Db,
  platformId: number,
  { buyerExternalId, page }: { buyerExternalId: string | null; page: Page },
): Promise<PaymentRow[]> {
  const { rows } = await sql<PaymentRow>`
    select ${paymentsTable.of('p')} from invoice_payments p
    where p.platform_id = ${platformId} and p.received_by = 'PLATFORM' and p.reversed_at is null
      and p.allocated_amount < p.amount
      and (${buyerExternalId}::text is null or p.buyer_external_id = ${buyerExternalId})
    order by p.buyer_external_id, p.created_at, p.external_id
    limit ${page.limit} offset ${page.offset}`.execute(db);
  return rows;
}
