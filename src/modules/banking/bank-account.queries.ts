import type { Db } from '#infra/database/database';
import { type NewRowOf, type RowOf, table, text } from '#infra/database/table';
import type { Currency } from '#kernel/currency';

export const bankAccountsTable = table('bank_accounts', {
  platform_id: 'int',
  external_id: 'text',
  currency: text<Currency>(),
  created_at: 'bigint',
  actor: 'text',
  number_sealed: 'bytea',
  number_mac: 'bytea',
  number_masked: 'text',
});

export type BankAccountRow = RowOf<typeof bankAccountsTable>;

/** Lists accounts by external_id. */
export async function listBankAccounts(db: Db, platformId: number): Promise<BankAccountRow[]> {
  return db
    .selectFrom('bank_accounts')
    .select(bankAccountsTable.columns)
    .where('platform_id', '=', platformId)
    .orderBy('external_id')
    .$castTo<BankAccountRow>()
    .execute();
}

export async function findBankAccount(
  db: Db,
  platformId: number,
  externalId: string,
): Promise<BankAccountRow | undefined> {
  return db
    .selectFrom('bank_accounts')
    .select(bankAccountsTable.columns)
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .$castTo<BankAccountRow>()
    .executeTakeFirst();
}

/** Undefined if the external_id, or the number with the currency, is taken. */
export async function insertBankAccount(
  db: Db,
  account: NewRowOf<typeof bankAccountsTable>,
): Promise<BankAccountRow | undefined> {
  return db
    .insertInto('bank_accounts')
    .values(bankAccountsTable.insertable(account))
    .onConflict((oc) => oc.doNothing())
    .returning(bankAccountsTable.columns)
    .$castTo<BankAccountRow>()
    .executeTakeFirst();
}

/** Locks an account, so that imports of its files take turns. */
export async function lockBankAccount(db: Db, platformId: number, externalId: string): Promise<void> {
  await db
    .selectFrom('bank_accounts')
    .select('external_id')
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}
