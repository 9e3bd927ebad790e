/** The plans of PostgreSQL for a query, as the service gets them, with parameters instead of values. */
import { sql } from 'kysely';
import pg from 'pg';
import { type Db, UNPREPARED } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import { type CursorPage, cursorPageOf } from '#operation/list';
import type { ListContext } from '#operation/list-table.queries';
import type { AnyOperation } from '#operation/operation';
import type { World } from './world.ts';

export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Sort Key'?: string[];
  Plans?: Plan[];
}

export interface SentStatement {
  text: string;
  values: unknown[];
}

/** The same database, which adds every statement to `sent`. */
export function listeningTo(db: Db, sent: SentStatement[]): Db {
  const compile = db.getExecutor().compileQuery.bind(db.getExecutor());
  return db.withPlugin({
    transformQuery({ node, queryId }) {
      const { sql: text, parameters } = compile(node, queryId);
      sent.push({ text, values: [...parameters] });
      return node;
    },
    transformResult: async ({ result }) => result,
  });
}

/** Runs the query while listening to its statements. */
async function statementsOf(world: World, run: (db: Db) => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  await run(listeningTo(world.installation.db, sent));
  return sent;
}

/** Explains each statement of a query as it was sent. */
export async function plansOf(world: World, run: (db: Db) => Promise<unknown>): Promise<Plan[]> {
  const sent = await statementsOf(world, run);
  return Promise.all(
    sent.map(async ({ text, values }) => {
      const [row] = await world.sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (format json) ${text}`,
        values,
      );
      if (!row) throw new Error(`No plan for ${text}`);
      return row['QUERY PLAN'][0].Plan;
    }),
  );
}

/** The amount that the statements of a query read. */
interface Read {
  buffers: number;
  rows: number;
}

/**
 * The amount that the statements of a query read, with the settings of the service. A prepared statement is planned for the sent values and
 * for any values, because a connection may keep either plan. The plan that reads more counts.
 */
export async function readBy(world: World, run: (db: Db) => Promise<unknown>): Promise<Read> {
  const sent = await statementsOf(world, run);
  const reads = await inTransaction(world.installation.db, async (db) => {
    const found: Read[] = [];
    for (const { text, values } of sent) {
      await sql.raw(`prepare read_by as ${text}`).execute(db);
      const execute = `execute read_by${argumentsOf({ text, values })}`;
      const modes = ['force_custom_plan', ...(isPrepared({ text }) ? ['force_generic_plan'] : [])];
      const ofModes: Read[] = [];
      for (const mode of modes) {
        await sql`select set_config('plan_cache_mode', ${mode}, true)`.execute(db);
        ofModes.push(await readOnce(db, execute));
      }
      found.push({
        rows: Math.max(...ofModes.map(({ rows }) => rows)),
        buffers: Math.max(...ofModes.map(({ buffers }) => buffers)),
      });
      await sql`deallocate read_by`.execute(db);
    }
    return found;
  });
  return totalOf(reads);
}

/**
 * The amount that the prepared statements of a query read after `fill`, by plans that were made before it, as on a connection of a new
 * installation. Each must be sent before `fill` too, with the same values.
 */
export async function readAfter(
  world: World,
  run: (db: Db) => Promise<unknown>,
  fill: () => Promise<unknown>,
): Promise<Read> {
  const prepared = (await statementsOf(world, run)).filter(isPrepared);
  return inTransaction(world.installation.db, async (db) => {
    await sql`select set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(db);
    const executed = prepared.map((each, nth) => `execute read_after_${nth}${argumentsOf(each)}`);
    for (const [nth, { text }] of prepared.entries()) {
      await sql.raw(`prepare read_after_${nth} as ${text}`).execute(db);
      await sql.raw(`explain ${executed[nth]}`).execute(db);
    }
    await fill();
    const reads: Read[] = [];
    for (const [nth, execute] of executed.entries()) {
      reads.push(await readOnce(db, execute));
      await sql.raw(`deallocate read_after_${nth}`).execute(db);
    }
    return totalOf(reads);
  });
}

const isPrepared = ({ text }: Pick<SentStatement, 'text'>) => !text.trimEnd().endsWith(UNPREPARED);

/** Runs a statement, and returns the amount that it read. */
async function readOnce(db: Db, statement: string): Promise<Read> {
  const explain = sql.raw<{ 'QUERY PLAN': [{ Plan: AnalyzedPlan }] }>(
    `explain (analyze, buffers, timing off, format json) ${statement}`,
  );
  const [row] = (await explain.execute(db)).rows;
  if (!row) throw new Error(`No plan for ${statement}`);
  return readIn(row['QUERY PLAN'][0].Plan);
}

const totalOf = (reads: readonly Read[]): Read => ({
  rows: sum(reads.map(({ rows }) => rows)),
  buffers: sum(reads.map(({ buffers }) => buffers)),
});

function readIn(plan: AnalyzedPlan): Read {
  const scans = nodesOf(plan).filter((node) => node['Relation Name'] ?? node['Index Name']) as AnalyzedPlan[];
  return {
    buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    rows: sum(
      scans.map(
        (scan) => (scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)) * scan['Actual Loops'],
      ),
    ),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

interface AnalyzedPlan extends Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

/** The values as arguments of EXECUTE. */
function argumentsOf({ text, values }: SentStatement): string {
  const literals = values.map((value, at) =>
    literalOf(Buffer.isBuffer(value) && text.includes(`$${at + 1}::bytea[]`) ? keysOf(value) : value),
  );
  return literals.length === 0 ? '' : `(${literals.join(', ')})`;
}

/** The value as a literal in the text of a statement. */
function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Buffer.isBuffer(value)) return pg.escapeLiteral(hexOf(value));
  if (Array.isArray(value)) {
    const items = value.map((each) => JSON.stringify(Buffer.isBuffer(each) ? hexOf(each) : each));
    return pg.escapeLiteral(`{${items.join()}}`);
  }
  return pg.escapeLiteral(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

const hexOf = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;

/** As many keys as the binary form of a `bytea[]` has, without their bytes: the planner sees their number. */
const keysOf = (list: Buffer): Buffer[] => Array.from({ length: list.readInt32BE(12) }, () => Buffer.of());

/** Statements that begin and end transactions have no plan. */
const PLANNED = /^\s*(select|insert|update|delete|with)\b/;

/** Adds to `sent` the prepared statements of all connections that are opened from now on. Returns what ends it. */
export function listenToPrepared(sent: SentStatement[]): () => void {
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  pg.Client.prototype.query = function (this: pg.Client, first: unknown, ...rest: unknown[]) {
    const { name, text, values } = (first ?? {}) as { name?: string } & SentStatement;
    if (name !== undefined && PLANNED.test(text)) sent.push({ text, values });
    return query.call(this, first, ...rest);
  } as typeof pg.Client.prototype.query;
  return () => {
    pg.Client.prototype.query = query as typeof pg.Client.prototype.query;
  };
}

/**
 * Whether PostgreSQL plans the prepared statement again at each run with these values. It makes five plans for given values before it
 * compares their mean cost with that of the generic plan.
 */
export async function isPlannedAtEachRun(db: Db, statement: SentStatement): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    await sql.raw(`prepare planned_at_each_run as ${statement.text}`).execute(transaction);
    // EXPLAIN plans the statement and does not run it.
    const explain = sql.raw(`explain execute planned_at_each_run${argumentsOf(statement)}`);
    for (let run = 0; run < 7; run++) await explain.execute(transaction);
    const { rows } = await sql<{ generic_plans: number }>`
      select generic_plans from pg_prepared_statements where name = 'planned_at_each_run'`.execute(
      transaction,
    );
    await sql`deallocate planned_at_each_run`.execute(transaction);
    return Number(rows[0]?.generic_plans) === 0;
  });
}

