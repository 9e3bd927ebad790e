/** What the database refuses as an entry, from any role and by any statement. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paymentPosting, postOn } from '#test/ledger';
import { createWorld, type World } from '#test/world';
import { findJournalEntry } from './journal.queries.ts';

let world: World;
let platformId: number;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  platformId = world.platform.platform_id;
  await postOn(world, platformId, paymentPosting());
});
afterAll(() => world.close());

const find = (entryId: string | undefined) =>
  findJournalEntry(world.installation.db, platformId, entryId ?? '');
const entriesStored = async () =>
  (await world.sql<{ count: string }>('select count(*) from ledger_entries'))[0]?.count;

/** Columns of a forged row as SQL, where they differ from a well-formed one. */
type Forged = Record<string, string>;

const FORGED = '11111111-1111-1111-1111-111111111111';

const entrySql = (entryId: string, changes: Forged) => {
  const columns = {
    ...{ platform_id: `${platformId}`, entry_id: `'${entryId}'`, cause: "'CORRECTED'", currency: "'EUR'" },
    ...{ effective_at: '1', actor: "'forger'", line_count: '2', ...changes },
  };
  return `insert into ledger_entries (${Object.keys(columns).join()}) values (${Object.values(columns).join()})`;
};

const lineColumns = (changes: Forged) => ({
  ...{ platform_id: 'platform_id', entry_id: 'entry_id', line: '1', account: "'loss'", party: "''" },
  ...{ amount: '1', currency: 'currency', effective_at: 'effective_at', recorded_at: 'recorded_at' },
  ...{ ordinal: 'ordinal', ...changes },
});

/** Lines of the entries in `from`, in one statement. */
const linesSql = (from: string, lines: readonly Forged[]) =>
  `insert into ledger_lines (${Object.keys(lineColumns({})).join()})
    ${lines.map((line) => `select ${Object.values(lineColumns(line)).join()} from ${from}`).join(' union all ')}`;

/** A new entry with its lines, in one statement. */
const forgedEntry = (entry: Forged, lines: readonly Forged[], entryId = FORGED) =>
  `with entry as (${entrySql(entryId, entry)} returning *) ${lines.length > 0 ? linesSql('entry', lines) : 'select from entry'}`;

const DEBIT = { line: '1' };
const CREDIT = { line: '2', amount: '-1' };
const OTHER_VALUES = { currency: "'GBP'", effective_at: '2', recorded_at: 'now()', ordinal: 'ordinal + 1' };

/** The error of a check at the commit. A cluster reports only that a node has refused it. */
const REFUSED_AT_COMMIT = /has other lines than it says|could not commit transaction for shard/;

describe.each<[string, (statement: string) => Promise<unknown>]>([
  ['the owner of the schema', (statement) => world.sql(statement)],
  ['the service', (statement) => sql.raw(statement).execute(world.installation.db)],
])('the database refuses to %s', (_, run) => {
  it('no well-formed entry', async () => {
    const entryId = randomUUID();
    await run(forgedEntry({}, [DEBIT, CREDIT], entryId));
    expect((await find(entryId))?.lines).toHaveLength(2);
  });

  it.each<[string, Forged, Forged[], string | RegExp]>([
    ['an entry without lines, also if they would follow', {}, [], REFUSED_AT_COMMIT],
    ['an entry that lacks a line', { line_count: '3' }, [DEBIT, CREDIT], 'has other lines than it says'],
    ['an entry of one line', { line_count: '1' }, [DEBIT], 'check constraint'],
    ['lines that are not numbered from 1', {}, [CREDIT, { line: '3' }], 'has other lines than it says'],
    ['lines that do not sum to zero', {}, [DEBIT, { ...CREDIT, amount: '-2' }], 'do not sum to zero'],
    ...Object.entries(OTHER_VALUES).map(([column, value]): [string, Forged, Forged[], string] => [
      `a line with another ${column}`,
      {},
      [{ ...DEBIT, [column]: value }, CREDIT],
      'has other lines than it says',
    ]),
    [
      'a line of 0',
      {},
      [
        { ...DEBIT, amount: '0' },
        { ...CREDIT, amount: '0' },
      ],
      'check constraint',
    ],
    ['an unknown account', {}, [{ ...DEBIT, account: "'petty_cash'" }, CREDIT], 'check constraint'],
    ['a party where none is', {}, [{ ...DEBIT, party: "'x'" }, CREDIT], 'ledger_lines_party_check'],
    ['no party where one is', {}, [{ ...DEBIT, account: "'bank'" }, CREDIT], 'ledger_lines_party_check'],
    [
      'a party that is no external_id',
      {},
      [{ ...DEBIT, account: "'bank'", party: "'a b'" }, CREDIT],
      'ledger_lines_party_check',
    ],
    [
      'a party that is too long',
      {},
      [{ ...DEBIT, account: "'bank'", party: "repeat('x', 101)" }, CREDIT],
      'ledger_lines_party_check',
    ],
    ['an unknown cause', { cause: "'GIFT'" }, [DEBIT, CREDIT], 'check constraint'],
  ])('%s', async (_, entry, lines, message) => {
    const before = await entriesStored();
    await expect(run(forgedEntry(entry, lines))).rejects.toThrow(message);
    expect(await entriesStored()).toBe(before);
  });

  it.each<[string, Forged[]]>([
    ['of 0 sum', [{ line: '3' }, { line: '4', amount: '-1' }]],
    [
      'of another currency',
      [
        { line: '3', currency: "'GBP'" },
        { line: '4', currency: "'GBP'", amount: '-1' },
      ],
    ],
    ['of numbers that it has not', [{ line: '5' }, { line: '6', amount: '-1' }]],
  ])('lines %s that are added to an entry later, by themselves or beside a new entry', async (_, lines) => {
    const [entryId = ''] = await postOn(world, platformId, paymentPosting());
    const existing = `ledger_entries where entry_id = '${entryId}'`;
    await expect(run(linesSql(existing, lines))).rejects.toThrow('has other lines than it says');
    const beside = `with added as (${linesSql(existing, lines)}), entry as (${entrySql(FORGED, {})} returning *)
      ${linesSql('entry', [DEBIT, CREDIT])}`;
    await expect(run(beside)).rejects.toThrow('has other lines than it says');
    expect((await find(entryId))?.lines).toHaveLength(2);
  });

  it('a line twice', async () => {
    const [entryId = ''] = await postOn(world, platformId, paymentPosting());
    await expect(
      run(linesSql(`ledger_entries where entry_id = '${entryId}'`, [DEBIT, CREDIT])),
    ).rejects.toThrow('ledger_lines_pkey');
  });

  it.each<[string, (other: number) => Forged]>([
    ['an entry that does not exist', () => ({ entry_id: `'${FORGED}'::uuid` })],
    ['an entry of another platform', (other) => ({ platform_id: `${other}` })],
  ])('lines of %s', async (_, changesFor) => {
    const other = await world.addPlatform();
    const [entryId = ''] = await postOn(world, platformId, paymentPosting());
    const changes = changesFor(other.platform.platform_id);
    const lines = [DEBIT, CREDIT].map((line) => ({ ...line, ...changes }));
    await expect(run(linesSql(`ledger_entries where entry_id = '${entryId}'`, lines))).rejects.toThrow(
      'does not exist',
    );
  });

  it('a reversal that is not the opposite', async () => {
    const [entryId = ''] = await postOn(world, platformId, paymentPosting());
    const forged = forgedEntry({ reverses_entry: `'${entryId}'` }, [DEBIT, CREDIT]);
    await expect(run(forged)).rejects.toThrow('is not the opposite');
  });
});
