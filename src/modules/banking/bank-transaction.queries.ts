/** Transactions that are booked, matched and queued. */
import { sql } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import { isNotRelocating, onEachPlatform } from '#infra/database/each-platform';
import { storedPlatform } from '#infra/database/one-node';
import { unnestRows } from '#infra/database/unnest-rows';
import type { Currency } from '#kernel/currency';
import { type BankTransactionRow, bankTransactionsTable } from './bank-entry.queries.ts';
import type { BankTransactionTrigger } from './bank-transaction.lifecycle.ts';

/** A transaction with the columns of its entry. */
export interface EntryTransaction extends BankTransactionRow {
  bank_account: string;
  currency: Currency;
  is_reversal: boolean;
  is_charge: boolean;
  entry_details_sealed: Buffer;
}

/** The columns of an EntryTransaction, of `bank_transactions t` and `bank_entries e`. */
const OF_T_AND_E = sql`${bankTransactionsTable.of('t')}, e.bank_account, e.currency, e.is_reversal, e.is_charge,
      e.details_sealed as entry_details_sealed`;

/** Incoming money, outgoing money, and reversals of either. They lock different resources, so each is booked separately. */
export const BOOKING_PHASES = ['IN', 'OUT', 'BACK'] as const;
export type BookingPhase = (typeof BOOKING_PHASES)[number];

/** Locks transactions that wait to be booked, by day. Skips locked ones. */
export async function lockReceived(
  db: Db,
  platformId: number,
  { phase, countMax }: { phase: BookingPhase; countMax: number },
): Promise<EntryTransaction[]> {
  const { rows } = await sql<EntryTransaction>`
    select ${OF_T_AND_E} from bank_transactions t
    join bank_entries e on e.platform_id = t.platform_id and e.entry_id = t.entry_id
    where t.platform_id = ${platformId} and t.status = 'RECEIVED' and t.takes_back = ${phase === 'BACK'}
      and (${phase} = 'BACK' or (${phase} = 'IN') = (t.amount > 0))
    order by t.takes_back, t.booked_on, t.transaction_id
    limit ${countMax}
    for no key update of t skip locked`.execute(db);
  return rows;
}

/** Locks a transaction; undefined for an unknown one. */
export async function lockTransaction(
  db: Db,
  platformId: number,
  transactionId: string,
): Promise<EntryTransaction | undefined> {
  const { rows } = await sql<EntryTransaction>`
    select ${OF_T_AND_E} from bank_transactions t
    join bank_entries e on e.platform_id = t.platform_id and e.entry_id = t.entry_id
    where t.platform_id = ${platformId} and t.transaction_id = ${transactionId}
    for no key update of t`.execute(db);
  return rows[0];
}

/** The transaction with a reference; undefined if there is none. */
export async function findTransactionOf(
  db: Db,
  platformId: number,
  referenceMac: Buffer,
): Promise<EntryTransaction | undefined> {
  const { rows } = await sql<EntryTransaction>`
    select ${OF_T_AND_E} from bank_references r
    join bank_transactions t on t.platform_id = r.platform_id and t.transaction_id = r.transaction_id
    join bank_entries e on e.platform_id = t.platform_id and e.entry_id = t.entry_id
    where r.platform_id = ${platformId} and r.reference_mac = ${referenceMac}`.execute(db);
  return rows[0];
}

/** Lists the oldest first. */
export async function listQueued(
  db: Db,
  platformId: number,
  { countMax }: { countMax: number },
): Promise<EntryTransaction[]> {
  const { rows } = await sql<EntryTransaction>`
    select ${OF_T_AND_E} from bank_transactions t
    join bank_entries e on e.platform_id = t.platform_id and e.entry_id = t.entry_id
    where t.platform_id = ${platformId} and t.status = 'QUEUED'
    order by t.booked_on, t.transaction_id
    limit ${countMax}`.execute(db);
  return rows;
}

export interface WaitingTransaction {
  platform_id: number;
  transaction_id: string;
  booked_on: string;
  /** Minor units: positive for incoming money. */
  amount: number;
  queue_reason: string;
}

/**
 * Marks queued transactions as reported to support, at most `batchSizeMax`, of all platforms that are not relocating. Returns them by
 * platform.
 */
