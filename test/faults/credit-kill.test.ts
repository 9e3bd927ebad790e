/**
 * Sixteen clients order on one facility, and the server is repeatedly killed with SIGKILL. `ORDERS` (per client) and
 * `CREDIT_KILLS` in the environment select the long run, which needs the machine to itself. `SEED` repeats the choices of a run.
 */

import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { facilityLifecycle } from '#modules/facilities';
import { orderLifecycle } from '#modules/orders';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { auditCredit } from '#test/credit';
import { BUYER, CLIENTS, CreditLoad, LIMIT } from '#test/credit-load';
import { CreditWatch } from '#test/credit-watch';
import * as events from '#test/event-audit';
import { patience } from '#test/patience';
import { endPrograms, launchProgram, type RunningProgram, startProgram } from '#test/program';
import { post } from '#test/program-requests';
import { type Answered, RestartedServer } from '#test/restarted-server';
import { eventually, until } from '#test/until';

const ORDERS = Number(process.env.ORDERS ?? 60);
const KILLS = Number(process.env.CREDIT_KILLS ?? 1);
const SEED = Number(process.env.SEED ?? randomInt(2 ** 31));
const DUPLICATED_KEYS = 50;
const DUPLICATES = 6;

vi.setConfig({ testTimeout: patience(60) });

let program: RunningProgram;
let load: CreditLoad;
let audit: events.Audit;
/** The responses to the requests with one key. */
const duplicates = new Map<string, Answered[]>();
const watch = new CreditWatch();

beforeAll(
  async () => {
    program = await startProgram({ args: ['--empty'] });
    await addParties();
    load = new CreditLoad(program.apiKey);
    await aim(load.server);
    const startedAtMs = performance.now();
    const running = load.run(ORDERS, SEED);
    // Each client sends about two successful requests per order: the kills are spread over them.
    for (let kill = 1; kill <= KILLS; kill++) {
      const acknowledged = (CLIENTS * ORDERS * kill) / (KILLS + 1);
      await until(() => load.acknowledged >= acknowledged);
      await killAndStartAgain(load.server);
    }
    await running;
    report((performance.now() - startedAtMs) / 1_000);
    // The clients may have left the limit at its minimum.
    await post(program, '/v1/sandbox/facilities', {
      buyer_external_id: BUYER,
      trigger: 'renew',
      total_amount: 10 * LIMIT,
    });
    await sendDuplicates();
    await watch.stop();
  },
  patience(120 + KILLS * 20 + ORDERS * 3),
);

afterAll(async () => {
  await watch.stop();
  await load?.server.aim(null);
  await program?.stop();
  await endPrograms();
});

async function addParties(): Promise<void> {
  const facility = { buyer_external_id: BUYER, trigger: 'grant', total_amount: LIMIT };
  const contact = { external_id: 'contact', buyer_external_id: BUYER, email: 'accepted@example.com' };
  for (const [path, body] of [
    ['/v1/merchants', merchantBody({})],
    ['/v1/buyers', buyerBody({ external_id: BUYER })],
    ['/v1/contacts', contact],
    ['/v1/sandbox/facilities', facility],
  ] as const) {
    const { status, text } = await post(program, path, body);
    if (status >= 300) throw new Error(`POST ${path} answered ${status} ${text}`);
  }
}

async function aim(server: RestartedServer): Promise<void> {
  audit = await events.auditOf(program.dataDir);
  watch.aim(audit);
  await server.aim(program.baseUrl);
}

async function killAndStartAgain(server: RestartedServer): Promise<void> {
  process.kill(program.pid, 'SIGKILL');
  watch.aim(null);
  await server.aim(null);
  await program.exited;
  const launched = launchProgram({ dataDir: program.dataDir });
  program = { ...program, ...launched, baseUrl: (await launched.ready).baseUrl };
  await aim(server);
}

/** Sends each key several times concurrently, until each request has a response; the server is killed when half of them have one. */
async function sendDuplicates(): Promise<void> {
  const server = new RestartedServer(CLIENTS);
  await aim(server);
  const keys = Array.from({ length: DUPLICATED_KEYS }, (_, n) => `twice-${n}`);
  let answered = 0;
  const sending = keys.flatMap((key) => {
    const answers: Answered[] = [];
    duplicates.set(key, answers);
    return Array.from({ length: DUPLICATES }, async () => {
      answers.push(await sendUntilAnswered(server, key));
      answered++;
    });
  });
  await until(() => answered >= (DUPLICATED_KEYS * DUPLICATES) / 2);
  await killAndStartAgain(server);
  await Promise.all(sending);
  await server.aim(null);
}

async function sendUntilAnswered(server: RestartedServer, key: string): Promise<Answered> {
  const term = { payment_method: 'TRANSFER', payment_term: 'DEFER_30D' };
  const amount = { net: 1, gross: 1 };
  const order = draftOrderBody({ external_id: key, buyer_external_id: BUYER, amount, ...term });
  const request = { apiKey: program.apiKey, method: 'POST', path: '/v1/orders' } as const;
  for (;;) {
    const reply = await server.send({ ...request, body: JSON.stringify(order), idempotencyKey: key });
    if (reply && !reply.text.includes('IDEMPOTENCY_IN_PROGRESS')) return reply;
  }
}

