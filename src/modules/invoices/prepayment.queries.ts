/** Prepayments that have become payments of invoices. */
import type { Db } from '#infra/database/database';
import { type PaymentRow, paymentsTable } from './payment.queries.ts';

/** Locks the payments of prepaid orders, oldest first, reversed ones too. Lock the orders first. */
export async function lockPrepayments(
  db: Db,
  platformId: number,
  orderExternalIds: readonly string[],
): Promise<PaymentRow[]> {
  return db
    .selectFrom('invoice_payments')
    .select(paymentsTable.columns)
    .where('platform_id', '=', platformId)
    .where('order_external_id', 'in', orderExternalIds)
    .orderBy('order_external_id')
    .orderBy('created_at')
    .orderBy('external_id')
    .forNoKeyUpdate()
    .$castTo<PaymentRow>()
    .execute();
}
