/** The amounts that a buyer still owes, for invoices and for late charges. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { Currency } from '#kernel/currency';
import type { Page } from '#operation/list';

export interface OwedSum {
  currency: Currency;
  /** The amount owed for invoices, in minor units. */
  principal: number;
  /** The part of the principal that was due before today. */
  overdue: number;
  lateCharges: number;
  invoices: number;
}

const OPEN_ITEMS = (platformId: number, buyerExternalId: string) => sql`
  select external_id from invoices
  where platform_id = ${platformId} and buyer_external_id = ${buyerExternalId} and status in ('OPEN', 'DUE')
    and outstanding_amount > 0
  union
  select invoice_external_id from late_charges
  where platform_id = ${platformId} and buyer_external_id = ${buyerExternalId} and status = 'OPEN'`;

/** The invoices that are not fully paid, earliest due first. */
export async function listOpenItemIds(
  db: Db,
  platformId: number,
  buyerExternalId: string,
  page: Page,
): Promise<string[]> {
  const { rows } = await sql<{ external_id: string }>`
    select i.external_id from (${OPEN_ITEMS(platformId, buyerExternalId)}) o
    join invoices i on i.platform_id = ${platformId} and i.external_id = o.external_id
    order by i.due_at, i.external_id limit ${page.limit} offset ${page.offset}`.execute(db);
  return rows.map(({ external_id }) => external_id);
}

/** The sums by currency. @param today The calendar day in the platform's time zone. */
export async function sumOpenItems(
  db: Db,
  platformId: number,
  buyerExternalId: string,
  today: string,
): Promise<OwedSum[]> {
  const { rows } = await sql<OwedSum>`
    select i.currency, count(*)::int as invoices, sum(i.outstanding_amount)::bigint as principal,
      coalesce(sum(d.overdue), 0)::bigint as overdue,
      coalesce(sum(c.owed), 0)::bigint as "lateCharges"
    from (${OPEN_ITEMS(platformId, buyerExternalId)}) o
    join invoices i on i.platform_id = ${platformId} and i.external_id = o.external_id
    left join lateral (
      select sum(outstanding_amount) as owed from late_charges
      where platform_id = ${platformId} and invoice_external_id = i.external_id
    ) c on true
    left join lateral (
      select sum(amount + fee_amount - paid_amount - credited_amount) as overdue from invoice_installments
      where platform_id = ${platformId} and invoice_external_id = i.external_id and due_on < ${today}
        and i.outstanding_amount > 0
    ) d on true
    group by i.currency order by i.currency`.execute(db);
  return rows;
}
