/** Databases on the cluster of `npm run test:citus`. Each exists on every node. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { PostgresEndpoint } from '#infra/embedded-postgres/embedded-postgres';
import { TEMPLATE_DATABASE } from './postgres.ts';

export interface ClusterDatabase {
  /** The settings of a program that uses it as its owner. */
  env: Record<string, string>;
  /** SQL as the superuser, on the coordinator. */
  sql<Row = Record<string, unknown>>(text: string): Promise<Row[]>;
  /** Its name on each node. */
  name: string;
  drop(): Promise<void>;
}

/** Whether the tests run on a cluster. Skip tests that examine a single server: its locks, plans or databases. */
export const isOnCluster = (): boolean => inject('postgres').nodes.length > 1;

export async function on<T>(
  endpoint: PostgresEndpoint & pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(endpoint);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Creates a database on each node, the coordinator first, and joins them. */
export async function makeOnNodes(
  nodes: readonly PostgresEndpoint[],
  database: string,
  owner: string,
): Promise<void> {
  for (const node of nodes) {
    await on(node, (admin) => admin.query(`create database ${database} owner ${owner}`));
    await on({ ...node, database }, (admin) => admin.query('create extension citus'));
  }
  const [coordinator, ...workers] = nodes as [PostgresEndpoint, ...PostgresEndpoint[]];
  await on({ ...coordinator, database }, async (admin) => {
    await admin.query('select citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port]);
    for (const { host, port } of workers) await admin.query('select citus_add_node($1, $2)', [host, port]);
  });
}

export async function dropOnNodes(nodes: readonly PostgresEndpoint[], database: string): Promise<void> {
  for (const node of nodes)
    await on(node, (admin) => admin.query(`drop database if exists ${database} with (force)`));
}

/** Creates an empty database with Citus. `settings` are those of the sessions of its programs. */
export async function makeClusterDatabase(settings: Record<string, string> = {}): Promise<ClusterDatabase> {
  const { nodes, owner } = inject('postgres');
  const database = `moving_${randomBytes(6).toString('hex')}`;
  await makeOnNodes(nodes, database, owner.user);
  return clusterDatabase(database, settings);
}

/** A database with the distributed tables of the service, without rows. */
export async function cloneClusterDatabase(): Promise<ClusterDatabase> {
  return clusterDatabase(await cloneTemplate(), {});
}

/** Clones the template on each node, and returns the name of the clone. */
export async function cloneTemplate(): Promise<string> {
  const database = `world_${randomBytes(6).toString('hex')}`;
  for (const node of inject('postgres').nodes)
    await on(node, (admin) =>
      admin.query(`create database ${database} template ${TEMPLATE_DATABASE} owner tradeline_owner`),
    );
  return database;
}

function clusterDatabase(database: string, settings: Record<string, string>): ClusterDatabase {
  const { nodes, owner } = inject('postgres');
  const { user, password, host, port } = owner;
  const all = Object.entries({ 'citus.shard_count': '4', ...settings });
  const options = encodeURIComponent(all.map(([name, value]) => `-c ${name}=${value}`).join(' '));
  return {
    env: { DATABASE_URL: `postgres://${user}:${password}@${host}:${port}/${database}?options=${options}` },
    sql: (text) =>
      on({ ...(nodes[0] as PostgresEndpoint), database }, async (admin) => {
        const { rows } = await admin.query(text);
        return rows as never;
      }),
    name: database,
    drop: () => dropOnNodes(nodes, database),
  };
}