function report(seconds: number): void {
  const { placed, refused, acknowledged, limitChanges, server } = load;
  console.log(
    `seed ${SEED}, ${KILLS} kills: ${placed.length} orders placed and ${refused.length} refused in ` +
      `${seconds.toFixed(1)} s, ${acknowledged} requests of clients acknowledged, ${server.unanswered} without an ` +
      `answer; the limit changed ${limitChanges} times; ${watch.taken} snapshots of ${watch.states} states, ` +
      `${watch.over} of them with more taken than a lowered limit`,
  );
}

describe(`after ${CLIENTS} × ${ORDERS} orders on one facility and ${KILLS} kills`, () => {
  it('every request was answered as it should, or not at all', () => {
    expect(load.surprises).toEqual([]);
    expect(load.server.unanswered).toBeGreaterThanOrEqual(KILLS);
    expect(load.placed.length + load.refused.length).toBe(CLIENTS * ORDERS);
    expect(load.refused.length).toBeGreaterThan(0);
    expect(load.limitChanges).toBeGreaterThan(KILLS);
  });

  it('in no snapshot is more taken than the limit allows', () => {
    expect(watch.faults).toEqual([]);
    expect(watch.states).toBeGreaterThan(10 * (KILLS + 1));
  });

  it('the ledger explains every cent', async () => {
    expect(await auditCredit({ sql: audit as never })).toEqual([]);
    expect(await brokenEntries()).toEqual([]);
    expect(await unexplainedFacilities()).toEqual([]);
  });

  it('every acknowledged order is stored as acknowledged, and was reserved once', async () => {
    const stored = await audit(
      `select o.external_id as id, o.status, o.amount_gross::int as gross,
        (select array_agg(l.pending_orders_change::int) from facility_ledger l where l.platform_id = o.platform_id
          and l.order_external_id = o.external_id and l.cause = 'ORDER_RESERVED') as reserved
      from orders o where o.external_id not like 'twice-%'`,
    );
    const found = new Map(stored.map((order) => [order.id, order]));
    expect(stored).toHaveLength(load.placed.length);
    const others = load.placed.filter(({ id, gross, statuses }) => {
      const order = found.get(id);
      const isReservedOnce = JSON.stringify(order?.reserved) === JSON.stringify([gross]);
      return !order || order.gross !== gross || !isReservedOnce || !statuses.has(String(order.status));
    });
    expect(others).toEqual([]);
    expect(load.refused.filter((id) => found.has(id))).toEqual([]);
  });

  it('every transition has its event, every event its transition, and positions have no gap', async () => {
    expect(await events.transitionsWithOtherEvents(audit, 'order', orderLifecycle)).toEqual([]);
    expect(await events.transitionsWithOtherEvents(audit, 'facility', facilityLifecycle)).toEqual([]);
    await eventually(async () => expect(await events.platformsWithGaps(audit)).toEqual([]));
  });
});

describe(`${DUPLICATED_KEYS} keys, each sent ${DUPLICATES} times at once, with a kill`, () => {
  it('have one answer each', () => {
    for (const [key, answers] of duplicates) {
      expect(answers.map(({ status }) => status)).toEqual(Array(DUPLICATES).fill(201));
      expect([...new Set(answers.map(({ text }) => text))]).toHaveLength(1);
      expect(JSON.parse(answers[0]?.text ?? '').external_id).toBe(key);
    }
    expect(duplicates.size).toBe(DUPLICATED_KEYS);
  });

  it('have one effect and one event each', async () => {
    const found = await audit(
      `select o.external_id,
        (select count(*)::int from facility_ledger l
          where l.platform_id = o.platform_id and l.order_external_id = o.external_id) as entries,
        (select count(*)::int from events e
          where e.platform_id = o.platform_id and e.resource_external_id = o.external_id) as events
      from orders o where o.external_id like 'twice-%'`,
    );
    expect(found).toHaveLength(DUPLICATED_KEYS);
    expect(found.filter(({ entries, events }) => entries !== 1 || events !== 1)).toEqual([]);
  });
});

/** Entries that do not continue the previous entry, or that authorize more than the limit then allowed. */
const brokenEntries = () =>
  audit(`select * from (
    select entry, cause, total_amount, used_amount, pending_orders_amount, available_amount,
      row_number() over entries as nth, sum(total_change) over entries as total,
      sum(used_change) over entries as used, sum(pending_orders_change) over entries as pending,
      sum(available_change) over entries as available, used_change + pending_orders_change as taken
    from facility_ledger window entries as (partition by platform_id, buyer_external_id order by entry)
  ) l
  where entry <> nth or total_amount <> total or used_amount <> used or pending_orders_amount <> pending
    or available_amount <> available
    or (taken > 0 and used_amount + pending_orders_amount > total_amount)`);

/** Facilities that differ from their last entry. */
const unexplainedFacilities = () =>
  audit(`select f.buyer_external_id from facilities f
  left join facility_ledger l on l.platform_id = f.platform_id and l.buyer_external_id = f.buyer_external_id
    and l.entry = f.entry_last
  where (f.total_amount, f.used_amount, f.pending_orders_amount, f.available_amount)
    is distinct from (l.total_amount, l.used_amount, l.pending_orders_amount, l.available_amount)`);
