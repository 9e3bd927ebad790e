/** What PostgreSQL does for a query: its plans are read as the service gets them, with unnamed values. */
import type { Db } from '#infra/database/database';
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

/** The same database, which adds to `sent` whatever it is asked. */
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

/** Runs the query while listening to its statements, and explains each as it was sent. */
export async function plansOf(world: World, run: (db: Db) => Promise<unknown>): Promise<Plan[]> {
  const sent: SentStatement[] = [];
  await run(listeningTo(world.installation.db, sent));
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

/** The plans of the first page of a list: of its keys, its total and its rows. */
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

/** What a list can be narrowed by: a test that tries each finds a new filter without an index. */
export function filtersOf({ query }: Pick<AnyOperation, 'query'>): string[] {
  const names = Object.keys((query as { properties: object } | undefined)?.properties ?? {});
  return names.filter((name) => !NOT_FILTERS.includes(name)).sort();
}

/** Each column that a list can be sorted by, in both directions. */
export const bothWays = (columns: readonly string[]): string[] =>
  columns.flatMap((column) => [column, `-${column}`]);

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
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

/** What the plans sort by: nothing, where an index has it in order. */
export function sortsOf(plans: Plan[]): string[] {
  return plans
    .flatMap(nodesOf)
    .flatMap((node) => (node['Node Type'].endsWith('Sort') ? (node['Sort Key'] ?? []) : []));
}
