/** Disputes with their history. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { type NewRowOf, type RowOf, table, text } from '#infra/database/table';
import { arrayOf } from '#infra/database/unnest-rows';
import type { Currency } from '#kernel/currency';
import type { Transition } from '#kernel/lifecycle';
import type { CursorPage } from '#operation/list';
import { type ListContext, type ListTable, listRows } from '#operation/list-table.queries';
import type { DisputeStatus, DisputeTrigger } from './dispute.lifecycle.ts';
import type { DisputeReason } from './dispute.schemas.ts';

const disputesTable = table('disputes', {
  platform_id: 'int',
  external_id: 'text',
  status: text<DisputeStatus>(),
  version: 'int',
  invoice_external_id: 'text',
  buyer_external_id: 'text',
  merchant_external_id: 'text',
  created_at: 'bigint',
  updated_at: 'bigint',
  opened_on: 'text',
  decided_on: 'text',
  reason: text<DisputeReason>(),
  line_number: 'int',
  currency: text<Currency>(),
  amount: 'bigint',
  accepted_amount: 'bigint',
  is_pausing: 'boolean',
  invoice_paid_amount: 'bigint',
  comment_sealed: 'bytea',
  decision_sealed: 'bytea',
  file_external_ids: 'text[]',
  credit_note_external_id: 'text',
  opened_by: 'text',
  decided_by: 'text',
});

/** An amount of an invoice that its buyer contests. */
export type DisputeRow = RowOf<typeof disputesTable>;

export interface DisputeKey {
  platformId: number;
  externalId: string;
}

/** A transition of a dispute, with the dispute after it. */
export interface DisputeTransition {
  dispute: DisputeRow;
  transition: Transition<DisputeStatus, DisputeTrigger>;
  actor: string;
  commentSealed: Buffer | null;
}

/** Returns undefined and writes nothing if the external_id is taken. */
export async function insertDispute(
  db: Db,
  platformId: number,
  dispute: Omit<NewRowOf<typeof disputesTable>, 'platform_id'>,
): Promise<DisputeRow | undefined> {
  return db
    .insertInto('disputes')
    .values(disputesTable.insertable({ ...dispute, platform_id: platformId }))
    .onConflict((oc) => oc.columns(['platform_id', 'external_id']).doNothing())
    .returning(disputesTable.columns)
    .$castTo<DisputeRow>()
    .executeTakeFirst();
}

/** Writes the columns that a decision changes. The invoice of the dispute is locked. */
export async function updateDispute(
  db: Db,
  { platformId, externalId }: DisputeKey,
  changes: Partial<DisputeRow>,
): Promise<DisputeRow> {
  return db
    .updateTable('disputes')
    .set(disputesTable.updateable(changes))
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .returning(disputesTable.columns)
    .$castTo<DisputeRow>()
    .executeTakeFirstOrThrow();
}

/** Writes the history row of a transition. */
export async function writeDisputeTransition(
  db: Db,
  platformId: number,
  { dispute, transition, actor, commentSealed }: DisputeTransition,
): Promise<void> {
  await db
    .insertInto('dispute_transitions')
    .values({
      platform_id: platformId,
      dispute_external_id: dispute.external_id,
      version: dispute.version,
      from_status: transition.from,
      to_status: transition.to,
      trigger: transition.trigger,
      transitioned_at: dispute.updated_at,
      actor,
      comment_sealed: commentSealed,
    })
    .execute();
}

/** Returns undefined for an unknown dispute. The lock of its invoice is also its lock. */
export async function findDispute(
  db: Db,
  { platformId, externalId }: DisputeKey,
): Promise<DisputeRow | undefined> {
  return db
    .selectFrom('disputes')
    .select(disputesTable.columns)
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .$castTo<DisputeRow>()
    .executeTakeFirst();
}

