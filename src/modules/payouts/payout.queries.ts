/** Payouts and their transitions. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { inlineOnCluster } from '#infra/database/one-node';
import { namesOf, type RowOf, table, text } from '#infra/database/table';
import { arrayOf, unnestRows } from '#infra/database/unnest-rows';
import { dueColumn } from '#infra/time/due-column.queries';
import type { Currency } from '#kernel/currency';
import type { PayoutInstruction } from '#modules/payees';
import type { CursorPage } from '#operation/list';
import { inOrderOf, type ListContext, type ListTable, listKeys } from '#operation/list-table.queries';
import type { PayoutStatus, PayoutTrigger } from './payout.lifecycle.ts';

export const payoutsTable = table('payouts', {
  platform_id: 'int',
  external_id: 'text',
  end_to_end_id: 'text',
  merchant_external_id: 'text',
  payout_instruction_external_id: 'text',
  scheme: text<PayoutInstruction['type']>(),
  currency: text<Currency>(),
  status: text<PayoutStatus>(),
  version: 'int',
  created_at: 'bigint',
  updated_at: 'bigint',
  scheduled_on: 'text',
  amount: 'bigint',
  instruction_version: 'int',
  file_external_id: 'text',
  nets_at: 'bigint',
  paid_at: 'bigint',
  failure_reason: 'text',
});
export type PayoutRow = RowOf<typeof payoutsTable>;

/** Payouts with nothing left to transfer. */
export const nettingPayouts = dueColumn({
  table: 'payouts',
  column: 'nets_at',
  key: 'external_id',
  resource: 'payout',
  trigger: 'set_off' satisfies PayoutTrigger,
});

/** A transition, with the payout after it. */
export interface TransitionedPayout {
  payout: PayoutRow;
  from: PayoutStatus | null;
  trigger: PayoutTrigger;
}

const CHANGEABLE = [
  'payout_instruction_external_id',
  'scheme',
  'status',
  'version',
  'updated_at',
  'scheduled_on',
  'instruction_version',
  'file_external_id',
  'nets_at',
  'paid_at',
  'failure_reason',
] as const;
const WRITTEN = [
  'external_id',
  'end_to_end_id',
  'merchant_external_id',
  'currency',
  'created_at',
  'amount',
  ...CHANGEABLE,
] as const;

const unnestPayouts = unnestRows<TransitionedPayout>('t', {
  ...payoutsTable.listOf(({ payout }: TransitionedPayout) => payout, ...WRITTEN),
  from_status: ['text', 'from'],
  trigger: ['text', 'trigger'],
});

/** The actor of a transition, and its reason. */
export interface PayoutGrounds {
  reason?: string | null;
  approvedBy?: string | null;
}

/** Inserts new payouts, or writes the transitions of locked ones, with their history, in one statement. */
export async function writePayouts(
  db: Db,
  platformId: number,
  payouts: readonly TransitionedPayout[],
  { actor, reason = null, approvedBy = null }: PayoutGrounds & { actor: string },
): Promise<void> {
  const assignments = sql.raw(CHANGEABLE.map((column) => `${column} = i.${column}`).join(', '));
  await sql`
    with input as ${inlineOnCluster(db)} (
      select * from ${unnestPayouts(payouts)}
    ), inserted as (
      insert into payouts (platform_id, ${namesOf(WRITTEN)})
      select ${platformId}::int, ${namesOf(WRITTEN)} from input where from_status is null order by external_id
    ), changed as (
      update payouts p set ${assignments} from input i
      where p.platform_id = ${platformId} and p.external_id = i.external_id and i.from_status is not null
    )
    insert into payout_transitions (platform_id, payout_external_id, version, from_status, to_status, trigger,
      transitioned_at, actor, approved_by, reason)
    select ${platformId}::int, external_id, version, from_status, status, trigger, updated_at, ${actor}, ${approvedBy}, ${reason}
    from input order by external_id`.execute(db);
}

export interface PayoutKey {
  platformId: number;
  externalId: string;
}

/** Returns undefined for an unknown payout. */
export async function findPayout(
  db: Db,
  { platformId, externalId }: PayoutKey,
): Promise<PayoutRow | undefined> {
  const [found] = await findPayouts(db, platformId, [externalId]);
  return found;
}

/** Returns payouts in the order of their keys. Unknown ones are missing. */
export async function findPayouts(
  db: Db,
  platformId: number,
  externalIds: readonly string[],
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<PayoutRow[]> {
  return db
    .selectFrom('payouts')
    .select(payoutsTable.columns)
    .where('platform_id', '=', platformId)
    .where(sql<boolean>`external_id = any(${arrayOf('text', externalIds)})`)
    .orderBy('external_id')
    .$if(isLocked, (query) => query.forNoKeyUpdate())
    .$castTo<PayoutRow>()
    .execute();
}

/** Locks payouts in the order of their keys. Unknown ones are missing. */
export const lockPayouts = (db: Db, platformId: number, externalIds: readonly string[]) =>
  findPayouts(db, platformId, externalIds, { isLocked: true });

/** The payouts to which a bank refers by these EndToEndIds: external_id by EndToEndId. Unknown ones are missing. */
export async function findPayoutsByEndToEndId(
  db: Db,
  platformId: number,
  endToEndIds: readonly string[],
): Promise<Map<string, PayoutRow>> {
  const rows = await db
    .selectFrom('payouts')
    .select(payoutsTable.columns)
    .where('platform_id', '=', platformId)
    .where(sql<boolean>`end_to_end_id = any(${endToEndIds}::text[])`)
    .$castTo<PayoutRow>()
    .execute();
  return new Map(rows.map((row) => [row.end_to_end_id, row]));
}

export const PAYOUT_SORTS = ['created_at', 'scheduled_on', 'amount', 'external_id'] as const;

export interface PayoutFilter {
  external_id?: string[];
  merchant_external_id?: string[];
  payout_instruction_external_id?: string[];
  status?: PayoutStatus[];
  scheme?: string[];
  currency?: string[];
  created_at?: string;
  scheduled_on?: string;
  amount?: string;
}

export const payoutTotals = {
  list: 'payouts',
  by: [
    [],
    ['status'],
    ['currency'],
    ['scheme'],
    ['merchant_external_id'],
    ['payout_instruction_external_id'],
    ['status', 'merchant_external_id'],
  ],
} as const;

const PAYOUTS: ListTable<PayoutFilter> = {
  table: 'payouts',
  key: 'external_id',
  values: [
    'external_id',
    'merchant_external_id',
    'payout_instruction_external_id',
    'status',
    'scheme',
    'currency',
  ],
  ranges: ['created_at', 'amount', 'scheduled_on'],
  conditions: {
    scheduled_on: (range) => {
      const [from = '', to = from] = range.split('..');
      return sql`t.scheduled_on between ${from || '-infinity'} and ${to || 'infinity'}`;
    },
  },
  counted: payoutTotals.by,
};

/** A page of payouts. Every filter and sort has its index. */
export async function listPayoutRows(context: ListContext, filter: PayoutFilter, page: CursorPage) {
  const { keys, listed } = await listKeys(context, PAYOUTS, filter, page);
  const rows = await findPayouts(context.db, context.platformId, keys);
  return { listed, rows: inOrderOf(keys, rows, (row) => row.external_id) };
}
