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
      const written = values.length === 0 ? '' : `(${values.map(literalOf).join(', ')})`;
      const explain = sql.raw<{ 'QUERY PLAN': [{ Plan: AnalyzedPlan }] }>(
        `explain (analyze, buffers, timing off, format json) execute read_by${written}`,
      );
      const isPrepared = !text.trimEnd().endsWith(UNPREPARED);
      const modes = ['force_custom_plan', ...(isPrepared ? ['force_generic_plan'] : [])];
      const ofModes: Read[] = [];
      for (const mode of modes) {
        await sql`select set_config('plan_cache_mode', ${mode}, true)`.execute(db);
        const [row] = (await explain.execute(db)).rows;
        if (!row) throw new Error(`No plan for ${text}`);
        ofModes.push(readIn(row['QUERY PLAN'][0].Plan));
      }
      found.push({
        rows: Math.max(...ofModes.map(({ rows }) => rows)),
        buffers: Math.max(...ofModes.map(({ buffers }) => buffers)),
      });
      await sql`deallocate read_by`.execute(db);
    }
    return found;
  });
  return {
    rows: sum(reads.map(({ rows }) => rows)),
    buffers: sum(reads.map(({ buffers }) => buffers)),
  };
}

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

/** The value as a literal in the text of a statement. */
function literalOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((each) => JSON.stringify(each)).join()}}`);
  return pg.escapeLiteral(String(value));
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
