/** The unapplied cash of buyers, as of an instant. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { Currency } from '#kernel/currency';

/**
 * The unapplied cash of a buyer at an instant (unix seconds), in minor units of each currency that has some. Like entries, payments
 * count from when they were recorded, regardless of when the money came.
 */
export async function listUnappliedCash(
  db: Db,
  platformId: number,
  buyerExternalId: string,
  at: number,
): Promise<Map<Currency, number>> {
  const { rows } = await sql<{ currency: Currency; amount: number }>`
    with paid as materialized (
      select p.external_id, p.currency, p.amount
      from invoices i
      join invoice_payments p on p.platform_id = ${platformId} and p.invoice_external_id = i.external_id
      where i.platform_id = ${platformId} and i.buyer_external_id = ${buyerExternalId} and p.received_by = 'PLATFORM'
        and p.created_at <= ${at} and (p.reversed_at is null or p.reversed_at > ${at})
    )
    select currency, sum(amount)::bigint as amount from (
      select currency, amount::bigint from paid
      union all
      select p.currency, -(a.fee_amount + a.goods_amount)::bigint
      from paid p
      join payment_allocations a on a.platform_id = ${platformId} and a.payment_external_id = p.external_id
      where a.allocated_at <= ${at}
      union all
      select p.currency, -a.amount::bigint
      from paid p
      join late_charge_allocations a on a.platform_id = ${platformId} and a.payment_external_id = p.external_id
      where a.allocated_at <= ${at}
    ) money
    group by currency having sum(amount) <> 0`.execute(db);
  return new Map(rows.map(({ currency, amount }) => [currency, amount]));
}
