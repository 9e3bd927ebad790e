import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { type NewRowOf, type RowOf, table, text } from '#infra/database/table';
import { arrayOf, unnestRows } from '#infra/database/unnest-rows';
import type { PlatformVault } from '#infra/secrets/vault';
import type { CursorPage } from '#operation/list';
import { type ListContext, type ListTable, listRows } from '#operation/list-table.queries';
import { accountOf, type PayoutDetails, type PayoutType } from './payout-account.rules.ts';
import { type PayoutInstructionStatus, payoutInstructionLifecycle } from './payout-instruction.lifecycle.ts';
import type { PayoutInstruction } from './payout-instruction.schemas.ts';

export const payoutInstructionsTable = table('payout_instructions', {
  platform_id: 'int',
  external_id: 'text',
  merchant_external_id: 'text',
  type: text<PayoutType>(),
  status: text<PayoutInstructionStatus>(),
  version: 'int',
  created_at: 'bigint',
  updated_at: 'bigint',
  payable_from: 'bigint',
  details_sealed: 'bytea',
  account_mac: 'bytea',
  payouts_under_way: 'int',
});

export type PayoutInstructionRow = RowOf<typeof payoutInstructionsTable>;

export const payoutInstructionTransitionsTable = table('payout_instruction_transitions', {
  platform_id: 'int',
  external_id: 'text',
  version: 'int',
  from_status: 'text',
  to_status: 'text',
  trigger: 'text',
  transitioned_at: 'bigint',
  actor: 'text',
  approved_by: 'text',
  reason: 'text',
  name_check: 'text',
  account_masked: 'text',
});

export interface PayoutInstructionKey {
  platformId: number;
  externalId: string;
}

