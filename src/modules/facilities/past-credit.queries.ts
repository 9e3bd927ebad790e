/** How past credit was used and lost, for a back-test of policies: read from the ledger and the overdue invoices. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { DAY_SECONDS } from '#kernel/day';
import type { PastAuthorization, PastCredit, PastLoss } from '#modules/underwriting';

/** An invoice counts as a loss 90 days past due, the usual definition of default. */
const LOSS_AFTER_DAYS = 90;

/** All authorizations and losses of a platform, the oldest first; `now` in unix seconds. */
export async function readPastCredit(db: Db, platformId: number, now: number): Promise<PastCredit> {
  const [authorizations, losses] = await Promise.all([
    findAuthorizations(db, platformId),
    findLosses(db, platformId, now),
  ]);
  return { authorizations, losses };
}

/** Orders from their reservation until nothing of them or of their invoices is reserved or used. */
async function findAuthorizations(db: Db, platformId: number): Promise<PastAuthorization[]> {
  const { rows } = await sql<{
    buyer_external_id: string;
    subject: string;
    currency: PastAuthorization['currency'];
    amount: number;
    began_at: number;
    ended_at: number | null;
  }>`
    with invoiced as (
      select buyer_external_id, invoice_external_id, min(order_external_id) as order_external_id
      from facility_ledger where platform_id = ${platformId} and cause = 'ORDER_INVOICED'
      group by buyer_external_id, invoice_external_id
    ), taken as (
      select l.buyer_external_id, l.recorded_at, l.used_change + l.pending_orders_change as change,
        coalesce(l.order_external_id, i.order_external_id, l.invoice_external_id) as subject
      from facility_ledger l left join invoiced i using (buyer_external_id, invoice_external_id)
      where l.platform_id = ${platformId} and (l.order_external_id is not null or l.invoice_external_id is not null)
    )
    select t.buyer_external_id, t.subject, f.currency, sum(greatest(t.change, 0))::bigint as amount,
      min(t.recorded_at) as began_at, case when sum(t.change) = 0 then max(t.recorded_at) end as ended_at
    from taken t join facilities f on f.platform_id = ${platformId} and f.buyer_external_id = t.buyer_external_id
    group by t.buyer_external_id, t.subject, f.currency
    having sum(greatest(t.change, 0)) > 0
    order by began_at, t.buyer_external_id, t.subject`.execute(db);
  return rows.map((row) => ({
    buyerExternalId: row.buyer_external_id,
    orderExternalId: row.subject,
    amountMinor: row.amount,
    currency: row.currency,
    from: row.began_at,
    until: row.ended_at,
  }));
}

async function findLosses(db: Db, platformId: number, now: number): Promise<PastLoss[]> {
  const rows = await db
    .selectFrom('overdue_invoices')
    .select(['buyer_external_id', 'currency', 'outstanding_amount'])
    .where('platform_id', '=', platformId)
    .where('due_at', '<=', now - LOSS_AFTER_DAYS * DAY_SECONDS)
    .orderBy('due_at')
    .execute();
  return rows.map((row) => ({
    buyerExternalId: row.buyer_external_id,
    orderExternalId: null,
    amountMinor: row.outstanding_amount,
    currency: row.currency as PastLoss['currency'],
  }));
}
