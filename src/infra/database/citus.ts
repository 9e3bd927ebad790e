/**
 * PostgreSQL with Citus: tables on several machines. The program detects Citus automatically. `distribute` distributes the tables; from
 * then on each migration keeps them distributed.
 */
import type pg from 'pg';
import { StartRefused } from '#kernel/start-refused';
import { SERVICE_ROLE } from './database.ts';
import { withOwnerConnection } from './owner-connection.ts';
import { statementsOf } from './statements-of.ts';
import { DISTRIBUTION_COLUMN, TABLE_PLACES, type TablePlace } from './table-places.ts';

export interface Cluster {
  /** The version of Citus. */
  version: string;
  /** Nodes that hold shards. */
  nodes: number;
}

/** A table, the place that it should have, and the place that it has. */
export interface PlacedTable {
  name: string;
  goesTo: TablePlace;
  isAt: TablePlace;
}

/** Undefined for PostgreSQL without Citus in this database. Throws StartRefused on a node other than the coordinator. */
export async function findCluster(client: pg.ClientBase): Promise<Cluster | undefined> {
  const { rows } = await client.query<{ version: string }>(
    "select extversion as version from pg_extension where extname = 'citus'",
  );
  const [citus] = rows;
  if (!citus) return undefined;
  const { rows: nodes } = await client.query<{ is_coordinator: boolean; nodes: number }>(
    `select citus_is_coordinator() as is_coordinator,
      (select count(*)::int from pg_dist_node where isactive and shouldhaveshards and noderole = 'primary') as nodes`,
  );
  // Advisory locks belong to one node, so all processes must take them on the same node.
  if (!nodes[0]?.is_coordinator)
    throw new StartRefused(
      'The database is a worker node of Citus: DATABASE_URL must lead to the coordinator.',
    );
  return { version: citus.version, nodes: nodes[0].nodes };
}

/** Runs work on the cluster that the login leads to. Throws StartRefused for PostgreSQL without Citus. */
export async function onCluster<T>(
  owner: pg.ClientConfig,
  work: (client: pg.Client, cluster: Cluster) => Promise<T>,
): Promise<T> {
  return withOwnerConnection(owner, async ({ client }) => {
    const cluster = await findCluster(client);
    if (!cluster)
      throw new StartRefused(
        'The database is PostgreSQL without Citus, which runs on one machine: create the extension citus in it and add nodes, or leave it as it is.',
      );
    return work(client, cluster);
  });
}

/** Whether tables of the database are on the nodes of a cluster. */
export async function isDistributed(owner: pg.ClientConfig): Promise<boolean> {
  return withOwnerConnection(
    owner,
    async ({ client }) => (await findCluster(client)) !== undefined && areDistributed(client),
  );
}

async function areDistributed(client: pg.ClientBase): Promise<boolean> {
  const tables = await listPlacedTables(client);
  return tables.some(({ isAt }) => isAt !== 'local');
}

/** The tables of the schema, by name. */
export async function listPlacedTables(client: pg.ClientBase): Promise<PlacedTable[]> {
  const { rows } = await client.query<{ name: string; is_reference: boolean; key: string | null }>(
    `select c.relname as name, p.partmethod = 'n' and p.repmodel = 't' as is_reference,
      column_to_column_name(p.logicalrelid, p.partkey) as key
    from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname = any($1)
    order by c.relname`,
    [Object.keys(TABLE_PLACES)],
  );
  return rows.map(({ name, is_reference, key }) => ({
    name,
    goesTo: TABLE_PLACES[name as keyof typeof TABLE_PLACES],
    isAt: is_reference ? 'reference' : key === null ? 'local' : 'distributed',
  }));
}

/**
 * Brings each table to its place and returns the names of those that moved. Each table moves in its own transaction: after an interruption,
 * the next call continues. A concurrent call waits, and so does a migration. Throws StartRefused.
 */
export async function distribute(
  client: pg.ClientBase,
  report: (sentence: string) => void,
): Promise<string[]> {
  const { PG_MIGRATE_LOCK_ID } = await import('node-pg-migrate');
  await client.query('select pg_advisory_lock($1)', [PG_MIGRATE_LOCK_ID]);
  try {
    await setForCluster(client);
    await ensureServiceLogin(client);
    return await placeTables(client, report);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [PG_MIGRATE_LOCK_ID]);
  }
}

/** `Citus 13.2-1 with 2 nodes` */
export const describeCluster = ({ version, nodes }: Cluster): string =>
  `Citus ${version} with ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`;

/** Distributes tables that a migration has created in a database that is already distributed, in whole or in part. */
export async function keepDistributed(
  client: pg.ClientBase,
  report: (sentence: string) => void,
): Promise<void> {
  const cluster = await findCluster(client);
  if (!cluster) return;
  const isSpread = await areDistributed(client);
  if (isSpread) await distribute(client, report);
  report(
    `${describeCluster(cluster)}: its tables are ${isSpread ? 'distributed' : 'on the coordinator until `tradeline distribute`'}.`,
  );
}

/** Prepares the session of a migration, if the database is on a cluster. */
export async function prepareMigration(client: pg.ClientBase): Promise<void> {
  if (!(await findCluster(client))) return;
  await setForCluster(client);
  // Citus passes the text of a schema change to the nodes, where it must be one statement.
  const query = client.query.bind(client) as (text: string, values?: unknown[]) => Promise<unknown>;
  client.query = (async (text: string, values?: unknown[]) => {
    if (typeof text !== 'string' || values !== undefined) return query(text, values);
    let result: unknown;
    for (const statement of statementsOf(text)) result = await query(statement);
    return result;
  }) as typeof client.query;
}

