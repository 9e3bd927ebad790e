/**
 * Rescans: after a change of a plan or a stop, the worker reads the open invoices that it concerns in batches, each in its own
 * transaction, and sets their next looks. The change itself stays short, regardless of the number of invoices.
 */
import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { lockOnPlatform } from '#infra/database/platform-lock';
import { type RowOf, table, text } from '#infra/database/table';
import { dueColumn } from '#infra/time/due-column.queries';
import { DUNNING_LEAD_SECONDS } from '#modules/invoices';

/** The invoices that get a new look. */
export interface LookScope {
  scope: 'PLATFORM' | 'MERCHANT' | 'BUYER' | 'INVOICE';
  /** Empty for the platform. */
  externalId: string;
}

const rescansTable = table('dunning_rescans', {
  platform_id: 'int',
  rescan_id: 'text',
  due_at: 'bigint',
  scope: text<RescanScope>(),
  scope_external_id: 'text',
  status: text<OwedStatus>(),
  last_created_at: 'bigint',
  last_external_id: 'text',
});

type RescanScope = Exclude<LookScope['scope'], 'INVOICE'>;
/** In this order, because an invoice can become DUE while others are read. */
const OWED_STATUSES = ['OPEN', 'DUE'] as const;
type OwedStatus = (typeof OWED_STATUSES)[number];

/** The next batch of invoices to read after a change. */
export type RescanRow = RowOf<typeof rescansTable>;

/** Batches of invoices to read. */
export const dueRescans = dueColumn({
  table: 'dunning_rescans',
  column: 'due_at',
  key: 'rescan_id',
  resource: 'invoice',
  trigger: 'rescan',
});

/** The number of invoices that a batch reads, and may lock: payments wait for it. */
const BATCH_MAX = 1_000;

/**
 * Schedules looks for invoices whose reminders have begun, because their next steps have changed, and for invoices that got a plan.
 * Removes the looks of invoices that lost theirs. Other invoices have a look before their first step anyway. `now` in unix seconds.
 */
export async function lookAgain(
  db: Db,
  platformId: number,
  { scope, externalId }: LookScope,
  now: number,
): Promise<void> {
  if (scope === 'INVOICE') {
    const invoice = sql`select external_id from invoices where platform_id = ${platformId} and external_id = ${externalId}`;
    await sql`with ${setLooks(platformId, invoice, now)} select`.execute(db);
    return;
  }
  const rescan = {
    ...{
      platform_id: platformId,
      rescan_id: randomUUID(),
      due_at: now,
      scope,
      scope_external_id: externalId,
    },
    ...{ status: OWED_STATUSES[0], last_created_at: null, last_external_id: null },
  };
  await db.insertInto('dunning_rescans').values(rescansTable.insertable(rescan)).execute();
}

/**
 * Locks a batch, and all others of the platform: two concurrent batches could each write what the other does not see. Undefined
 * if another process has completed it.
 */
export async function lockRescan(
  db: Db,
  platformId: number,
  rescanId: string,
): Promise<RescanRow | undefined> {
  await lockOnPlatform(db, platformId, 'dunning-rescans');
  return db
    .selectFrom('dunning_rescans')
    .select(rescansTable.columns)
    .where('platform_id', '=', platformId)
    .where('rescan_id', '=', rescanId)
    .$castTo<RescanRow>()
    .executeTakeFirst();
}

const COLUMN_OF: Record<RescanScope, string | null> = {
  PLATFORM: null,
  MERCHANT: 'merchant_external_id',
  BUYER: 'buyer_external_id',
};

/** Sets the next looks of a batch of invoices. The rescan becomes its next batch, or is deleted after the last one. */
export async function makeRescan(db: Db, rescan: RescanRow): Promise<void> {
  const {
    platform_id: platformId,
    status,
    last_created_at: createdAt,
    last_external_id: externalId,
  } = rescan;
  const column = COLUMN_OF[rescan.scope];
  const inScope = column === null ? sql`true` : sql`${sql.ref(column)} = ${rescan.scope_external_id}`;
  const afterLast =
    createdAt === null
      ? sql`true`
      : sql`created_at <= ${createdAt} and (created_at < ${createdAt} or external_id > ${externalId})`;
  const batch = sql`
    select external_id, created_at from invoices
    where platform_id = ${platformId} and status = ${status} and ${inScope} and ${afterLast}
    order by created_at desc, external_id limit ${BATCH_MAX}`;
  const { rows } = await sql<{ created_at: number; external_id: string; read: number }>`
    with ${setLooks(platformId, batch, rescan.due_at)}
    select created_at, external_id, (select count(*) from batch)::int as read from batch
    order by created_at, external_id desc limit 1`.execute(db);
  const [last] = rows;
  if (last?.read === BATCH_MAX)
    return continueRescan(db, rescan, {
      status,
      last_created_at: last.created_at,
      last_external_id: last.external_id,
    });
  const nextStatus = OWED_STATUSES[OWED_STATUSES.indexOf(status) + 1];
  if (nextStatus !== undefined)
    return continueRescan(db, rescan, {
      status: nextStatus,
      last_created_at: null,
      last_external_id: null,
    });
  await db
    .deleteFrom('dunning_rescans')
    .where('platform_id', '=', platformId)
    .where('rescan_id', '=', rescan.rescan_id)
    .execute();
}

async function continueRescan(
  db: Db,
  { platform_id: platformId, rescan_id: rescanId }: RescanRow,
  next: Pick<RescanRow, 'status' | 'last_created_at' | 'last_external_id'>,
): Promise<void> {
  await db
    .updateTable('dunning_rescans')
    .set({ ...next, rescan_id: randomUUID() })
    .where('platform_id', '=', platformId)
    .where('rescan_id', '=', rescanId)
    .execute();
}

/**
 * The parts of a statement that read a batch of invoices, lock those to be changed, and set their next looks. The lists of keys make
 * the planner use the index, regardless of its estimates.
 */
function setLooks(platformId: number, batch: RawBuilder<unknown>, now: number): RawBuilder<unknown> {
  return sql`
    batch as materialized (${batch}),
    again as materialized (
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
      where i.platform_id = ${platformId} and i.external_id = any(array(select external_id from batch))
        and i.status in ('OPEN', 'DUE') and (k.is_under_way or k.is_reminded = (i.dunning_at is null))
      order by i.external_id for no key update of i
    ),
    changed as (
      update invoices i set dunning_at = case
        when a.is_under_way then ${now}::bigint
        when a.is_reminded then greatest(i.due_at - ${DUNNING_LEAD_SECONDS}::bigint, ${now}::bigint)
      end
      from again a
      where i.platform_id = ${platformId} and i.external_id = any(array(select external_id from again))
        and i.external_id = a.external_id
    )`;
}