/** Whether a credit note of the invoice belongs to an accepted dispute. */
export async function isDisputeCredited(
  db: Db,
  { platformId, invoice, creditNote }: { platformId: number; invoice: string; creditNote: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('disputes')
    .select('external_id')
    .where('platform_id', '=', platformId)
    .where('invoice_external_id', '=', invoice)
    .where('credit_note_external_id', '=', creditNote)
    .executeTakeFirst();
  return row !== undefined;
}

/** All disputes of an invoice, earliest first. */
export async function listDisputesOfInvoice(
  db: Db,
  { platformId, externalId }: DisputeKey,
): Promise<DisputeRow[]> {
  return db
    .selectFrom('disputes')
    .select(disputesTable.columns)
    .where('platform_id', '=', platformId)
    .where('invoice_external_id', '=', externalId)
    .orderBy('ordinal')
    .$castTo<DisputeRow>()
    .execute();
}

const DISPUTES: ListTable<{ invoice_external_id: string[] }> = {
  table: 'disputes',
  key: 'ordinal',
  of: 'invoice_external_id',
  sort: 'ordinal',
  values: ['invoice_external_id'],
  ranges: [],
};

/** A page of the disputes of an invoice, earliest first. */
export async function listDisputeRows(context: ListContext, externalId: string, page: CursorPage) {
  const ofInvoice = { invoice_external_id: [externalId] };
  return listRows<typeof ofInvoice, DisputeRow>(context, DISPUTES, ofInvoice, page, disputesTable.of('t'));
}

/** Disputes of the platform with one of these statuses, latest first. */
export async function listDisputesByStatus(
  db: Db,
  platformId: number,
  { statuses, limit }: { statuses: readonly DisputeStatus[]; limit: number },
): Promise<DisputeRow[]> {
  const { rows } = await sql<DisputeRow>`
    select ${disputesTable.of('d')} from disputes d
    where d.platform_id = ${platformId} and d.status = any(${statuses}::text[])
    order by d.ordinal desc limit ${limit}`.execute(db);
  return rows;
}

/** The sum that open disputes of an invoice contest, in minor units. It can exceed what is still outstanding. */
export async function sumOpenDisputes(
  db: Db,
  { platformId, externalId }: DisputeKey,
): Promise<{ disputedMinor: number; pausedMinor: number }> {
  const { rows } = await sql<{ disputedMinor: number; pausedMinor: number }>`
    select coalesce(sum(amount), 0)::bigint as "disputedMinor",
      coalesce(sum(amount) filter (where is_pausing), 0)::bigint as "pausedMinor"
    from disputes
    where platform_id = ${platformId} and invoice_external_id = ${externalId} and status = 'OPEN'`.execute(
    db,
  );
  return rows[0] as { disputedMinor: number; pausedMinor: number };
}

/** The open dispute about a line of an invoice, if one exists. */
export async function findOpenDisputeOfLine(
  db: Db,
  { platformId, externalId }: DisputeKey,
  lineNumber: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ external_id: string }>`
    select external_id from disputes
    where platform_id = ${platformId} and invoice_external_id = ${externalId} and line_number = ${lineNumber}
      and status = 'OPEN'`.execute(db);
  return rows[0]?.external_id;
}

/**
 * The amounts that open disputes pause, by the external_ids of the invoices: minor units, at most the outstanding amount. Invoices
 * without a paused amount are missing.
 */
export async function disputedAmounts(
  db: Db,
  platformId: number,
  invoiceExternalIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ invoice: string; minor: number }>`
    select i.external_id as invoice, least(sum(d.amount), i.outstanding_amount)::bigint as minor
    from disputes d
    join invoices i on i.platform_id = ${platformId} and i.external_id = d.invoice_external_id
    where d.platform_id = ${platformId} and d.invoice_external_id = any(${arrayOf('text', invoiceExternalIds)})
      and d.status = 'OPEN' and d.is_pausing and i.outstanding_amount > 0
    group by i.external_id, i.outstanding_amount`.execute(db);
  return new Map(rows.map(({ invoice, minor }) => [invoice, minor]));
}

/**
 * The amounts that disputes contested at an instant, by the external_ids of the invoices, in minor units. They can exceed what was
 * outstanding.
 */
export async function disputedAt(
  db: Db,
  platformId: number,
  invoiceExternalIds: readonly string[],
  at: number,
): Promise<Map<string, number>> {
  // A dispute changes only once, when it is decided.
  const { rows } = await sql<{ invoice: string; minor: number }>`
    select invoice_external_id as invoice, sum(amount)::bigint as minor
    from disputes
    where platform_id = ${platformId} and invoice_external_id = any(${arrayOf('text', invoiceExternalIds)})
      and created_at <= ${at} and (status = 'OPEN' or updated_at > ${at})
    group by invoice_external_id`.execute(db);
  return new Map(rows.map(({ invoice, minor }) => [invoice, minor]));
}

/** A dispute that pauses or paused its amount. */
export type PausingDispute = Pick<
  DisputeRow,
  | 'invoice_external_id'
  | 'opened_on'
  | 'decided_on'
  | 'amount'
  | 'accepted_amount'
  | 'credit_note_external_id'
>;

/** The disputes of invoices that pause or paused their amounts, earliest first. */
export async function listPausingDisputes(
  db: Db,
  platformId: number,
  invoiceExternalIds: readonly string[],
): Promise<PausingDispute[]> {
  const { rows } = await sql<PausingDispute>`
    select invoice_external_id, opened_on, decided_on, amount, accepted_amount, credit_note_external_id
    from disputes
    where platform_id = ${platformId} and invoice_external_id = any(${arrayOf('text', invoiceExternalIds)}) and is_pausing
    order by ordinal`.execute(db);
  return rows;
}
