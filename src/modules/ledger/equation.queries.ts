/** Finds what does not balance in the ledger. Reads every line, 10,000 entries at a time. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { OPEN_ACCOUNTS, OPEN_BY_INVOICE, TOTALLED_BY_PARTY } from './account.rules.ts';
import type { AsOf } from './as-of.rules.ts';
import { atOf, knownAtOf } from './balance.queries.ts';

/** A statement over this many entries stays below its time limit, even on a slow disk. */
const ENTRIES_AT_ONCE = 10_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

export interface UnbalancedEntry {
  entry_id: string;
  line_count: number;
  lines_found: number;
  total: string;
}

/** Entries whose lines do not sum to zero, or whose number of lines differs from what the entry says. At most `countMax`. */
export async function listUnbalancedEntries(
  db: Db,
  platformId: number,
  asOf: AsOf,
  countMax: number,
): Promise<UnbalancedEntry[]> {
  const unbalanced: UnbalancedEntry[] = [];
  let after = BEFORE_ALL;
  for (;;) {
    const { rows } = await sql<{ count: number; last: string; unbalanced: UnbalancedEntry[] | null }>`
      with page as materialized (
        select entry_id, line_count from ledger_entries
        where platform_id = ${platformId} and entry_id > ${after}
          and effective_at <= ${atOf(asOf)} and recorded_at <= ${knownAtOf(asOf)}
        order by entry_id limit ${ENTRIES_AT_ONCE}
      ), sums as (
        select p.entry_id, p.line_count, count(l.line) as lines_found, coalesce(sum(l.amount), 0)::text as total
        from page p left join ledger_lines l on l.platform_id = ${platformId} and l.entry_id = p.entry_id
        group by p.entry_id, p.line_count
      )
      select (select count(*) from page) as count, (select entry_id from page order by entry_id desc limit 1) as last,
        (select json_agg(s) from sums s where s.total <> '0' or s.lines_found <> s.line_count) as unbalanced`.execute(
      db,
    );
    const { count = 0, last = '', unbalanced: found } = rows[0] ?? {};
    unbalanced.push(...(found ?? []));
    if (count < ENTRIES_AT_ONCE || unbalanced.length >= countMax) return unbalanced.slice(0, countMax);
    after = last;
  }
}

export interface TotalDifference {
  account: string;
  party: string;
  currency: string;
  total: string;
  of_lines: string;
}

type TotalKey = Pick<TotalDifference, 'account' | 'party' | 'currency'>;

/** Totals of accounts that differ from the lines of the numbered entries. At most `countMax`. */
export async function listTotalDifferences(
  db: Db,
  platformId: number,
  countMax: number,
): Promise<TotalDifference[]> {
  const ofLines = await sumNumberedLines(db, platformId);
  const { rows } = await sql<TotalKey & { total: string }>`
    select account, party, currency, sum(amount) as total from ledger_totals
    where platform_id = ${platformId}
    group by account, party, currency`.execute(db);
  const totals = new Map(rows.map((row) => [keyOf(row), row]));
  for (const [key, { amount: _, ...row }] of ofLines)
    if (!totals.has(key)) totals.set(key, { ...row, total: '0' });
  return [...totals]
    .map(([key, row]) => ({ ...row, of_lines: `${ofLines.get(key)?.amount ?? 0n}` }))
    .filter(({ total, of_lines }) => total !== of_lines)
    .slice(0, countMax);
}

async function sumNumberedLines(
  db: Db,
  platformId: number,
): Promise<Map<string, TotalKey & { amount: bigint }>> {
  const sums = new Map<string, TotalKey & { amount: bigint }>();
  for (let after = 0; ; after += ENTRIES_AT_ONCE) {
    const { rows } = await sql<TotalKey & { amount: string; last: number }>`
      select l.account, case when l.account = any(${TOTALLED_BY_PARTY}) then l.party else '' end as party, l.currency,
        sum(l.amount) as amount
      from ledger_numbers n join ledger_lines l on l.platform_id = ${platformId} and l.entry_id = n.entry_id
      where n.platform_id = ${platformId} and n.number > ${after} and n.number <= ${after + ENTRIES_AT_ONCE}
      group by 1, 2, 3`.execute(db);
    if (rows.length === 0) return sums;
    for (const { amount, account, party, currency } of rows) {
      const key = keyOf({ account, party, currency });
      const before = sums.get(key)?.amount ?? 0n;
      sums.set(key, { account, party, currency, amount: before + BigInt(amount) });
    }
  }
}

/** Open balances of parties that differ from the lines of the numbered entries. At most `countMax`. */
export async function listOpenDifferences(
  db: Db,
  platformId: number,
  countMax: number,
): Promise<TotalDifference[]> {
  const { rows } = await sql<TotalDifference>`
    with kept as (
      select account, party, currency, invoice_external_id, amount from ledger_open_balances
      where platform_id = ${platformId}
    ), lines as (
      select l.account, l.party, l.currency,
        case l.account when ${OPEN_BY_INVOICE} then coalesce(e.invoice_external_id, '') else '' end as invoice_external_id,
        sum(l.amount) as amount
      from ledger_lines l
      join ledger_numbers n on n.platform_id = ${platformId} and n.entry_id = l.entry_id
      join ledger_entries e on e.platform_id = ${platformId} and e.entry_id = l.entry_id
      where l.platform_id = ${platformId} and l.account = any(${OPEN_ACCOUNTS})
      group by 1, 2, 3, 4
    )
    select account, party, currency, coalesce(k.amount, 0)::text as total, coalesce(l.amount, 0)::text as of_lines
    from kept k full join lines l using (account, party, currency, invoice_external_id)
    where coalesce(k.amount, 0) <> coalesce(l.amount, 0)
    order by account, party, currency, invoice_external_id limit ${countMax}`.execute(db);
  return rows;
}

const keyOf = ({ account, party, currency }: TotalKey) => [account, party, currency].join('/');
