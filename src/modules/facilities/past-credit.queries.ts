/** How past credit was used and lost, for a back-test of policies: read from the ledger and the defaults. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { PastAuthorization, PastCredit, PastDefault } from '#modules/underwriting';
import { FACILITY_CYCLE_DAYS, RENEWAL_LEAD_DAYS } from './facility.lifecycle.ts';

/** All authorizations and defaults of a platform, the oldest first. */
export async function readPastCredit(db: Db, platformId: number): Promise<PastCredit> {
  const [authorizations, defaults] = await Promise.all([
    findAuthorizations(db, platformId),
    findDefaults(db, platformId),
  ]);
  // A renewal can come 14 days before the end of the period, and its new period starts at that end.
  return { limitDays: FACILITY_CYCLE_DAYS + RENEWAL_LEAD_DAYS, authorizations, defaults };
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
      select l.buyer_external_id, l.effective_at, l.used_change + l.pending_orders_change as change,
        -- A reversed payment takes only what was already taken.
        case when l.cause = 'INVOICE_REOPENED' then 0 else greatest(l.used_change + l.pending_orders_change, 0) end as authorized,
        coalesce(l.order_external_id, i.order_external_id, l.invoice_external_id) as subject
      from facility_ledger l left join invoiced i using (buyer_external_id, invoice_external_id)
      where l.platform_id = ${platformId} and (l.order_external_id is not null or l.invoice_external_id is not null)
    )
    select t.buyer_external_id, t.subject, f.currency, sum(t.authorized)::bigint as amount,
      min(t.effective_at) as began_at, case when sum(t.change) = 0 then max(t.effective_at) end as ended_at
    from taken t join facilities f on f.platform_id = ${platformId} and f.buyer_external_id = t.buyer_external_id
    group by t.buyer_external_id, t.subject, f.currency
    having sum(t.authorized) > 0
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

/** Defaults of invoices that used credit. Any other default is a loss of its merchant and not due to a credit decision. */
async function findDefaults(db: Db, platformId: number): Promise<PastDefault[]> {
  const { rows } = await sql<{
    buyer_external_id: string;
    subject: string;
    currency: PastDefault['currency'];
    amount: number;
    defaulted_at: number;
    changes: PastDefault['changes'];
  }>`
    select d.buyer_external_id, l.subject, d.currency, d.amount,
      extract(epoch from d.defaulted_on)::bigint as defaulted_at, (
        select coalesce(json_agg(json_build_object('kind', c.kind, 'at', extract(epoch from c.changed_on)::bigint,
          'amountMinor', c.amount) order by c.changed_on, c.source_id, c.kind), '[]')
        from invoice_default_changes c
        where c.platform_id = ${platformId} and c.buyer_external_id = d.buyer_external_id
          and c.invoice_external_id = d.invoice_external_id
      ) as changes
    from invoice_defaults d
    join (
      select buyer_external_id, invoice_external_id, min(coalesce(order_external_id, invoice_external_id)) as subject
      from facility_ledger
      where platform_id = ${platformId} and cause in ('ORDER_INVOICED', 'INVOICE_FINANCED')
      group by buyer_external_id, invoice_external_id
    ) l on l.buyer_external_id = d.buyer_external_id and l.invoice_external_id = d.invoice_external_id
    where d.platform_id = ${platformId}
    order by d.defaulted_on, d.buyer_external_id, d.invoice_external_id`.execute(db);
  return rows.map((row) => ({
    buyerExternalId: row.buyer_external_id,
    orderExternalId: row.subject,
    currency: row.currency,
    defaultedAt: row.defaulted_at,
    amountMinor: row.amount,
    changes: row.changes,
  }));
}
