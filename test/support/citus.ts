/**
 * The cluster of DATABASE_URL for a run of `npm run test:citus`, with a distributed template on each node, from which each test file's
 * database is cloned. The login must be a superuser and reach every node; the nodes must trust its roles.
 */
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { TestProject } from 'vitest/node';
import { distribute, onCluster } from '#infra/database/citus';
import { migrate } from '#infra/database/migrate';
import type { PostgresEndpoint } from '#infra/embedded-postgres/embedded-postgres';
import { dropOnNodes, makeOnNodes, on } from './cluster.ts';
import { TEMPLATE_DATABASE } from './postgres.ts';
import { measureSlowness } from './slowness.ts';

/** Few, so that cloning a database is fast. */
const SHARDS = 4;
const OWNER = 'tradeline_owner';
const SERVICE = 'tradeline_service';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const coordinator = endpointOf(process.env.DATABASE_URL ?? '');
  const nodes = await on(coordinator, async (admin) => {
    project.provide('slowness', await measureSlowness(admin));
    return nodesOf(admin, coordinator);
  });
  const password = randomBytes(16).toString('hex');
  await on(coordinator, (admin) => makeRoles(admin, password));
  await dropOnNodes(nodes, TEMPLATE_DATABASE);
  await makeOnNodes(nodes, TEMPLATE_DATABASE, OWNER);
  const owner = { ...coordinator, user: OWNER, password };
  const options = `-c citus.shard_count=${SHARDS}`;
  await migrate({ ...owner, database: TEMPLATE_DATABASE }, () => {});
  await onCluster({ ...owner, database: TEMPLATE_DATABASE, options }, (client) =>
    distribute(client, () => {}),
  );
  // A database with open connections cannot be cloned, and Citus keeps a process connected to each.
  for (const node of nodes) await on(node, closeTemplate);
  const service = { ...coordinator, user: SERVICE, password };
  project.provide('postgres', { superuser: coordinator, owner, service, nodes });
  return () => dropOnNodes(nodes, TEMPLATE_DATABASE);
}

function endpointOf(url: string): PostgresEndpoint {
  const { hostname, port, username, password, pathname } = new URL(url);
  const decoded = (text: string) => decodeURIComponent(text);
  return {
    host: hostname,
    port: Number(port || 5432),
    user: decoded(username),
    password: decoded(password),
    database: decoded(pathname.slice(1)),
  };
}

/** All nodes, the coordinator first. */
async function nodesOf(admin: pg.Client, coordinator: PostgresEndpoint): Promise<PostgresEndpoint[]> {
  const { rows } = await admin.query<{ host: string; port: number }>(
    "select nodename as host, nodeport as port from pg_dist_node where groupid > 0 and noderole = 'primary' order by groupid",
  );
  return [coordinator, ...rows.map(({ host, port }) => ({ ...coordinator, host, port }))];
}

/** Citus creates them on the other nodes too. */
async function makeRoles(admin: pg.Client, password: string): Promise<void> {
  for (const role of [OWNER, SERVICE]) {
    const { rows } = await admin.query('select from pg_roles where rolname = $1', [role]);
    if (rows.length === 0) await admin.query(`create role ${role}`);
    await admin.query(`alter role ${role} login password '${password}'`);
  }
  await admin.query(`grant ${SERVICE} to ${OWNER} with admin option`);
}

async function closeTemplate(admin: pg.Client): Promise<void> {
  await admin.query(`alter database ${TEMPLATE_DATABASE} allow_connections false`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    TEMPLATE_DATABASE,
  ]);
}