export async function takeQueuedTransactions(db: Db, batchSizeMax: number): Promise<WaitingTransaction[]> {
  const { rows: due } = await sql<Pick<WaitingTransaction, 'platform_id' | 'transaction_id'>>`
    select platform_id, transaction_id from bank_transactions
    where status = 'QUEUED' and not is_support_notified
      and ${isNotRelocating('platform_id')}
    order by platform_id, booked_on, transaction_id limit ${batchSizeMax}
    ${sql.raw(UNPREPARED)}`.execute(db);
  return onEachPlatform(due, async (platformId, transactions) => {
    const ids = transactions.map((each) => each.transaction_id);
    const { rows } = await sql<WaitingTransaction>`
      with taken as materialized (
        select transaction_id from bank_transactions
        where platform_id = ${platformId} and transaction_id = any(${ids}::uuid[])
          and status = 'QUEUED' and not is_support_notified
        for update skip locked
      )
      update bank_transactions t set is_support_notified = true
      from taken where t.platform_id = ${platformId} and t.transaction_id = taken.transaction_id
      returning t.platform_id, t.transaction_id, t.booked_on, t.amount, t.queue_reason
      ${sql.raw(UNPREPARED)}`.execute(db);
    return rows.sort((one, other) => (one.booked_on < other.booked_on ? -1 : 1));
  });
}

/** Queued reversals: their originals may have been imported since. */
export async function listQueuedReversals(db: Db, platformId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('bank_transactions')
    .select('transaction_id')
    .where('platform_id', '=', platformId)
    .where('status', '=', 'QUEUED')
    .where('takes_back', '=', true)
    .orderBy('transaction_id')
    .execute();
  return rows.map(({ transaction_id }) => transaction_id);
}

/** Locks transactions of the opposite amount that one of the references names, and that can be reversed. */
export async function lockOriginals(
  db: Db,
  platformId: number,
  { bank_account, amount, transaction_id }: EntryTransaction,
  referenceMacs: readonly Buffer[],
): Promise<EntryTransaction[]> {
  const { rows } = await sql<EntryTransaction>`
    select ${OF_T_AND_E} from bank_transactions t
    join bank_entries e on e.platform_id = t.platform_id and e.entry_id = t.entry_id
    where t.platform_id = ${platformId} and t.status = any('{QUEUED,MATCHED}') and t.amount = ${-amount}
      and e.bank_account = ${bank_account} and not t.takes_back and t.transaction_id <> ${transaction_id}
      and t.transaction_id in (
        select transaction_id from bank_references
        where platform_id = ${platformId} and reference_mac = any(${referenceMacs}::bytea[])
      )
    order by t.transaction_id
    for no key update of t`.execute(db);
  return rows;
}

/** A transition of a locked transaction. */
export interface TransactionChange {
  transaction: BankTransactionRow;
  to: BankTransactionRow['status'];
  trigger: BankTransactionTrigger;
  queueReason: BankTransactionRow['queue_reason'];
  ledgerEntry: string | null;
}

const unnestChanges = unnestRows<TransactionChange>('c', {
  transaction_id: ['uuid', ({ transaction }) => transaction.transaction_id],
  from_status: ['text', ({ transaction }) => transaction.status],
  to_status: ['text', 'to'],
  trigger: ['text', 'trigger'],
  queue_reason: ['text', 'queueReason'],
  ledger_entry: ['uuid', 'ledgerEntry'],
});

/** Writes statuses, decided by the lifecycle, with their history rows. */
export async function writeTransitions(
  db: Db,
  platformId: number,
  changes: readonly TransactionChange[],
  { actor, now, reason }: { actor: string; now: number; reason: string | null },
): Promise<void> {
  const stored = storedPlatform(
    db,
    platformId,
    'bank_transactions',
    sql`stored.transaction_id = c.transaction_id`,
  );
  await sql`
    with changed as (
      update bank_transactions t set status = c.to_status, version = t.version + 1,
        updated_at = greatest(t.updated_at, ${now}::bigint), queue_reason = c.queue_reason, ledger_entry = c.ledger_entry
      from ${unnestChanges(changes)}
      where t.platform_id = ${platformId} and t.transaction_id = c.transaction_id
      returning t.transaction_id, t.version, c.from_status, c.to_status, c.trigger, t.updated_at
    ), history as (
      insert into bank_transaction_transitions (platform_id, transaction_id, version, from_status, to_status, trigger,
        transitioned_at, actor, reason)
      select ${stored.platformId}, c.transaction_id, c.version, c.from_status, c.to_status, c.trigger, c.updated_at, ${actor}, ${reason}
      from changed c ${stored.join}
    )
    select 1`.execute(db);
}

