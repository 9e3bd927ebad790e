/** Overdue invoices of each buyer. Invoices write them; buyers show them, and credit decisions use them. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { inlineOnCluster } from '#infra/database/one-node';
import { namesOf } from '#infra/database/table';
import { arrayOf, unnestRows } from '#infra/database/unnest-rows';
import type { Currency } from '#kernel/currency';
import { unnestBuyerKeys } from './buyer-keys.ts';

export interface OverdueKey {
  platformId: number;
  buyerExternalId: string;
  invoiceExternalId: string;
}

/** An unpaid instalment of a DUE invoice, which may have its own due day in the future. */
export interface OwedInstalment extends OverdueKey {
  /** Its number on the invoice, from 1. */
  installment: number;
  /** Unix seconds. */
  dueAt: number;
  currency: Currency;
  /** Above 0. */
  outstandingMinor: number;
}

const INVOICE_KEY = {
  platform_id: ['int', 'platformId'],
  buyer_external_id: ['text', 'buyerExternalId'],
  invoice_external_id: ['text', 'invoiceExternalId'],
} as const;
const INSTALMENT = {
  ...INVOICE_KEY,
  installment: ['int', 'installment'],
  due_at: ['bigint', 'dueAt'],
  currency: ['text', 'currency'],
  outstanding_amount: ['bigint', 'outstandingMinor'],
} as const;
const KEY_NAMES = namesOf(Object.keys(INVOICE_KEY));
const REST_NAMES = namesOf(Object.keys(INSTALMENT).filter((name) => name !== 'platform_id'));
const unnestInvoiceKeys = unnestRows<OverdueKey>('k', INVOICE_KEY);
const unnestInstalments = unnestRows<OwedInstalment>('t', INSTALMENT);

/**
 * Records every unpaid instalment of invoices that became due, or whose outstanding amount changed while due, and removes
 * those that are no longer due: paid, cancelled or postponed. Ignores unknown invoices. Writes `overdue_since` of the buyers; their
 * version is unchanged, because it counts only changes of fields that a PUT replaces. Runs in the caller's transaction, and locks
 * the buyers in the order of their keys, after facility, order and invoice.
 */
export async function recordOverdueInvoices(
  db: Db,
  unpaid: readonly OwedInstalment[],
  ended: readonly OverdueKey[] = [],
): Promise<void> {
  const of = (platformId: number) => (key: OverdueKey) => key.platformId === platformId;
  const platformIds = [...unpaid, ...ended].map(({ platformId }) => platformId);
  for (const platformId of new Set(platformIds.toSorted((one, other) => one - other)))
    await recordOnPlatform(db, platformId, unpaid.filter(of(platformId)), ended.filter(of(platformId)));
}

async function recordOnPlatform(
  db: Db,
  platformId: number,
  unpaid: readonly OwedInstalment[],
  ended: readonly OverdueKey[],
): Promise<void> {
  const buyerIds = [...new Set([...unpaid, ...ended].map(({ buyerExternalId }) => buyerExternalId))];
  const buyers = unnestBuyerKeys(buyerIds.map((buyerExternalId) => ({ platformId, buyerExternalId })));
  await sql`
    with input as ${inlineOnCluster(db)} (
      select * from ${unnestInstalments(unpaid)}
    ), ended as (
      delete from overdue_invoices
      where platform_id = ${platformId} and (${KEY_NAMES}) in (select ${KEY_NAMES} from input union all select * from ${unnestInvoiceKeys(ended)})
        and (${KEY_NAMES}, installment) not in (select ${KEY_NAMES}, installment from input)
    ), written as (
      insert into overdue_invoices (platform_id, ${REST_NAMES})
      select ${platformId}::int, ${REST_NAMES} from input
      order by ${KEY_NAMES}, installment
      on conflict (${KEY_NAMES}, installment)
        do update set due_at = excluded.due_at, outstanding_amount = excluded.outstanding_amount
    )
    select 1 from buyers
    where platform_id = ${platformId} and external_id = any(${arrayOf('text', buyerIds)})
    order by external_id for no key update`.execute(db);
  // A second statement, under the lock, sees every invoice that a concurrent transaction recorded.
  await sql`
    update buyers b set overdue_since = oldest.due_at
    from ${buyers} cross join lateral (
      select min(o.due_at) as due_at from overdue_invoices o
      where o.platform_id = k.platform_id and o.buyer_external_id = k.buyer_external_id
    ) oldest
    where b.platform_id = k.platform_id and b.external_id = k.buyer_external_id
      and b.overdue_since is distinct from oldest.due_at`.execute(db);
}
