/** Invoices whose reminders are to be looked at: found by their instant, read with all that their buyers owe. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { dueColumn } from '#infra/time/due-column.queries';
import type { Currency } from '#kernel/currency';
import { DUNNING_LEAD_SECONDS, type DunningPause } from '#modules/invoices';

/** Invoices to look at: none for which there is no plan. */
export const lookingAt = dueColumn({
  table: 'invoices',
  column: 'dunning_at',
  key: 'external_id',
  resource: 'invoice',
  trigger: 'remind',
});

/** A buyer that owes more invoices gets a mailing about these, and another one about the others. */
const INVOICES_OF_BUYER_MAX = 500;

/**
 * What the buyers of these invoices have to be reminded of: invoices to be looked at by `until` (unix seconds), and all that
 * are due by a day, the oldest first.
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
      where platform_id = ${platformId} and external_id = any(${externalIds}::text[]) and dunning_at <= ${until}
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

/** What of invoices is looked at again, now. */
export interface LookScope {
  scope: 'PLATFORM' | 'MERCHANT' | 'BUYER' | 'INVOICE';
  /** Empty for the platform. */
  externalId: string;
}

const columnOf: Record<LookScope['scope'], string | null> = {
  PLATFORM: null,
  MERCHANT: 'i.merchant_external_id',
  BUYER: 'i.buyer_external_id',
  INVOICE: 'i.external_id',
};

/** As many rows as a statement changes within its time limit. */
const LOOKED_AGAIN_MAX = 10_000;

/**
 * Lets the worker look again at invoices whose reminders have begun, because what is to come of them has changed, and at those
 * that have a plan now and had none. Those that have none any more are not looked at. At others it looks before their first
 * step anyway.
 */
export async function lookAgain(db: Db, platformId: number, scope: LookScope, now: number): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; )
    after = await lookAgainAfter(db, platformId, { ...scope, after }, now);
}

/** Returns the last invoice where there may be more. */
async function lookAgainAfter(
  db: Db,
  platformId: number,
  { scope, externalId, after }: LookScope & { after: string },
  now: number,
): Promise<string | undefined> {
  const column = columnOf[scope];
  const inScope = column === null ? sql`true` : sql`${sql.ref(column)} = ${externalId}`;
  const { rows } = await sql<{ changed: number; last: string | null }>`
    with again as materialized (
      select i.external_id, k.is_under_way, k.is_reminded
      from invoices i
      cross join lateral (
        select exists (
          select from invoice_dunnings d
          where d.platform_id = ${platformId} and d.invoice_external_id = i.external_id and d.status <> 'ENDED'
        ) as is_under_way, exists (
          select from reminded_parties r
          where r.platform_id = ${platformId} and (r.merchant_external_id, r.buyer_external_id) in
            (('', ''), (i.merchant_external_id, ''), ('', i.buyer_external_id))
        ) as is_reminded
      ) k
      where i.platform_id = ${platformId} and i.status in ('OPEN', 'DUE') and ${inScope} and i.external_id > ${after}
        and (k.is_under_way or k.is_reminded = (i.dunning_at is null))
      order by i.external_id limit ${LOOKED_AGAIN_MAX} for no key update of i
    ), changed as (
      update invoices i set dunning_at = case
        when a.is_under_way then ${now}::bigint
        when a.is_reminded then greatest(i.due_at - ${DUNNING_LEAD_SECONDS}::bigint, ${now}::bigint)
      end
      from again a where i.platform_id = ${platformId} and i.external_id = a.external_id
    )
    select count(*)::int as changed, max(external_id) as last from again`.execute(db);
  const { changed = 0, last = null } = rows[0] ?? {};
  return changed < LOOKED_AGAIN_MAX || last === null ? undefined : last;
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

/** Invoices whose reminders are under way: paused by a cause, at a kind of step, or all; the longest unchanged first. */
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
