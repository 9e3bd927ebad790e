/** The data to compare statements with the ledger. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { Currency } from '#kernel/currency';

/** The earliest and the latest balance of an account that statements have named. */
export interface StatedAccount {
  bank_account: string;
  currency: Currency;
  opening_amount: number;
  opening_on: string;
  closing_amount: number;
  closing_on: string;
}

/** Lists the accounts with stated balances. The opening balance is that of the earliest statement with balances. */
export async function listStatedAccounts(db: Db, platformId: number): Promise<StatedAccount[]> {
  const { rows } = await sql<StatedAccount>`
    select a.external_id::text as bank_account, a.currency, o.opening_amount, o.opening_on, c.closing_amount, c.closing_on
    from bank_accounts a
    cross join lateral (
      select opening_amount, coalesce(from_on, closing_on) as opening_on from bank_statements
      where platform_id = ${platformId} and bank_account = a.external_id and opening_amount is not null
      order by closing_on, imported_at, statement_id limit 1
    ) o
    cross join lateral (
      select closing_amount, closing_on from bank_statements
      where platform_id = ${platformId} and bank_account = a.external_id and closing_amount is not null
      order by closing_on desc, imported_at desc, statement_id limit 1
    ) c
    where a.platform_id = ${platformId} order by a.external_id`.execute(db);
  return rows;
}

/** The movement of a bank account in the ledger from `from` until before `until`, regardless of when it was booked. */
export async function sumBankLines(
  db: Db,
  platformId: number,
  { account, currency, from, until }: { account: string; currency: Currency; from: number; until: number },
): Promise<bigint> {
  const { rows } = await sql<{ sum: string | null }>`
    select sum(l.amount)::text as sum
    from ledger_lines l
    join ledger_entries e on e.platform_id = l.platform_id and e.entry_id = l.entry_id
    where l.platform_id = ${platformId} and l.account = 'bank' and l.party = ${account} and l.currency = ${currency}
      and coalesce(e.belongs_to_at, e.effective_at) >= ${from} and coalesce(e.belongs_to_at, e.effective_at) < ${until}`.execute(
    db,
  );
  return BigInt(rows[0]?.sum ?? 0);
}
