/** The orders that reserve a buyer's credit. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { Currency } from '#kernel/currency';
import { statesHoldingCredit } from '#kernel/lifecycle';
import { orderLifecycle } from './order.lifecycle.ts';

const STATUSES = statesHoldingCredit(orderLifecycle);

export interface ReservingOrder {
  external_id: string;
  currency: Currency;
  /** The amount that is still reserved, without the invoiced part. */
  reserved_amount: number;
}

/** Latest first, at most `countMax`, with the count and the sum (minor units) of all of them. */
export async function listReservingOrders(
  db: Db,
  platformId: number,
  buyerExternalId: string,
  countMax: number,
): Promise<{ items: ReservingOrder[]; count: number; sumMinor: number }> {
  const { rows } = await sql<ReservingOrder & { count: number; sum: number }>`
    select external_id, currency, reserved_amount, (count(*) over ())::int as count,
      (sum(reserved_amount) over ())::bigint as sum
    from orders
    where platform_id = ${platformId} and buyer_external_id = ${buyerExternalId} and status = any(${STATUSES}::text[])
      and reserved_amount > 0
    order by created_at desc, external_id limit ${countMax}`.execute(db);
  return { items: rows, count: rows[0]?.count ?? 0, sumMinor: rows[0]?.sum ?? 0 };
}
