/**
 * Two platforms on two nodes order on credit, invoice and are paid while a node is repeatedly killed with SIGKILL. Runs with
 * `NODE_KILLS` in the environment, on a cluster on this machine. Run this file alone: it disturbs all other users of the cluster.
 */
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type ClusterDatabase, cloneClusterDatabase, isOnCluster, on } from '#test/cluster';
import { auditCredit } from '#test/credit';
import { type Audit, platformsWithGaps } from '#test/event-audit';
import { findLocalNode, type LocalNode } from '#test/local-node';
import { addOrderParties, creditOrder, OrderLoad } from '#test/order-load';
import { patience } from '#test/patience';
import { endPrograms, type RunningProgram, runCommand, startProgram } from '#test/program';
import { get, post } from '#test/program-requests';
import { eventually, until } from '#test/until';
import type { Tenant } from '#test/write-load';

const KILLS = Number(process.env.NODE_KILLS ?? 0);
const isSuccess = ({ status }: { status: number }) => status < 300;
const isPayment = ({ path }: { path: string }) => path.endsWith('/paid');
const isUnavailable = ({ status }: { status: number }) => status === 503;

vi.setConfig({ testTimeout: patience(60) });

/** A platform whose rows are on a node. */
interface Placed extends Tenant {
  node: LocalNode;
}

/** The time during which a node was down, by `performance.now`. */
interface Outage {
  code: string;
  fromMs: number;
  toMs: number;
  /** From the moment at which the node accepts connections to the first acknowledged order on it. */
  firstOrderMs: number;
}

const nodes = await nodesToKill();

async function nodesToKill(): Promise<LocalNode[]> {
  if (!isOnCluster()) return [];
  const workers = inject('postgres').nodes.slice(1);
  const found = KILLS > 0 ? await Promise.all(workers.map(findLocalNode)) : [];
  const local = found.filter((node) => node !== null);
  if (KILLS === 0) console.log('Skipped: the loss of a node, which NODE_KILLS asks for.');
  else if (local.length < 2)
    console.log('Skipped: the loss of a node, because the nodes of the cluster are on other machines.');
  return local.length < 2 ? [] : local;
}

