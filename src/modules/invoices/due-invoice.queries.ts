/** Invoices that fall due, and DUE invoices that default: found, locked and written in batches. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { storedPlatform } from '#infra/database/one-node';
import { namesOf } from '#infra/database/table';
import { arrayOf, unnestRows } from '#infra/database/unnest-rows';
import { dueColumn } from '#infra/time/due-column.queries';
import type { Transition } from '#kernel/lifecycle';
import type { InvoiceEventColumns } from './invoice.events.ts';
import type { InvoiceStatus, InvoiceTrigger } from './invoice.lifecycle.ts';
import type { InstalmentRow, InvoiceColumns } from './invoice.queries.ts';

/** OPEN invoices whose due day ends. */
export const fallingDue = dueColumn({
  table: 'invoices',
  column: 'falls_due_at',
  key: 'external_id',
  resource: 'invoice',
  trigger: 'become_due' satisfies InvoiceTrigger,
});

/** DUE invoices to be judged for default. A default is not a transition. */
export const defaulting = dueColumn({
  table: 'invoices',
  column: 'defaults_at',
  key: 'external_id',
  resource: 'invoice',
  trigger: 'default',
});

/** An OPEN invoice whose due day has ended, in the time zone of its platform. */
export type FallingInvoice = Pick<InvoiceColumns, 'external_id' | 'status' | 'due_on' | 'defaulted_on'> & {
  time_zone: string;
};

/** Locks the invoices among these that are due by `until` (unix seconds), in the order of their keys. */
export async function lockFallingDue(
  db: Db,
  platformId: number,
  externalIds: readonly string[],
  until: number,
): Promise<FallingInvoice[]> {
  return db
    .selectFrom('invoices')
    .select(['external_id', 'status', 'due_on', 'defaulted_on'])
    .select(sql`(select p.time_zone from platforms p where p.platform_id = ${platformId})`.as('time_zone'))
    .$castTo<FallingInvoice>()
    .where('platform_id', '=', platformId)
    .where(sql<boolean>`external_id = any(${arrayOf('text', externalIds)})`)
    .where('falls_due_at', '<=', until)
    .orderBy('external_id')
    .forNoKeyUpdate()
    .execute();
}

const DUE_COLUMNS = [
  'platform_id',
  'external_id',
  'buyer_external_id',
  'merchant_external_id',
  'version',
  'status',
  'updated_at',
  'due_at',
  'currency',
  'amount_net',
  'amount_tax',
  'amount_gross',
  'paid_amount',
  'credited_amount',
  'outstanding_amount',
  'paused_amount',
] as const satisfies readonly (keyof DueInvoice)[];

/** An invoice that has just turned DUE. Its lines and addresses are not read because they are large. */
export interface DueInvoice extends InvoiceEventColumns, Pick<InvoiceColumns, 'paused_amount'> {
  installments: InstalmentRow[];
}

export interface FallenDue {
  externalId: string;
  /** When it is to be judged for default, in unix seconds; null if it was judged already. */
  defaultsAt: number | null;
}

const unnestFallen = unnestRows<FallenDue>('t', {
  external_id: ['text', 'externalId'],
  defaults_at: ['bigint', 'defaultsAt'],
});

/** Writes the transitions of locked invoices and their history in one statement. Returns the invoices in the order of their keys. */
export async function writeFallenDue(
  db: Db,
  platformId: number,
  fallen: readonly FallenDue[],
  {
    transition,
    actor,
    now,
  }: { transition: Transition<InvoiceStatus, InvoiceTrigger>; actor: string; now: number },
): Promise<DueInvoice[]> {
  const stored = storedPlatform(db, platformId, 'invoices', sql`stored.external_id = c.external_id`);
  const { rows } = await sql<DueInvoice>`
    with changed as (
      update invoices i set status = ${transition.to}, falls_due_at = null, defaults_at = t.defaults_at,
        version = i.version + 1, updated_at = greatest(i.updated_at, ${now}::bigint)
      from ${unnestFallen(fallen)}
      where i.platform_id = ${platformId} and i.external_id = t.external_id
      returning i.*
    ), history as (
      insert into invoice_transitions (platform_id, invoice_external_id, version, from_status, to_status, trigger,
        transitioned_at, actor)
      select ${stored.platformId}, c.external_id, c.version, ${transition.from}, c.status, ${transition.trigger}, c.updated_at, ${actor}
      from changed c ${stored.join} order by c.external_id
    )
    select ${namesOf(DUE_COLUMNS)}, (
      select json_agg(p order by p.number) from invoice_installments p
      where p.platform_id = ${platformId} and p.invoice_external_id = c.external_id
    ) as installments
    from changed c order by external_id`.execute(db);
  return rows;
}

/** The columns that decide whether an invoice has defaulted. */
export type DefaultingInvoice = Pick<
  InvoiceColumns,
  'external_id' | 'buyer_external_id' | 'currency' | 'outstanding_amount' | 'paused_amount'
>;

/** Locks the invoices among these that are to be judged by `until` (unix seconds), in the order of their keys. */
export async function lockDefaulting(
  db: Db,
  platformId: number,
  externalIds: readonly string[],
  until: number,
): Promise<DefaultingInvoice[]> {
  return db
    .selectFrom('invoices')
    .select(['external_id', 'buyer_external_id', 'currency', 'outstanding_amount', 'paused_amount'])
    .$castTo<DefaultingInvoice>()
    .where('platform_id', '=', platformId)
    .where(sql<boolean>`external_id = any(${arrayOf('text', externalIds)})`)
    .where('defaults_at', '<=', until)
    .orderBy('external_id')
    .forNoKeyUpdate()
    .execute();
}

/** Records that invoices were judged: `defaulted` have defaulted on this day. Increments the version if the API shows the change. */
export async function writeJudged(
  db: Db,
  platformId: number,
  judged: readonly string[],
  defaulted: readonly string[],
  day: string,
): Promise<void> {
  await sql`
    update invoices set defaults_at = null,
      defaulted_on = case when external_id = any(${defaulted}::text[]) then ${day} else defaulted_on end
    where platform_id = ${platformId} and external_id = any(${arrayOf('text', judged)})`.execute(db);
}
