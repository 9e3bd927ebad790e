/** Entries of bank accounts, their transactions, and the statements that report them: what an import writes. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { inlineOnCluster } from '#infra/database/one-node';
import { type NewRowOf, namesOf, type RowOf, table, text } from '#infra/database/table';
import { unnestRows } from '#infra/database/unnest-rows';
import type { Currency } from '#kernel/currency';
import type { AlikeEntry } from './alike-entries.rules.ts';
import type { BankTransactionStatus } from './bank-transaction.lifecycle.ts';
import type { QueueReason } from './matching.rules.ts';

export const bankStatementsTable = table('bank_statements', {
  platform_id: 'int',
  statement_id: 'uuid',
  bank_account: 'text',
  type: text<'STATEMENT' | 'NOTIFICATION'>(),
  file_hash: 'bytea',
  position: 'int',
  reference_sealed: 'bytea',
  from_on: 'text',
  to_on: 'text',
  opening_amount: 'bigint',
  opening_on: 'text',
  closing_amount: 'bigint',
  closing_on: 'text',
  entry_count: 'int',
  new_entry_count: 'int',
  imported_at: 'bigint',
  actor: 'text',
});
export type BankStatementRow = RowOf<typeof bankStatementsTable>;

export const bankEntriesTable = table('bank_entries', {
  platform_id: 'int',
  entry_id: 'uuid',
  bank_account: 'text',
  identity_mac: 'bytea',
  currency: text<Currency>(),
  amount: 'bigint',
  booked_on: 'text',
  value_on: 'text',
  is_reversal: 'boolean',
  is_charge: 'boolean',
  created_at: 'bigint',
  details_sealed: 'bytea',
});
export type BankEntryRow = RowOf<typeof bankEntriesTable>;

export const bankTransactionsTable = table('bank_transactions', {
  platform_id: 'int',
  transaction_id: 'uuid',
  entry_id: 'uuid',
  number: 'int',
  booked_on: 'text',
  amount: 'bigint',
  status: text<BankTransactionStatus>(),
  version: 'int',
  created_at: 'bigint',
  updated_at: 'bigint',
  is_batch: 'boolean',
  takes_back: 'boolean',
  queue_reason: text<QueueReason | null>(),
  details_sealed: 'bytea',
  counterparty_mac: 'bytea',
  ledger_entry: 'uuid',
});
export type BankTransactionRow = RowOf<typeof bankTransactionsTable>;

/** Whether the whole file was imported before. */
export async function isFileImported(db: Db, platformId: number, fileHash: Buffer): Promise<boolean> {
  const found = await db
    .selectFrom('bank_statements')
    .select('statement_id')
    .where('platform_id', '=', platformId)
    .where('file_hash', '=', fileHash)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export async function insertBankStatement(
  db: Db,
  statement: NewRowOf<typeof bankStatementsTable>,
): Promise<void> {
  await db.insertInto('bank_statements').values(bankStatementsTable.insertable(statement)).execute();
}

/** The last day for which each bank account has a statement, by external_id; null if it has none. */
export async function listLastStatementDays(
  db: Db,
  platformId: number,
): Promise<{ bankAccount: string; currency: Currency; lastOn: string | null }[]> {
  const { rows } = await sql<{ bankAccount: string; currency: Currency; lastOn: string | null }>`
    select a.external_id as "bankAccount", a.currency, (
      select max(coalesce(s.closing_on, s.to_on)) from bank_statements s
      where s.platform_id = ${platformId} and s.bank_account = a.external_id and s.type = 'STATEMENT'
    ) as "lastOn"
    from bank_accounts a where a.platform_id = ${platformId} order by a.external_id`.execute(db);
  return rows;
}

/** Lists the latest imports first. */
export async function listBankStatements(
  db: Db,
  platformId: number,
  { bankAccount, countMax }: { bankAccount: string | null; countMax: number },
): Promise<BankStatementRow[]> {
  return db
    .selectFrom('bank_statements')
    .select(bankStatementsTable.columns)
    .where('platform_id', '=', platformId)
    .$if(bankAccount !== null, (query) => query.where('bank_account', '=', bankAccount as string))
    .orderBy('imported_at', 'desc')
    .orderBy('statement_id')
    .limit(countMax)
    .$castTo<BankStatementRow>()
    .execute();
}

const ENTRY_COLUMNS = bankEntriesTable.columns.filter((column) => column !== 'platform_id');
const unnestEntries = unnestRows<BankEntryRow>('e', bankEntriesTable.list(...ENTRY_COLUMNS));

/** Inserts the entries that are new. Returns their ids. */
export async function insertBankEntries(
  db: Db,
  platformId: number,
  entries: readonly BankEntryRow[],
): Promise<Set<string>> {
  const { rows } = await sql<{ entry_id: string }>`
    insert into bank_entries (platform_id, ${namesOf(ENTRY_COLUMNS)})
    select ${platformId}::int, ${namesOf(ENTRY_COLUMNS.map((column) => `e.${column}`))} from ${unnestEntries(entries)}
    on conflict (platform_id, bank_account, identity_mac) do nothing
    returning entry_id`.execute(db);
  return new Set(rows.map(({ entry_id }) => entry_id));
}

/** Locks the transactions that stand for whole entries with these identities, unless they were matched. */
export async function lockWaitingWholes(
  db: Db,
  platformId: number,
  bankAccount: string,
  identityMacs: readonly Buffer[],
): Promise<BankTransactionRow[]> {
  const { rows } = await sql<BankTransactionRow>`
    select ${bankTransactionsTable.of('t')}
    from bank_entries e
    join bank_transactions t on t.platform_id = ${platformId} and t.entry_id = e.entry_id and t.number = 0
    where e.platform_id = ${platformId} and e.bank_account = ${bankAccount}
      and e.identity_mac = any(${identityMacs}::bytea[]) and t.status = any('{RECEIVED,QUEUED}')
    order by t.transaction_id
    for no key update of t`.execute(db);
  return rows;
}

/** The entries with these identities, by the identity in hexadecimal. */
export async function findEntryIds(
  db: Db,
  platformId: number,
  bankAccount: string,
  identityMacs: readonly Buffer[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ identity_mac: Buffer; entry_id: string }>`
    select identity_mac, entry_id from bank_entries
    where platform_id = ${platformId} and bank_account = ${bankAccount}
      and identity_mac = any(${identityMacs}::bytea[])`.execute(db);
  return new Map(rows.map((row) => [row.identity_mac.toString('hex'), row.entry_id]));
}

/** The entries with these identities, with their payment texts in statements and notifications. */
export async function findAlikeEntries(
  db: Db,
  platformId: number,
  bankAccount: string,
  identityMacs: readonly Buffer[],
): Promise<AlikeEntry[]> {
  const { rows } = await sql<AlikeEntry>`
    select e.identity_mac as "identityMac", encode(s.payment_mac, 'hex') as stated, encode(n.payment_mac, 'hex') as notified
    from bank_entries e
    left join bank_alike_entries s on s.platform_id = ${platformId} and s.entry_id = e.entry_id and s.reported_by = 'STATEMENT'
    left join bank_alike_entries n on n.platform_id = ${platformId} and n.entry_id = e.entry_id and n.reported_by = 'NOTIFICATION'
    where e.platform_id = ${platformId} and e.bank_account = ${bankAccount}
      and e.identity_mac = any(${identityMacs}::bytea[])`.execute(db);
  return rows;
}

interface SaidOfEntry {
  identityMac: Buffer;
  paymentMac: Buffer;
}
const unnestSaid = unnestRows<SaidOfEntry>('s', {
  identity_mac: ['bytea', 'identityMac'],
  payment_mac: ['bytea', 'paymentMac'],
});

/** Stores the payment texts of entries for which a document of one account is the first of its type. */
export async function insertAlikeEntries(
  db: Db,
  platformId: number,
  { account, type }: { account: string; type: BankStatementRow['type'] },
  said: readonly SaidOfEntry[],
): Promise<void> {
  await sql`
    insert into bank_alike_entries (platform_id, entry_id, reported_by, payment_mac)
    select ${platformId}::int, e.entry_id, ${type}, s.payment_mac
    from ${unnestSaid(said)}
    join bank_entries e on e.platform_id = ${platformId} and e.bank_account = ${account} and e.identity_mac = s.identity_mac`.execute(
    db,
  );
}

const TRANSACTION_COLUMNS = bankTransactionsTable.columns.filter((column) => column !== 'platform_id');
const unnestTransactions = unnestRows<BankTransactionRow>(
  't',
  bankTransactionsTable.list(...TRANSACTION_COLUMNS),
);

export interface TransactionReference {
  transactionId: string;
  referenceMac: Buffer;
}
const unnestReferences = unnestRows<TransactionReference>('r', {
  transaction_id: ['uuid', 'transactionId'],
  reference_mac: ['bytea', 'referenceMac'],
});

/** Writes new transactions with their first history rows and their references. */
export async function insertBankTransactions(
  db: Db,
  platformId: number,
  transactions: readonly BankTransactionRow[],
  {
    references,
    trigger,
    actor,
  }: { references: readonly TransactionReference[]; trigger: string; actor: string },
): Promise<void> {
  await sql`
    with input as ${inlineOnCluster(db)} (
      select * from ${unnestTransactions(transactions)}
    ), inserted as (
      insert into bank_transactions (platform_id, ${namesOf(TRANSACTION_COLUMNS)})
      select ${platformId}::int, ${namesOf(TRANSACTION_COLUMNS)} from input
    ), history as (
      insert into bank_transaction_transitions (platform_id, transaction_id, version, to_status, trigger, transitioned_at, actor)
      select ${platformId}::int, transaction_id, version, status, ${trigger}, created_at, ${actor} from input
    )
    insert into bank_references (platform_id, reference_mac, transaction_id)
    select distinct ${platformId}::int, r.reference_mac, r.transaction_id
    from ${unnestReferences(references)}`.execute(db);
}
