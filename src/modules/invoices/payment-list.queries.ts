/** Lists of payments: those of an invoice, and those of which some is unapplied. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { Page } from '#operation/list';
import { type PaymentKey, type PaymentRow, paymentsTable } from './payment.queries.ts';

/** The payments that were recorded on an invoice, the newest first. */
export async function listPaymentsOfInvoice(
  db: Db,
  { platformId, externalId }: PaymentKey,
  page: Page,
): Promise<{ rows: PaymentRow[]; total: number }> {
  const ofInvoice = db
    .selectFrom('invoice_payments')
    .where('platform_id', '=', platformId)
    .where('invoice_external_id', '=', externalId);
  const [rows, { total }] = await Promise.all([
    ofInvoice
      .select(paymentsTable.columns)
      .$castTo<PaymentRow>()
      .orderBy('created_at', 'desc')
      .orderBy('external_id')
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    ofInvoice.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
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

/** Money of buyers that no invoice took, the oldest first. */
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
