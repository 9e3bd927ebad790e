/** The lines of one account, page by page, and entries as they are shown. */
import { sql } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import { isUuid } from '#kernel/uuid';
import type { AsOf } from './as-of.rules.ts';
import { type AccountKey, atOf, findBalance, knownAtOf } from './balance.queries.ts';
import { type JournalEntry, journalEntryOf } from './journal.queries.ts';

const unprepared = sql.raw(UNPREPARED);

/** A line's place in the order of a statement. */
export interface StatementPosition {
  effectiveAt: number;
  ordinal: number;
  line: number;
}

/** The position before every line that is effective from an instant (Unix seconds) on. */
export const statementStart = (effectiveAt: number): StatementPosition => ({
  effectiveAt,
  ordinal: 0,
  line: 0,
});

/** An entry with its number and hash in the chain, both null until it is numbered. */
export interface ShownEntry extends JournalEntry {
  number: number | null;
  hash: Buffer | null;
  reversed_by: string | null;
}

export interface StatementLine extends ShownEntry {
  line: number;
  amount: number;
}

const shownEntryOf = (platformId: number) => sql`${journalEntryOf(platformId)}, n.number, n.hash, (
    select r.entry_id from ledger_entries r where r.platform_id = ${platformId} and r.reverses_entry = e.entry_id
  ) as reversed_by`;

/** Lines of an account after a position, at most `countMax`, in the order in which they are effective. */
export async function listStatementLines(
  db: Db,
  platformId: number,
  { account, party, currency }: AccountKey,
  asOf: AsOf,
  { after, countMax }: { after: StatementPosition; countMax: number },
): Promise<StatementLine[]> {
  const { rows } = await sql<StatementLine>`
    select l.line, l.amount, ${shownEntryOf(platformId)}
    from (
      select entry_id, line, amount, effective_at, ordinal from ledger_lines
      where platform_id = ${platformId} and account = ${account} and party = ${party} and currency = ${currency}
        and (effective_at, ordinal, line) > (${after.effectiveAt}, ${after.ordinal}, ${after.line})
        and effective_at <= ${atOf(asOf)} and recorded_at <= ${knownAtOf(asOf)}
      order by effective_at, ordinal, line limit ${countMax}
    ) l
    join ledger_entries e on e.platform_id = ${platformId} and e.entry_id = l.entry_id
    left join ledger_numbers n on n.platform_id = ${platformId} and n.entry_id = l.entry_id
    order by l.effective_at, l.ordinal, l.line
    ${unprepared}`.execute(db);
  return rows;
}

/** The balance of an account before the first line after a position. */
export async function findOpeningBalance(
  db: Db,
  platformId: number,
  key: AccountKey,
  { knownAt }: AsOf,
  { effectiveAt, ordinal, line }: StatementPosition,
): Promise<bigint> {
  const before = await findBalance(db, platformId, key, { at: effectiveAt - 1, knownAt });
  const { rows } = await sql<{ balance: string | null }>`
    select sum(amount) as balance from ledger_lines
    where platform_id = ${platformId} and account = ${key.account} and party = ${key.party}
      and currency = ${key.currency} and effective_at = ${effectiveAt} and (ordinal, line) <= (${ordinal}, ${line})
      and recorded_at <= ${knownAtOf({ at: null, knownAt })}`.execute(db);
  return before + BigInt(rows[0]?.balance ?? 0);
}

/** Finds an entry as it is shown; undefined for an unknown one. The id can be any text. */
export async function findShownEntry(
  db: Db,
  platformId: number,
  entryId: string,
): Promise<ShownEntry | undefined> {
  if (!isUuid(entryId)) return undefined;
  const { rows } = await sql<ShownEntry>`
    select ${shownEntryOf(platformId)} from ledger_entries e
    left join ledger_numbers n on n.platform_id = ${platformId} and n.entry_id = e.entry_id
    where e.platform_id = ${platformId} and e.entry_id = ${entryId}`.execute(db);
  return rows[0];
}

/** The journal after a position: entries in the order in which they are effective, at most `countMax`. */
export async function listJournal(
  db: Db,
  platformId: number,
  asOf: AsOf,
  { after, countMax }: { after: Omit<StatementPosition, 'line'>; countMax: number },
): Promise<ShownEntry[]> {
  const { rows } = await sql<ShownEntry>`
    select ${shownEntryOf(platformId)}
    from (
      select entry_id from ledger_entries
      where platform_id = ${platformId} and (effective_at, ordinal) > (${after.effectiveAt}, ${after.ordinal})
        and effective_at <= ${atOf(asOf)} and recorded_at <= ${knownAtOf(asOf)}
      order by effective_at, ordinal limit ${countMax}
    ) page
    join ledger_entries e on e.platform_id = ${platformId} and e.entry_id = page.entry_id
    left join ledger_numbers n on n.platform_id = ${platformId} and n.entry_id = page.entry_id
    order by e.effective_at, e.ordinal
    ${unprepared}`.execute(db);
  return rows;
}
