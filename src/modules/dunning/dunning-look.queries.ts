/** Invoices whose next look is due: found by its instant, and read with everything that their buyers owe. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { arrayOf } from '#infra/database/unnest-rows';
import { dueColumn } from '#infra/time/due-column.queries';
import type { Currency } from '#kernel/currency';
import type { DunningPause } from '#modules/invoices';

/** Invoices with a look to come: none without a plan. */
export const lookingAt = dueColumn({
  table: 'invoices',
  column: 'dunning_at',
  key: 'external_id',
  resource: 'invoice',
  trigger: 'remind',
});

/** A buyer that owes more invoices gets a mailing about these, and another one about the rest. */
const INVOICES_OF_BUYER_MAX = 500;

/**
 * The invoices of the buyers of these invoices: those whose look is due by `until` (unix seconds), then those that are due before the
 * day `dueBy`, the oldest first. At most 500 for each buyer.
 */
export async function listInvoicesOfLook(
  db: Db,
  platformId: number,
  externalIds: readonly string[],
  { until, dueBy }: { until: number; dueBy: string },
): Promise<string[]> {
  const { rows } = await sql<{ external_id: string }>`
    with looked_at as materialized (
      select distinct buyer_external_id from invoices
      where platform_id = ${platformId} and external_id = any(${arrayOf('text', externalIds)}) and dunning_at <= ${until}
    )
    select i.external_id from looked_at b
    cross join lateral (
      select external_id, due_on, dunning_at from invoices
      where platform_id = ${platformId} and buyer_external_id = b.buyer_external_id and status in ('OPEN', 'DUE')
        and (dunning_at <= ${until} or due_on < ${dueBy})
      order by (dunning_at <= ${until}) desc, due_on, external_id limit ${INVOICES_OF_BUYER_MAX}
    ) i`.execute(db);
  return rows.map(({ external_id }) => external_id);
}

/** An invoice whose reminders are under way. */
export interface ListedDunning {
  invoice_external_id: string;
  buyer_external_id: string;
  merchant_external_id: string;
  status: string;
  step: number | null;
  kind: string | null;
  stepped_at: number | null;
  next_at: number | null;
  paused_by: DunningPause | null;
  outstanding_amount: number;
  currency: Currency;
}

/** Invoices whose reminders are under way: paused by a cause, at a kind of step, or all. The longest unchanged first. */
export async function listDunnings(
  db: Db,
  platformId: number,
  { pausedBy, kind, limit }: { pausedBy: string | null; kind: string | null; limit: number },
): Promise<ListedDunning[]> {
  const { rows } = await sql<ListedDunning>`
    select d.invoice_external_id, i.buyer_external_id, i.merchant_external_id, d.status, d.step, d.kind, d.stepped_at,
      d.next_at, d.paused_by, i.outstanding_amount, i.currency
    from invoice_dunnings d
    join invoices i on i.platform_id = ${platformId} and i.external_id = d.invoice_external_id
    where d.platform_id = ${platformId} and d.status <> 'ENDED'
      and (${pausedBy}::text is null or d.paused_by = ${pausedBy}) and (${kind}::text is null or d.kind = ${kind})
    order by d.updated_at, d.external_id limit ${limit}`.execute(db);
  return rows;
}
