/** Numbers of entries, the head of their chain, and the running totals. */
import { type Selectable, sql } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import type { LedgerHeads } from '#infra/database/schema';
import { unnestRows } from '#infra/database/unnest-rows';
import type { ChainEnd, ChainLink, SealedEnd } from '#kernel/hash-chain';
import { OPEN_ACCOUNTS, OPEN_BY_INVOICE, TOTALLED_BY_PARTY } from './account.rules.ts';
import { type JournalEntry, journalEntryOf } from './journal.queries.ts';

const unprepared = sql.raw(UNPREPARED);

/** A platform with entries that have no number. */
export interface UnnumberedPlatform {
  platform_id: number;
  code: string;
}

export async function findPlatformsWithUnnumberedEntries(db: Db): Promise<UnnumberedPlatform[]> {
  const { rows } = await sql<UnnumberedPlatform>`
    select p.platform_id, p.code
    from (select distinct platform_id from ledger_unnumbered) u join platforms p on p.platform_id = u.platform_id
    order by p.platform_id`.execute(db);
  return rows;
}

export async function countUnnumberedEntries(db: Db, platformId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ledger_unnumbered where platform_id = ${platformId}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Locks the head of the platform's chain; null if another transaction has locked it. `first` becomes the head of a new chain. */
export async function lockLedgerHead(
  db: Db,
  platformId: number,
  { position, ...first }: SealedEnd,
): Promise<ChainEnd | null> {
  await db
    .insertInto('ledger_heads')
    .values({ platform_id: platformId, number: position, ...first })
    .onConflict((oc) => oc.column('platform_id').doNothing())
    .execute();
  const head = await db
    .selectFrom('ledger_heads')
    .selectAll()
    .where('platform_id', '=', platformId)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst();
  return head ? endOf(head) : null;
}

export async function findLedgerHead(db: Db, platformId: number): Promise<SealedEnd | undefined> {
  const head = await db
    .selectFrom('ledger_heads')
    .selectAll()
    .where('platform_id', '=', platformId)
    .executeTakeFirst();
  return head && endOf(head);
}

function endOf({ number, hash, seal }: Selectable<LedgerHeads>): SealedEnd {
  return { position: number, hash, seal };
}

/** The first unnumbered entries, at most `countMax`, in the order in which they were posted. */
export async function listUnnumberedEntries(
  db: Db,
  platformId: number,
  countMax: number,
): Promise<JournalEntry[]> {
  const { rows } = await sql<JournalEntry>`
    select ${journalEntryOf(platformId)}
    from (
      select entry_id from ledger_unnumbered where platform_id = ${platformId} order by ordinal limit ${countMax}
    ) u
    join ledger_entries e on e.platform_id = ${platformId} and e.entry_id = u.entry_id
    order by e.ordinal
    ${unprepared}`.execute(db);
  return rows;
}

export interface NumberedEntry extends ChainLink {
  entry_id: string;
  ordinal: number;
}

const unnestNumbered = unnestRows<NumberedEntry>('i', {
  number: ['bigint', 'position'],
  entry_id: ['uuid', 'entry_id'],
  ordinal: ['bigint', 'ordinal'],
  hash: ['bytea', 'hash'],
  previous_hash: ['bytea', 'previous_hash'],
});

/** Numbers entries, adds them to the totals and the open balances, and moves the head. The caller has locked the head. */
export async function writeNumbers(
  db: Db,
  platformId: number,
  numbered: readonly NumberedEntry[],
  { position, hash, seal }: SealedEnd,
): Promise<void> {
  await sql`
    with input as materialized (
      select * from ${unnestNumbered(numbered)}
    ), numbers as (
      insert into ledger_numbers (platform_id, number, entry_id, hash, previous_hash)
      select ${platformId}, number, entry_id, hash, previous_hash from input
    ), taken as (
      delete from ledger_unnumbered u using input i where u.platform_id = ${platformId} and u.ordinal = i.ordinal
    ), totals as (
      insert into ledger_totals as t (platform_id, account, party, currency, effective_day, recorded_day, amount)
      select ${platformId}, l.account, case when l.account = any(${TOTALLED_BY_PARTY}) then l.party else '' end, l.currency,
        l.effective_at / 86400, floor(extract(epoch from l.recorded_at) / 86400), sum(l.amount)
      from input i join ledger_lines l on l.platform_id = ${platformId} and l.entry_id = i.entry_id
      group by 2, 3, 4, 5, 6
      on conflict (platform_id, account, party, currency, effective_day, recorded_day)
        do update set amount = t.amount + excluded.amount
    ), open as (
      insert into ledger_open_balances as o (platform_id, account, party, currency, invoice_external_id, amount)
      select ${platformId}, l.account, l.party, l.currency,
        case l.account when ${OPEN_BY_INVOICE} then coalesce(e.invoice_external_id, '') else '' end, sum(l.amount)
      from input i
      join ledger_entries e on e.platform_id = ${platformId} and e.entry_id = i.entry_id
      join ledger_lines l on l.platform_id = ${platformId} and l.entry_id = i.entry_id
      where l.account = any(${OPEN_ACCOUNTS})
      group by 2, 3, 4, 5
      on conflict (platform_id, account, party, currency, invoice_external_id)
        do update set amount = o.amount + excluded.amount
    )
    update ledger_heads set number = ${position}, hash = ${hash}, seal = ${seal} where platform_id = ${platformId}
    ${unprepared}`.execute(db);
}

/** A link of the chain with its entry as it is now stored; null if the entry is missing. */
export type ChainedEntry = ChainLink & { entry: JournalEntry | null };

/** The links after a number, at most `countMax`, in order. */
export async function listChainAfter(
  db: Db,
  platformId: number,
  number: number,
  countMax: number,
): Promise<ChainedEntry[]> {
  const { rows } = await sql<ChainLink & (JournalEntry | { entry_id: null })>`
    select n.number as position, n.hash, n.previous_hash, ${journalEntryOf(platformId)}
    from ledger_numbers n
    left join ledger_entries e on e.platform_id = ${platformId} and e.entry_id = n.entry_id
    where n.platform_id = ${platformId} and n.number > ${number}
    order by n.number limit ${countMax}`.execute(db);
  return rows.map(({ position, hash, previous_hash, ...entry }) => ({
    ...{ position, hash, previous_hash },
    entry: entry.entry_id === null ? null : (entry as JournalEntry),
  }));
}

/** Entries that neither have a number nor wait for one, at most `countMax`. */
export async function listUnchainedEntries(db: Db, platformId: number, countMax: number): Promise<string[]> {
  const { rows } = await sql<{ entry_id: string }>`
    select e.entry_id from ledger_entries e
    left join ledger_numbers n on n.platform_id = ${platformId} and n.entry_id = e.entry_id
    left join ledger_unnumbered u on u.platform_id = ${platformId} and u.ordinal = e.ordinal
    where e.platform_id = ${platformId} and n.entry_id is null and u.ordinal is null
    order by e.ordinal limit ${countMax}
    ${unprepared}`.execute(db);
  return rows.map(({ entry_id: entryId }) => entryId);
}