/** Returns undefined for a deleted instruction. */
export async function findPayoutInstruction(
  db: Db,
  { platformId, externalId }: PayoutInstructionKey,
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<PayoutInstructionRow | undefined> {
  return db
    .selectFrom('payout_instructions')
    .select(payoutInstructionsTable.columns)
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .where('status', '<>', 'DELETED')
    .$if(isLocked, (query) => query.forNoKeyUpdate())
    .$castTo<PayoutInstructionRow>()
    .executeTakeFirst();
}

export const lockPayoutInstruction = (db: Db, key: PayoutInstructionKey) =>
  findPayoutInstruction(db, key, { isLocked: true });

const VERIFIED: PayoutInstructionStatus = 'VERIFIED';

/** Rows of `platform_id` and `payable_at`: the instant from which each verified account can be paid, not before the end of its cool-off. */
export const payableAccounts = sql`(
  select platform_id, greatest(payable_from, updated_at) as payable_at from payout_instructions where status = ${VERIFIED}
)`;

/** An account that payouts can go to. */
export type PayableInstruction = Pick<
  PayoutInstructionRow,
  'external_id' | 'merchant_external_id' | 'type' | 'version'
>;

/** Locks the verified accounts of merchants whose cool-off is over, newest first. */
export async function lockPayableInstructions(
  db: Db,
  platformId: number,
  merchantExternalIds: readonly string[],
  at: number,
): Promise<PayableInstruction[]> {
  const { rows } = await sql<PayableInstruction & { created_at: number }>`
    select external_id, merchant_external_id, type, version, created_at from payout_instructions
    where platform_id = ${platformId} and merchant_external_id = any(${arrayOf('text', merchantExternalIds)})
      and status = ${VERIFIED} and payable_from <= ${at}
    order by external_id for no key update`.execute(db);
  return rows.sort((one, other) => other.created_at - one.created_at);
}

/** Merchants that can be paid, by external_id. */
export async function listPayableMerchants(db: Db, platformId: number, at: number): Promise<string[]> {
  const { rows } = await sql<{ merchant_external_id: string }>`
    select distinct merchant_external_id from payout_instructions
    where platform_id = ${platformId} and status = ${VERIFIED} and payable_from <= ${at}
    order by merchant_external_id`.execute(db);
  return rows.map(({ merchant_external_id }) => merchant_external_id);
}

/** Locks instructions, including deleted ones, in the order of their keys. */
export async function lockInstructionsOfPayouts(
  db: Db,
  platformId: number,
  externalIds: readonly string[],
): Promise<PayoutInstructionRow[]> {
  return db
    .selectFrom('payout_instructions')
    .select(payoutInstructionsTable.columns)
    .where('platform_id', '=', platformId)
    .where(sql<boolean>`external_id = any(${arrayOf('text', externalIds)})`)
    .orderBy('external_id')
    .forNoKeyUpdate()
    .$castTo<PayoutInstructionRow>()
    .execute();
}

interface PayoutsUnderWay {
  instructionExternalId: string;
  change: number;
}

const unnestUnderWay = unnestRows<PayoutsUnderWay>('c', {
  external_id: ['text', 'instructionExternalId'],
  change: ['int', 'change'],
});

/** Adjusts the counts of payouts under way to instructions. While a payout is under way, its account cannot be deleted. */
export async function countPayoutsUnderWay(
  db: Db,
  platformId: number,
  changes: readonly PayoutsUnderWay[],
): Promise<void> {
  await sql`
    update payout_instructions i set payouts_under_way = i.payouts_under_way + c.change
    from (select external_id, sum(change)::int as change from ${unnestUnderWay(changes)} group by external_id) c
    where i.platform_id = ${platformId} and i.external_id = c.external_id`.execute(db);
}

/** Whether the merchant has ever had an instruction. */
export async function hasPayoutInstruction(
  db: Db,
  platformId: number,
  merchantExternalId: string,
): Promise<boolean> {
  const found = await db
    .selectFrom('payout_instructions')
    .select('external_id')
    .where('platform_id', '=', platformId)
    .where('merchant_external_id', '=', merchantExternalId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Those of the merchants that have an account that can be paid, now or after its cool-off. */
export async function findVerifiedPayees(
  db: Db,
  platformId: number,
  merchantExternalIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ merchant_external_id: string }>`
    select distinct merchant_external_id from payout_instructions
    where platform_id = ${platformId} and merchant_external_id = any(${arrayOf('text', merchantExternalIds)})
      and status = ${VERIFIED}`.execute(db);
  return new Set(rows.map((row) => row.merchant_external_id));
}

/** Other merchants with the account, by external_id. */
export async function listMerchantsWithAccount(
  db: Db,
  { platform_id, merchant_external_id, account_mac }: PayoutInstructionRow,
): Promise<string[]> {
  const rows = await db
    .selectFrom('payout_instructions')
    .select('merchant_external_id')
    .distinct()
    .where('platform_id', '=', platform_id)
    .where('account_mac', '=', account_mac)
    .where('merchant_external_id', '<>', merchant_external_id)
    .where('status', '<>', 'DELETED')
    .orderBy('merchant_external_id')
    .execute();
  return rows.map((row) => row.merchant_external_id);
}

/** Returns undefined if the external_id is taken. */
export async function insertPayoutInstruction(
  db: Db,
  instruction: NewRowOf<typeof payoutInstructionsTable>,
): Promise<PayoutInstructionRow | undefined> {
  return db
    .insertInto('payout_instructions')
    .values(payoutInstructionsTable.insertable(instruction))
    .onConflict((oc) => oc.doNothing())
    .returning(payoutInstructionsTable.columns)
    .$castTo<PayoutInstructionRow>()
    .executeTakeFirst();
}

export async function updatePayoutInstruction(
  db: Db,
  { platformId, externalId }: PayoutInstructionKey,
  changes: Partial<PayoutInstructionRow>,
): Promise<PayoutInstructionRow> {
  return db
    .updateTable('payout_instructions')
    .set(payoutInstructionsTable.updateable(changes))
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .returning(payoutInstructionsTable.columns)
    .$castTo<PayoutInstructionRow>()
    .executeTakeFirstOrThrow();
}

export async function insertPayoutInstructionTransition(
  db: Db,
  transition: NewRowOf<typeof payoutInstructionTransitionsTable>,
): Promise<void> {
  await db
    .insertInto('payout_instruction_transitions')
    .values(payoutInstructionTransitionsTable.insertable(transition))
    .execute();
}

export interface PayoutInstructionFilter {
  merchant_external_id?: string[] | undefined;
  type?: PayoutType[] | undefined;
  status?: PayoutInstructionStatus[] | undefined;
}

export const payoutInstructionTotals = {
  list: 'payout_instructions',
  by: [['status'], ['status', 'type']],
} as const;

const PAYOUT_INSTRUCTIONS: ListTable<PayoutInstructionFilter> = {
  table: 'payout_instructions',
  key: 'external_id',
  values: ['merchant_external_id', 'type', 'status'],
  ranges: [],
  counted: payoutInstructionTotals.by,
};

const LISTED_STATUSES = payoutInstructionLifecycle.states.filter((status) => status !== 'DELETED');

/** Newest first, without deleted ones. */
export async function listPayoutInstructionRows(
  context: ListContext,
  { status = LISTED_STATUSES, ...filter }: PayoutInstructionFilter,
  page: CursorPage,
) {
  const shown = { ...filter, status: status.filter((each) => each !== 'DELETED') };
  const columns = payoutInstructionsTable.of('t');
  return listRows<PayoutInstructionFilter, PayoutInstructionRow>(
    context,
    PAYOUT_INSTRUCTIONS,
    shown,
    page,
    columns,
  );
}

const placeOf = (externalId: string) => `payout_instructions/${externalId}`;

/** The columns of an account: encrypted, and as a keyed hash by which equal accounts are found. */
export function toPayoutColumns(vault: PlatformVault, externalId: string, details: PayoutDetails) {
  return {
    details_sealed: vault.seal(placeOf(externalId), JSON.stringify(details)),
    account_mac: vault.mac('payout_instructions/account', accountOf(details)),
  };
}

export function openPayoutDetails(vault: PlatformVault, row: PayoutInstructionRow): PayoutDetails {
  return JSON.parse(vault.open(placeOf(row.external_id), row.details_sealed));
}

export function toPayoutInstruction(row: PayoutInstructionRow, vault: PlatformVault): PayoutInstruction {
  const { details_sealed, account_mac, platform_id, version, payouts_under_way, ...shown } = row;
  const details = openPayoutDetails(vault, row) as PayoutDetails & { beneficiary_name: string };
  return { ...shown, ...details, is_verified: row.status === 'VERIFIED' };
}
