/** Which invoices a buyer who pays late pays next. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { Due } from '#infra/time/due-transitions';
import type { InvoiceTrigger } from './invoice.lifecycle.ts';
import type { InvoiceColumns } from './invoice.queries.ts';

const LATE_DAYS = 10;
const LATE_SECONDS = LATE_DAYS * 86_400;

/** As `paysAt`, in SQL, and as the index has it. */
const PAYS_AT = sql<number>`greatest(i.due_at + ${sql.lit(LATE_SECONDS)}, i.created_at)`;
const IS_PAID_LATE = sql`i.payment_script = 'pays-late' and i.outstanding_amount > 0`;

/** When the buyer pays by itself what is due of the invoice then, in unix seconds; null if it does not. */
export function paysAt({
  payment_script,
  outstanding_amount,
  due_at,
  created_at,
}: InvoiceColumns): number | null {
  if (payment_script !== 'pays-late' || outstanding_amount === 0) return null;
  return Math.max(due_at + LATE_SECONDS, created_at);
}

/** All platforms on which an invoice is paid late by the platform's clock. `now` is the real time in unix seconds. */
export async function findPlatformsWithLatePayments(db: Db, now: number): Promise<number[]> {
  const { rows } = await sql<{ platform_id: number }>`
    select p.platform_id from platforms p
    cross join lateral (
      select ${PAYS_AT} as pays_at from invoices i
      where i.platform_id = p.platform_id and ${IS_PAID_LATE}
      order by ${PAYS_AT} limit 1
    ) first
    where first.pays_at <= ${now}::bigint + p.clock_ahead_seconds
    order by p.platform_id`.execute(db);
  return rows.map((row) => row.platform_id);
}

/** The invoice of the platform that is paid late first, by `until` (unix seconds). */
export async function findNextLatePayment(
  db: Db,
  platformId: number,
  until: number,
): Promise<Due<'invoice'> | undefined> {
  const { rows } = await sql<{ external_id: string; pays_at: number; is_rest: boolean }>`
    select i.external_id, ${PAYS_AT} as pays_at, not exists (
      select from invoice_installments t
      where t.platform_id = i.platform_id and t.invoice_external_id = i.external_id and t.due_at > ${PAYS_AT}
        and t.amount + t.fee_amount > t.paid_amount + t.credited_amount
    ) as is_rest
    from invoices i
    where i.platform_id = ${platformId} and ${IS_PAID_LATE} and ${PAYS_AT} <= ${until}::bigint
    order by ${PAYS_AT}, i.external_id limit 1`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const trigger: InvoiceTrigger = row.is_rest ? 'pay' : 'cure';
  return { dueAt: row.pays_at, resource: 'invoice', externalId: row.external_id, trigger };
}