/** The plans of the first page of a list, for its keys, its total and its rows. */
export async function plansOfList(
  world: World,
  sort_by: string | undefined,
  list: (context: ListContext, page: CursorPage) => Promise<unknown>,
): Promise<Plan[]> {
  const { platform_id: platformId, code, data_key_wrapped } = world.platform;
  const vault = world.installation.vault.forPlatform(code, data_key_wrapped);
  const page = cursorPageOf({ ...(sort_by !== undefined && { sort_by }) });
  return plansOf(world, (db) => list({ db, platformId, vault }, page));
}

const NOT_FILTERS = ['limit', 'offset', 'after', 'total', 'sort_by', 'expand'];

/** The filters of a list. A test that tries each detects a new filter without an index. */
export function filtersOf({ query }: Pick<AnyOperation, 'query'>): string[] {
  const names = Object.keys((query as { properties: object } | undefined)?.properties ?? {});
  return names.filter((name) => !NOT_FILTERS.includes(name)).sort();
}

/** Each column that a list can be sorted by, in both directions. */
export const bothWays = (columns: readonly string[]): string[] =>
  columns.flatMap((column) => [column, `-${column}`]);

/** All nodes of a plan. On a cluster also those of its shards, whose tables and indexes have a number after their names. */
function nodesOf(plan: Plan): Plan[] {
  const { 'Relation Name': table, 'Index Name': index } = plan;
  const node = {
    ...plan,
    ...(table && { 'Relation Name': named(table) }),
    ...(index && { 'Index Name': named(index) }),
  };
  return [node, ...Object.values(plan).flatMap(plansIn)];
}

const named = (name: string) => name.replace(/_\d{6,}$/, '');

function plansIn(value: unknown): Plan[] {
  if (typeof value !== 'object' || value === null) return [];
  return 'Node Type' in value ? nodesOf(value as Plan) : Object.values(value).flatMap(plansIn);
}

export function tablesReadWhole(plans: Plan[]): (string | undefined)[] {
  return plans
    .flatMap(nodesOf)
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => node['Relation Name']);
}

export function indexesOf(plans: Plan[]): string[] {
  return [...new Set(plans.flatMap(nodesOf).flatMap((node) => node['Index Name'] ?? []))].sort();
}

/** The sort keys of the plans; empty if an index provides the order. */
export function sortsOf(plans: Plan[]): string[] {
  return plans
    .flatMap(nodesOf)
    .flatMap((node) => (node['Node Type'].endsWith('Sort') ? (node['Sort Key'] ?? []) : []));
}