// Needs a cluster whose nodes it may kill.
describe.skipIf(nodes.length === 0)(`after ${KILLS} kills of a node`, () => {
  let database: ClusterDatabase;
  let program: RunningProgram;
  let tenants: Placed[];
  let load: OrderLoad;
  const outages: Outage[] = [];
  const audit: Audit = (sql) => database.sql(sql);

  beforeAll(
    async () => {
      database = await cloneClusterDatabase();
      const env = {
        ...database.env,
        TRADELINE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
        TRADELINE_RATE_LIMIT_PER_SECOND: '0',
      };
      program = await startProgram({ args: ['--empty'], env });
      tenants = await addPlacedTenants();
      for (const tenant of tenants) await addOrderParties(program.baseUrl, tenant);
      load = new OrderLoad(program.baseUrl, tenants);
      for (let nth = 0; nth < KILLS; nth++) outages.push(await loseNode(nth));
      await load.stop();
      report();
    },
    patience(120 + KILLS * 30),
  );
  afterAll(async () => {
    await load?.stop();
    await endPrograms();
    await database?.drop();
  });

  /** One platform on each of two nodes. */
  async function addPlacedTenants(): Promise<Placed[]> {
    const placed: Placed[] = [];
    for (let nth = 1; placed.length < 2; nth++) {
      const code = `tenant-${nth}`;
      const args = ['--code', code, '--name', code, '--country', 'DE', '--currency', 'EUR'];
      const { stdout } = await runCommand(['platform', 'create', ...args], program.env);
      const [row] = await database.sql<{ port: number }>(
        `select n.nodeport as port from pg_dist_placement p join pg_dist_node n using (groupid)
        where p.shardid = get_shard_id_for_distribution_column('orders', (select platform_id from platforms where code = '${code}'))`,
      );
      const node = nodes.find(({ endpoint }) => endpoint.port === row?.port);
      const isNew = placed.every((each) => each.node !== node);
      if (node && isNew) placed.push({ code, apiKey: /tl_test_\w+/.exec(stdout)?.[0] as string, node });
    }
    return placed;
  }

  async function loseNode(nth: number): Promise<Outage> {
    const [lost, other] = (nth % 2 === 0 ? tenants : tenants.toReversed()) as [Placed, Placed];
    const orders = (tenant: Placed, count: number, sinceMs: number) =>
      until(() => load.count(tenant.code, isSuccess, sinceMs) >= count, 60);
    for (const tenant of tenants) await orders(tenant, 30, performance.now());
    await lost.node.kill();
    const fromMs = performance.now();
    await orders(other, 30, fromMs);
    await until(() => load.count(other.code, (each) => isPayment(each) && isSuccess(each), fromMs) >= 5, 60);
    await until(() => load.count(lost.code, isUnavailable, fromMs) >= 10);
    const toMs = performance.now();
    await lost.node.start();
    const startedAtMs = performance.now();
    await orders(lost, 1, toMs);
    return { code: lost.code, fromMs, toMs, firstOrderMs: performance.now() - startedAtMs };
  }

  const during = ({ fromMs, toMs }: Outage) =>
    load.answers.filter(({ sentAtMs, answeredAtMs }) => sentAtMs >= fromMs && answeredAtMs <= toMs);

  function report() {
    const { answers, orders, invoices, payments } = load;
    const firstOrders = outages.map(({ firstOrderMs }) => Math.round(firstOrderMs)).join(' ');
    const went = outages.map((outage) => during(outage).filter(isSuccess).length).join(' ');
    console.log(
      `${KILLS} kills of a node: ${orders.size} orders, ${invoices.size} invoices and ${payments.size} payments acknowledged, ${answers.filter(isSuccess).length} requests answered with success and ` +
        `${answers.filter(isUnavailable).length} with 503; ${went} of the other platform with success while a node was away; the first order on ` +
        `the node after ${firstOrders} ms`,
    );
  }

  async function listPrepared(): Promise<string[]> {
    const inDatabase = inject('postgres').nodes.map((node) => ({ ...node, database: database.name }));
    const prepared = await Promise.all(
      inDatabase.map((node) =>
        on(node, async (admin) => {
          const { rows } = await admin.query<{ gid: string }>(
            'select gid from pg_prepared_xacts where database = current_database()',
          );
          return rows.map(({ gid }) => gid);
        }),
      ),
    );
    return prepared.flat();
  }

  it('every request was answered as it should, or with 503 and when to try again', () => {
    expect(load.answers.filter((each) => !isSuccess(each) && !isUnavailable(each))).toEqual([]);
    expect(load.answers.filter((each) => isUnavailable(each) && !each.hasRetryAfter)).toEqual([]);
  });

  it('while the node was away, its platform was answered with 503, and the other one as ever', () => {
    const others = outages.flatMap((outage) =>
      during(outage).filter((each) => (each.code === outage.code ? !isUnavailable(each) : !isSuccess(each))),
    );
    expect(others).toEqual([]);
  });

  it('every acknowledged order is stored as acknowledged, and was reserved once', async () => {
    const stored = await database.sql<{ code: string; id: string; status: string; reserved: number }>(
      `select p.code, o.external_id as id, o.status, r.reserved
      from orders o join platforms p using (platform_id)
      left join (
        select platform_id, order_external_id, count(*)::int as reserved from facility_ledger where cause = 'ORDER_RESERVED'
        group by platform_id, order_external_id
      ) r on r.platform_id = o.platform_id and r.order_external_id = o.external_id`,
    );
    const found = new Map(stored.map((order) => [`${order.code} ${order.id}`, order]));
    const amiss = [...load.orders].filter(([key, statuses]) => {
      const order = found.get(key);
      return order?.reserved !== 1 || !statuses.has(order.status);
    });
    expect(amiss).toEqual([]);
  });

  it('every acknowledged invoice and payment is stored, and was posted once', async () => {
    const stored = await database.sql<{ key: string; posted: number }>(
      `select p.code || ' ' || v.external_id as key, count(l.entry)::int as posted
      from invoices v join platforms p using (platform_id)
      left join facility_ledger l on l.platform_id = v.platform_id and l.invoice_external_id = v.external_id
        and l.cause = 'ORDER_INVOICED'
      group by 1
      union all
      select p.code || ' ' || m.external_id, count(e.entry_id)::int
      from invoice_payments m join platforms p using (platform_id)
      left join ledger_entries e on e.platform_id = m.platform_id and e.payment_id = m.external_id
        and e.cause = 'PAYMENT_RECORDED'
      group by 1`,
    );
    const found = new Map(stored.map(({ key, posted }) => [key, posted]));
    const amiss = [...load.invoices, ...load.payments].filter((key) => found.get(key) !== 1);
    expect(amiss).toEqual([]);
    expect(load.payments.size).toBeGreaterThan(0);
  });

  it('no transaction stays in doubt, and the books are right', async () => {
    // The background work continues, and some of its transactions involve both nodes.
    await eventually(async () => {
      await database.sql('select recover_prepared_transactions()');
      expect(await listPrepared()).toEqual([]);
    });
    expect(await auditCredit({ sql: audit as never })).toEqual([]);
    for (const { code } of tenants)
      for (const command of [['verify'], ['ledger', 'verify']])
        expect(await runCommand([...command, '--platform', code], program.env)).toMatchObject({ code: 0 });
  });

  it('events are numbered without a gap', async () => {
    await eventually(async () => expect(await platformsWithGaps(audit)).toEqual([]), 60);
  });

  it('an order during whose commit the node is lost is answered with 503, and is taken when it is sent again', async () => {
    const [tenant] = tenants as [Placed];
    const inDatabase = { ...tenant.node.endpoint, database: database.name };
    await on(inDatabase, slowDownCommits);
    const order = () =>
      post({ ...program, ...tenant }, '/v1/orders', creditOrder('in-commit'), {
        'idempotency-key': 'in-commit',
      });
    const answer = order();
    await until(() => on(inDatabase, isCommitting));
    await tenant.node.kill();
    expect((await answer).text).toContain('SERVICE_UNAVAILABLE');
    expect((await answer).status).toBe(503);
    await tenant.node.start();
    await on(inDatabase, async (admin) => {
      await admin.query('set citus.enable_ddl_propagation = off');
      await admin.query('drop function slow_commit cascade');
    });
    await eventually(async () => expect((await order()).status).toBe(201));
    expect((await get({ ...program, ...tenant }, '/v1/orders/in-commit')).status).toBe(200);
  });
});

/** Delays the commit of each order that is written on the node. */
async function slowDownCommits(admin: pg.Client): Promise<void> {
  await admin.query('set citus.enable_ddl_propagation = off');
  await admin.query('set citus.override_table_visibility = off');
  await admin.query(
    'create function slow_commit() returns trigger language plpgsql as $$ begin perform pg_sleep(5); return null; end $$',
  );
  const { rows } = await admin.query<{ shard: string }>(
    String.raw`select relname as shard from pg_class where relkind = 'r' and relname ~ '^orders_\d+$'`,
  );
  for (const { shard } of rows)
    await admin.query(
      `create constraint trigger slow_commit after insert on ${shard} deferrable initially deferred
        for each row execute function slow_commit()`,
    );
}

async function isCommitting(admin: pg.Client): Promise<boolean> {
  const { rows } = await admin.query(
    `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
  );
  return rows.length > 0;
}
