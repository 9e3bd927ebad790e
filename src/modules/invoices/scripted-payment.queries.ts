/** The invoices that a buyer who pays late pays next. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { dueColumn } from '#infra/time/due-column.queries';
import type { InvoiceTrigger } from './invoice.lifecycle.ts';
import type { InvoiceColumns } from './invoice.queries.ts';

const LATE_DAYS = 10;
const LATE_SECONDS = LATE_DAYS * 86_400;

/** When the buyer's outcome script next pays what is due of the invoice, in unix seconds; null if it does not pay. */
export function paysAt({
  payment_script,
  outstanding_amount,
  due_at,
  created_at,
}: InvoiceColumns): number | null {
  if (payment_script !== 'pays-late' || outstanding_amount === 0) return null;
  return Math.max(due_at + LATE_SECONDS, created_at);
}

/** Invoices that a script pays late. The expression is that of `paysAt`, and of the index. */
export const latePayments = dueColumn({
  table: 'invoices',
  column: sql<number>`greatest(due_at + ${sql.lit(LATE_SECONDS)}, created_at)`,
  key: 'external_id',
  condition: sql`payment_script = 'pays-late' and outstanding_amount > 0`,
  resource: 'invoice',
  trigger: 'pay' satisfies InvoiceTrigger,
});

/** Whether nothing of the invoice remains after everything due by `until` (unix seconds) is paid. */
export async function isDueInFull(
  db: Db,
  platformId: number,
  externalId: string,
  until: number,
): Promise<boolean> {
  const later = await db
    .selectFrom('invoice_installments')
    .select('number')
    .where('platform_id', '=', platformId)
    .where('invoice_external_id', '=', externalId)
    .where('due_at', '>', until)
    .where(sql<boolean>`amount + fee_amount > paid_amount + credited_amount`)
    .limit(1)
    .executeTakeFirst();
  return later === undefined;
}