async function setForCluster(client: pg.ClientBase): Promise<void> {
  for (const setting of SETTINGS) await client.query(`set ${setting}`);
}

/** The settings of a session that moves or changes tables. */
const SETTINGS = [
  // One connection per node, because several cannot write to a referenced table at the same time.
  "citus.multi_shard_modify_mode = 'sequential'",
  // Our triggers read and write rows of the platform of their row, which are on the same shard.
  'citus.enable_unsafe_triggers = on',
  // A table that refers to a reference table stays as it is until it is distributed itself.
  'citus.enable_local_reference_table_foreign_keys = off',
];

/** Citus connects to its nodes as the role that runs a statement. */
async function ensureServiceLogin(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ may: boolean }>(
    'select rolcanlogin as may from pg_roles where rolname = $1',
    [SERVICE_ROLE],
  );
  if (rows[0]?.may) return;
  await client.query(`alter role ${SERVICE_ROLE} login`).catch((error: Error) => {
    throw new StartRefused(
      `Citus connects to its nodes as ${SERVICE_ROLE}, which may not log in (${error.message}): let an administrator run \`alter role ${SERVICE_ROLE} login\`.`,
      { cause: error },
    );
  });
}

async function placeTables(client: pg.ClientBase, report: (sentence: string) => void): Promise<string[]> {
  const tables = await listPlacedTables(client);
  const moving = await referencedFirst(
    client,
    tables.filter(({ goesTo, isAt }) => goesTo !== isAt),
  );
  const elsewhere = moving.find(({ isAt }) => isAt !== 'local');
  if (elsewhere) throw new StartRefused(misplaced(elsewhere));
  if (moving.length > 0) await assertNotInUse(client, moving);
  let beside = tables.find(({ isAt }) => isAt === 'distributed')?.name;
  for (const table of moving) {
    await placeTable(client, table, beside ?? 'none');
    if (table.goesTo === 'distributed') beside ??= table.name;
    report(`Moved the table ${table.name}: ${table.goesTo}.`);
  }
  await restoreTriggers(client);
  await discardCopiedRows(client);
  return moving.map(({ name }) => name);
}

function misplaced({ name, goesTo, isAt }: PlacedTable): string {
  return `The table ${name} is ${isAt} and should be ${goesTo}: run \`select undistribute_table('${name}')\` first.`;
}

/** Sorts the tables so that each comes after those that it refers to. */
async function referencedFirst(client: pg.ClientBase, tables: PlacedTable[]): Promise<PlacedTable[]> {
  const { rows } = await client.query<{ name: string; refers_to: string }>(
    `select distinct t.relname as name, r.relname as refers_to
    from pg_constraint f join pg_class t on t.oid = f.conrelid join pg_class r on r.oid = f.confrelid
    where f.contype = 'f' and f.conrelid <> f.confrelid and t.relnamespace = current_schema()::regnamespace`,
  );
  const ordered: PlacedTable[] = [];
  let rest = tables;
  while (rest.length > 0) {
    const waiting = new Set(rest.map(({ name }) => name));
    const blocked = new Set(rows.filter((row) => waiting.has(row.refers_to)).map(({ name }) => name));
    const next = rest.filter(({ name }) => !blocked.has(name));
    if (next.length === 0) throw new Error(`Tables refer to each other in a circle: ${[...waiting]}`);
    ordered.push(...next);
    rest = rest.filter(({ name }) => blocked.has(name));
  }
  return ordered;
}

/** Between two moves, the service would find one table on the nodes and another on the coordinator. A new table has no rows yet. */
async function assertNotInUse(client: pg.ClientBase, moving: PlacedTable[]): Promise<void> {
  const { rows } = await client.query<{ has_rows: boolean; is_served: boolean }>(
    `select
      exists (select from pg_class where relnamespace = current_schema()::regnamespace and relname = any($1)
        and pg_relation_size(oid) > 0) as has_rows,
      exists (select from pg_stat_activity where datname = current_database() and application_name = 'tradeline') as is_served`,
    [moving.map(({ name }) => name)],
  );
  if (rows[0]?.has_rows && rows[0].is_served)
    throw new StartRefused('The service is running on this database: stop all its processes first.');
}

/**
 * Distributes a table with its rows. Its triggers are disabled until all tables are placed: copied rows are not new rows, and the rows that
 * triggers read may not have moved yet.
 */
async function placeTable(
  client: pg.ClientBase,
  { name, goesTo }: PlacedTable,
  beside: string,
): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`alter table ${name} disable trigger user`);
    if (goesTo === 'reference') await client.query('select create_reference_table($1)', [name]);
    else
      await client.query('select create_distributed_table($1, $2, colocate_with => $3)', [
        name,
        DISTRIBUTION_COLUMN,
        beside,
      ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Enables all triggers again, also those that an interrupted call left disabled. */
async function restoreTriggers(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = current_schema()::regnamespace and c.relname = any($1) and not t.tgisinternal and t.tgenabled = 'D'
    order by c.relname`,
    [Object.keys(TABLE_PLACES)],
  );
  for (const { name } of rows) await client.query(`alter table ${name} enable trigger user`);
}

/** Discards the rows that a moved table still has in its file on the coordinator, where no statement sees them. */
async function discardCopiedRows(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where c.relname = any($1) and pg_relation_size(c.oid) > 0 order by c.relname`,
    [Object.keys(TABLE_PLACES)],
  );
  for (const { name } of rows)
    await client.query('select truncate_local_data_after_distributing_table($1)', [name]);
}
