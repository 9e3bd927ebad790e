/** Balances, as of any instant and as known at any instant. */
import { type RawBuilder, sql } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import type { Currency } from '#kernel/currency';
import { DAY_SECONDS } from '#kernel/day';
import { UNIX_SECONDS_MAX } from '#kernel/fields';
import {
  ACCOUNTS,
  type AccountCode,
  type OPEN_BY_INVOICE,
  type OpenAccount,
  TOTALLED_BY_PARTY,
} from './account.rules.ts';
import type { AsOf } from './as-of.rules.ts';

const unprepared = sql.raw(UNPREPARED);

/** The instant until which entries count, in Unix seconds. */
export const atOf = ({ at }: AsOf): number => at ?? UNIX_SECONDS_MAX;
export const knownAtOf = ({ knownAt }: AsOf): RawBuilder<unknown> =>
  sql`${knownAt ?? 'infinity'}::timestamptz`;

/** One account in one currency, with its party if it has one. */
export interface AccountKey {
  account: AccountCode;
  /** Empty if the account has no party. */
  party: string;
  currency: Currency;
}

export interface Balance extends AccountKey {
  /** Minor units: positive if debits exceed credits. */
  balance: bigint;
}

/**
 * The balance of every account: bank accounts and tax categories one by one, the accounts of buyers and of merchants
 * summed up, with an empty party. Accounts without any entry are absent. Adds the totals of whole days to the lines of
 * entries that have no number or belong to the days of the two instants. So its cost grows with the days, not the entries.
 */
export async function listAccountBalances(
  db: Db,
  platformId: number,
  asOf: AsOf,
  currency: Currency | null = null,
): Promise<Balance[]> {
  const isAsked = currency === null ? sql`true` : sql`currency = ${currency}`;
  return balancesIn(db, platformId, asOf, isAsked);
}

/** The balance of one account, or of one party on it; 0 without any entry. */
export async function findBalance(
  db: Db,
  platformId: number,
  { account, party, currency }: AccountKey,
  asOf: AsOf,
): Promise<bigint> {
  if (ACCOUNTS[account].party !== null && !TOTALLED_BY_PARTY.includes(account)) {
    const { rows } = await sql<{ balance: string | null }>`
      select sum(amount) as balance from ledger_lines
      where platform_id = ${platformId} and account = ${account} and party = ${party} and currency = ${currency}
        and effective_at <= ${atOf(asOf)} and recorded_at <= ${knownAtOf(asOf)}`.execute(db);
    return BigInt(rows[0]?.balance ?? 0);
  }
  const isAsked = sql`account = ${account} and party = ${party} and currency = ${currency}`;
  const [found] = await balancesIn(db, platformId, asOf, isAsked);
  return found?.balance ?? 0n;
}

/** Balances of the parties of an account, without those of 0. */
export async function listPartyBalances(
  db: Db,
  platformId: number,
  account: AccountCode,
  asOf: AsOf,
): Promise<Balance[]> {
  const { rows } = await sql<AccountKey & { balance: string }>`
    select account, party, currency, sum(amount) as balance from ledger_lines
    where platform_id = ${platformId} and account = ${account}
      and effective_at <= ${atOf(asOf)} and recorded_at <= ${knownAtOf(asOf)}
    group by account, party, currency having sum(amount) <> 0
    order by currency, party`.execute(db);
  return rows.map((row) => ({ ...row, balance: BigInt(row.balance) }));
}

async function balancesIn(
  db: Db,
  platformId: number,
  asOf: AsOf,
  isAsked: RawBuilder<unknown>,
): Promise<Balance[]> {
  const at = atOf(asOf);
  const dayStart = at - (at % DAY_SECONDS);
  const knownDay = asOf.knownAt === null ? 'infinity' : `${asOf.knownAt.slice(0, 10)}T00:00:00Z`;
  // If no instant is given, the last day is after every line.
  const { rows } = await sql<AccountKey & { balance: string }>`
    with beside as (
      select entry_id from ledger_entries
      where platform_id = ${platformId} and effective_at between ${dayStart} and ${at}
      union
      select entry_id from ledger_entries
      where platform_id = ${platformId} and recorded_at between ${knownDay}::timestamptz and ${knownAtOf(asOf)}
      union
      select entry_id from ledger_unnumbered where platform_id = ${platformId}
    )
    select account, party, currency, sum(amount) as balance
    from (
      select account, party, currency, amount from ledger_totals
      where platform_id = ${platformId} and effective_day < ${dayStart / DAY_SECONDS}
        and recorded_day < extract(epoch from ${knownDay}::timestamptz) / 86400
      union all
      select l.account, case when l.account = any(${TOTALLED_BY_PARTY}) then l.party else '' end, l.currency, l.amount
      from beside b join ledger_lines l on l.platform_id = ${platformId} and l.entry_id = b.entry_id
      where l.effective_at <= ${at} and l.recorded_at <= ${knownAtOf(asOf)}
    ) amounts
    where ${isAsked}
    group by account, party, currency
    order by currency, account, party
    ${unprepared}`.execute(db);
  return rows.map((row) => ({ ...row, balance: BigInt(row.balance) }));
}

/** The balance of a party's account, in minor units: positive if debits exceed credits. Balances of 0 are omitted. */
export interface OpenBalance {
  party: string;
  currency: Currency;
  amount: number;
}

/** The open balances of merchants on one of their accounts, over all entries. */
export async function listBalancesOfParties(
  db: Db,
  platformId: number,
  account: OpenAccount,
  parties: readonly string[],
): Promise<OpenBalance[]> {
  const { rows } = await sql<OpenBalance>`
    select party, currency, sum(amount)::bigint as amount from ${openOf(platformId, account, parties)}
    group by party, currency having sum(amount) <> 0 order by party, currency`.execute(db);
  return rows;
}

/** The open balances of merchants per invoice. Entries without an invoice are summed up under null. */
export async function listInvoiceBalances(
  db: Db,
  platformId: number,
  account: typeof OPEN_BY_INVOICE,
  parties: readonly string[],
): Promise<(OpenBalance & { invoice_external_id: string | null })[]> {
  const { rows } = await sql<OpenBalance & { invoice_external_id: string | null }>`
    select party, currency, nullif(invoice_external_id, '') as invoice_external_id, sum(amount)::bigint as amount
    from ${openOf(platformId, account, parties)}
    group by party, currency, invoice_external_id having sum(amount) <> 0
    order by party, currency, invoice_external_id`.execute(db);
  return rows;
}

/**
 * The open balances that numbering has summed up, and the lines of entries without a number. Numbering moves an entry from the lines
 * to the balances in one statement, so that it is counted once. The cost depends on what is open, not on the history of the parties.
 */
function openOf(platformId: number, account: OpenAccount, parties: readonly string[]): RawBuilder<unknown> {
  return sql`(
      select party, currency, invoice_external_id, amount from ledger_open_balances
      where platform_id = ${platformId} and account = ${account} and party = any(${parties}::text[]) and amount <> 0
      union all
      select l.party, l.currency, coalesce(e.invoice_external_id, ''), l.amount
      from ledger_lines l
      join ledger_unnumbered u on u.platform_id = ${platformId} and u.ordinal = l.ordinal
      join ledger_entries e on e.platform_id = ${platformId} and e.entry_id = l.entry_id
      where l.platform_id = ${platformId} and l.account = ${sql.lit(account)} and l.party = any(${parties}::text[])
        and l.ordinal >= (select min(ordinal) from ledger_unnumbered where platform_id = ${platformId})
    ) amounts`;
}
