/** P15: do two platforms on two nodes of a cluster write more than one platform, and what does an order cost there? */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { compare, type Side } from './support/compare.ts';
import type { Measurement } from './support/measure.ts';
import { counting, postOrders, registerParties } from './support/orders.ts';
import { postgresCpuUs, processCpuUs } from './support/process-usage.ts';
import { clientOf, type Program, runCommand, startProgramOn } from './support/program.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const RATIO_BAR = 1.6;
/** A fixed master key, so that the next bench can open the data of this one. */
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');
const CONNECTIONS = 32;
/** This many platforms are all on one node only with a probability of one in a million. */
const PLATFORMS_MAX = 20;

export const writeToCluster: Question = { name: 'write-to-cluster', run };

type Client = ReturnType<typeof clientOf>;

async function run(bench: Bench): Promise<Finding> {
  const url = process.env.DATABASE_URL;
  if (!url)
    throw new Error('Set DATABASE_URL to an empty database on a cluster, as its owner: docs/citus.md.');
  const { started, progress } = bench;
  const settings = {
    DATABASE_URL: url,
    TRADELINE_MASTER_KEY: MASTER_KEY,
    TRADELINE_RATE_LIMIT_PER_SECOND: '0',
  };
  progress('distributing the tables');
  await runCommand(['migrate'], settings);
  await runCommand(['distribute'], settings);
  const { baseUrl, pid } = await startProgramOn(settings, started);
  const nodes = await connectToNodes(url, started);
  progress('making two platforms on two nodes');
  const [first, second] = await addPlatforms(settings, baseUrl, nodes[0] as pg.Client);
  for (const platform of [first, second]) await registerParties(platform);

  const usage = await processorUse(nodes, pid);
  const one = counting(usage.of(ordersOf(bench, [first])));
  const two = counting(usage.of(ordersOf(bench, [first, second])));
  const finding = await compare(bench, { subject: two, baseline: one });
  return {
    ...finding,
    id: 'P15',
    bar: `≥ ${RATIO_BAR}, where cores allow`,
    notes: [
      `One program on a cluster; ${CONNECTIONS} keep-alive connections for each platform, one draft order of two lines at a time on each; every response was a 201.`,
      `Processor time of an order of one platform: ${usage.text(one.name)}.`,
      `Of one of two platforms: ${usage.text(two.name)}.`,
      ...finding.notes,
    ],
  };
}

/** Connects to all nodes, the coordinator first. */
async function connectToNodes(url: string, started: AsyncDisposableStack): Promise<pg.Client[]> {
  const connect = async (config: pg.ClientConfig) => {
    const client = new pg.Client(config);
    await client.connect();
    started.defer(() => client.end());
    return client;
  };
  const coordinator = await connect({ connectionString: url });
  const { rows } = await coordinator.query<{ host: string; port: number }>(
    `select node_name as host, node_port::int as port from citus_get_active_worker_nodes() order by 2`,
  );
  const { user, database, password } = coordinator;
  const workers = rows.map((node) =>
    connect({ ...node, user, database, ...(typeof password === 'string' && { password }) }),
  );
  return [coordinator, ...(await Promise.all(workers))];
}

/** Creates platforms until two nodes have one each. */
async function addPlatforms(
  settings: Record<string, string>,
  baseUrl: string,
  coordinator: pg.Client,
): Promise<[Client, Client]> {
  let first: { client: Client; node: number } | undefined;
  for (let nth = 0; nth < PLATFORMS_MAX; nth++) {
    const code = `bench-${randomUUID().slice(0, 8)}`;
    const about = ['--code', code, '--name', code, '--country', 'DE', '--currency', 'EUR'];
    const printed = await runCommand(['platform', 'create', ...about], settings);
    const client = clientOf(baseUrl, /tl_test_\w+/.exec(printed)?.[0] as string);
    const { rows } = await coordinator.query<{ node: number }>(
      `select p.groupid as node from pg_dist_placement p where p.shardid = get_shard_id_for_distribution_column('orders',
        (select platform_id from platforms where code = $1))`,
      [code],
    );
    const node = rows[0]?.node as number;
    if (first && first.node !== node) return [first.client, client];
    first ??= { client, node };
  }
  throw new Error('All platforms are on one node: the cluster needs two.');
}

/** Writes draft orders of all platforms at the same time. */
function ordersOf(bench: Bench, platforms: readonly Client[]): Side {
  const sides = platforms.map((client) =>
    postOrders(
      { ...bench, program: client as Program },
      { path: '/v1/orders/draft', prefix: `${platforms.length}-`, connections: CONNECTIONS },
    ),
  );
  return {
    name: `POST /v1/orders/draft of ${platforms.length === 1 ? 'one platform' : 'two platforms, on two nodes'}`,
    async run(durationMs) {
      const all = await Promise.all(sides.map((side) => side(durationMs)));
      return all.reduce(both);
    },
  };
}

const both = (one: Measurement, other: Measurement): Measurement => ({
  done: one.done + other.done,
  rate: one.rate + other.rate,
  p50Ms: Math.max(one.p50Ms, other.p50Ms),
  p99Ms: Math.max(one.p99Ms, other.p99Ms),
  busyShare: one.busyShare + other.busyShare,
});

/** Sums the processor time of the program and of each node while a side runs. */
async function processorUse(nodes: readonly pg.Client[], programPid: number) {
  const backends = await Promise.all(
    nodes.map(async (node) => {
      const { rows } = await node.query<{ pid: number }>('select pg_backend_pid() as pid');
      return rows[0]?.pid as number;
    }),
  );
  const parts = ['service', 'coordinator', ...backends.slice(1).map((_, nth) => `node ${nth + 1}`)];
  // Null if a node is on another machine.
  const usedUs = () => [processCpuUs(programPid), ...backends.map(postgresCpuUs)];
  const sums = new Map<string, { done: number; us: number[] }>();
  return {
    of: ({ name, run }: Side): Side => ({
      name,
      async run(durationMs) {
        const before = usedUs();
        const measurement = await run(durationMs);
        const after = usedUs();
        const sum = sums.get(name) ?? { done: 0, us: parts.map(() => 0) };
        sum.done += measurement.done;
        sum.us = sum.us.map((us, nth) => us + (after[nth] ?? Number.NaN) - (before[nth] ?? Number.NaN));
        sums.set(name, sum);
        return measurement;
      },
    }),
    text(name: string): string {
      const { done, us } = sums.get(name) ?? { done: 0, us: [] };
      return parts.map((part, nth) => `${part} ${Math.round((us[nth] ?? Number.NaN) / done)} µs`).join(', ');
    },
  };
}