/** The purpose of a transaction, or of a part of it, as a match records it. */
export interface BankMatch {
  transactionId: string;
  /** The version of the transaction after the match. */
  version: number;
  position: number;
  kind: 'PAYMENT' | 'CHARGE' | 'REVERSAL' | 'PAYOUT';
  amountMinor: number;
  invoiceExternalId: string | null;
  paymentExternalId: string | null;
  reversedTransactionId: string | null;
  payoutExternalId: string | null;
}

const unnestMatches = unnestRows<BankMatch>('m', {
  transaction_id: ['uuid', 'transactionId'],
  version: ['int', 'version'],
  position: ['int', 'position'],
  kind: ['text', 'kind'],
  amount: ['bigint', 'amountMinor'],
  invoice_external_id: ['text', 'invoiceExternalId'],
  payment_external_id: ['text', 'paymentExternalId'],
  reversed_transaction_id: ['uuid', 'reversedTransactionId'],
  payout_external_id: ['text', 'payoutExternalId'],
});

export async function insertMatches(
  db: Db,
  platformId: number,
  matches: readonly BankMatch[],
): Promise<void> {
  await sql`
    insert into bank_matches (platform_id, transaction_id, version, position, kind, amount, invoice_external_id,
      payment_external_id, reversed_transaction_id, payout_external_id)
    select ${platformId}::int, m.transaction_id, m.version, m.position, m.kind, m.amount, m.invoice_external_id,
      m.payment_external_id, m.reversed_transaction_id, m.payout_external_id
    from ${unnestMatches(matches)}`.execute(db);
}

/** The parts of the last match of a transaction. */
export async function listMatches(
  db: Db,
  platformId: number,
  { transaction_id, version }: BankTransactionRow,
): Promise<BankMatch[]> {
  const { rows } = await sql<BankMatch>`
    select transaction_id as "transactionId", version, position, kind, amount as "amountMinor",
      invoice_external_id as "invoiceExternalId", payment_external_id as "paymentExternalId",
      reversed_transaction_id as "reversedTransactionId", payout_external_id as "payoutExternalId"
    from bank_matches
    where platform_id = ${platformId} and transaction_id = ${transaction_id} and version = ${version}
    order by position`.execute(db);
  return rows;
}

/** Invoices that the latest matched transactions from an account have paid. */
export async function listPaidFrom(
  db: Db,
  platformId: number,
  counterpartyMac: Buffer,
  countMax: number,
): Promise<string[]> {
  const { rows } = await sql<{ invoice_external_id: string }>`
    select distinct m.invoice_external_id
    from (
      select transaction_id, version from bank_transactions
      where platform_id = ${platformId} and counterparty_mac = ${counterpartyMac} and status = 'MATCHED'
      order by created_at desc limit ${countMax}
    ) t
    join bank_matches m on m.platform_id = ${platformId} and m.transaction_id = t.transaction_id and m.version = t.version
    where m.kind = 'PAYMENT'`.execute(db);
  return rows.map(({ invoice_external_id }) => invoice_external_id);
}

/** The sum of the transactions matched with a payout: 0 if it is not paid or was returned, else its amount below zero. */
export async function sumOfPayout(db: Db, platformId: number, payoutExternalId: string): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(m.amount), 0)::bigint as sum
    from bank_matches m
    join bank_transactions t on t.platform_id = ${platformId} and t.transaction_id = m.transaction_id and t.version = m.version
    where m.platform_id = ${platformId} and m.payout_external_id = ${payoutExternalId} and t.status = 'MATCHED'`.execute(
    db,
  );
  return rows[0]?.sum ?? 0;
}
