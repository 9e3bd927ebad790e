/**
 * The server is killed with SIGKILL, again and again, while integrators write and receivers listen. With `KILLS` and
 * `SUBSCRIPTIONS` in the environment it is the long run, which has the machine to itself.
 */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SIGNATURE_HEADER, signatureDigest } from '#kernel/signature';
import { buyerBody, merchantBody } from '#test/bodies';
import { processesBelow } from '#test/embedded-postgres-processes';
import * as events from '#test/event-audit';
import { patience } from '#test/patience';
import { endPrograms, launchProgram, type RunningProgram, runCommand, startProgram } from '#test/program';
import { get, post } from '#test/program-requests';
import { type Receiver, startReceiver } from '#test/receiver';
import { eventually } from '#test/until';
import { type Tenant, WriteLoad } from '#test/write-load';

const KILLS = Number(process.env.KILLS ?? 10);
const SUBSCRIPTIONS = Number(process.env.SUBSCRIPTIONS ?? 5);
const isLongRun = process.env.KILLS !== undefined;
/** The bars of the long run. Beside other tests the first start and the rate before the first kill are the measure. */
const LONG_RUN = { answerAfterMsMax: 3_000, writesPerSecondMin: 300 };
const TYPES = ['BUYER', 'BUYER.CREATED', 'BUYER.UPDATED'];

interface Subscriber {
  tenant: Tenant;
  type: string;
  secret: string;
  receiver: Receiver;
}

vi.setConfig({ testTimeout: patience(60) });

const tenants: Tenant[] = [];
const subscribers: Subscriber[] = [];
const firstAnswersMs: number[] = [];
const rates: number[] = [];
/** The start that creates the database. */
let firstStartMs: number;
let program: RunningProgram;
let load: WriteLoad;
let audit: events.Audit;

beforeAll(
  async () => {
    const launchedAtMs = performance.now();
    program = await startProgram({ args: ['--empty'] });
    firstStartMs = performance.now() - launchedAtMs;
    for (let n = 0; n < SUBSCRIPTIONS; n++) {
      const tenant = tenants[Math.floor(n / TYPES.length)] ?? (await addTenant());
      const receiver = await startReceiver();
      const type = TYPES[n % TYPES.length] as string;
      const { body } = await post({ ...program, ...tenant }, '/v1/webhooks', { type, url: receiver.url });
      subscribers.push({ tenant, type, secret: body.signing_secret, receiver });
    }
    load = new WriteLoad(tenants);
    await load.aim(program.baseUrl);
    for (let kill = 1; kill <= KILLS; kill++) await killAndStartAgain();
    await load.stop();
    audit = await events.auditOf(program.dataDir);
    await eventually(async () => expect(await events.pendingDeliveries(audit)).toBe(0), 60);
    report();
  },
  patience(90 + KILLS * 10),
);

afterAll(async () => {
  await program?.stop();
  for (const { receiver } of subscribers) await receiver.close();
  await endPrograms();
});

async function addTenant(): Promise<Tenant> {
  const code = `tenant-${tenants.length + 1}`;
  const args = ['--code', code, '--name', code, '--country', 'DE', '--currency', 'EUR'];
  const { stdout } = await runCommand(['platform', 'create', ...args], program.env);
  const tenant = { code, apiKey: /tl_test_\w+/.exec(stdout)?.[0] as string };
  tenants.push(tenant);
  await post({ ...program, ...tenant }, '/v1/merchants', merchantBody({ external_id: 'merchant' }));
  return tenant;
}

async function killAndStartAgain(): Promise<void> {
  // Half a second to two seconds of writes: no two kills come at the same moment of the background work.
  const from = { acknowledged: load.acknowledged, atMs: performance.now() };
  const wanted = 200 + Math.floor(Math.random() * 600);
  await acknowledgements(from.acknowledged + wanted);
  rates.push((1_000 * (load.acknowledged - from.acknowledged)) / (performance.now() - from.atMs));
  process.kill(program.pid, 'SIGKILL');
  await load.aim(null);
  await program.exited;

  const before = load.acknowledged;
  const startedAtMs = performance.now();
  const launched = launchProgram({ dataDir: program.dataDir });
  const { baseUrl } = await launched.ready;
  program = { ...program, ...launched, baseUrl };
  await load.aim(baseUrl);
  await acknowledgements(before + 1);
  firstAnswersMs.push(performance.now() - startedAtMs);
  // A child of PostgreSQL looks like its parent for the moment after its fork.
  await eventually(() => expect(postmasters()).toHaveLength(1));
}

const acknowledgements = (count: number) =>
  eventually(() => expect(load.acknowledged).toBeGreaterThanOrEqual(count), 30);

const postmasters = () =>
  processesBelow(program.dataDir).filter(({ command }) => command.includes('/postgres -D '));

function report(): void {
  const received = subscribers.reduce((sum, { receiver }) => sum + receiver.received.length, 0);
  const rounded = (values: number[]) => values.map((value) => Math.round(value)).join(' ');
  console.log(
    `${KILLS} kills, ${subscribers.length} subscriptions: ${load.acknowledged} writes acknowledged ` +
      `(${rounded(rates)} a second), ${load.unanswered} without an answer, ${load.repeated} of them repeated; ` +
      `first answers after ${rounded(firstAnswersMs)} ms, after ${Math.round(firstStartMs)} ms at the first start; ${received} webhooks received`,
  );
}

describe(`after ${KILLS} kills`, () => {
  it('every request was answered as it should, or not at all', () => {
    expect(load.surprises).toEqual([]);
    expect(load.unanswered).toBeGreaterThan(KILLS);
  });

  it('writes went on at their rate, and soon after each start', () => {
    expect(firstAnswersMs).toHaveLength(KILLS);
    expect(median(firstAnswersMs)).toBeLessThan(2 * firstStartMs);
    expect(median(rates)).toBeGreaterThan((rates[0] as number) / 4);
    if (!isLongRun) return;
    expect(Math.max(...firstAnswersMs)).toBeLessThan(LONG_RUN.answerAfterMsMax);
    expect(rates.reduce((sum, rate) => sum + rate, 0) / KILLS).toBeGreaterThan(LONG_RUN.writesPerSecondMin);
  });

  it('no acknowledged write is lost', async () => {
    const lost: unknown[] = [];
    const reading = [...load.written.values()];
    const reader = async () => {
      for (let written = reading.pop(); written; written = reading.pop()) {
        const { body } = await get({ ...program, ...written.tenant }, written.path);
        if (!written.expected.some((expected) => holds(body, expected))) lost.push({ ...written, body });
      }
    };
    await Promise.all(Array.from({ length: 16 }, reader));
    expect(lost).toEqual([]);
  });

  it('a write repeated with its Idempotency-Key has its first answer, and no second effect', async () => {
    for (const { tenant, path, key, body, answer } of load.keyed.slice(-200)) {
      const reply = await fetch(program.baseUrl + path, {
        method: 'POST',
        body,
        headers: {
          authorization: `Bearer ${tenant.apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
      });
      expect(reply.headers.get('idempotency-replayed')).toBe('true');
      expect(await reply.text()).toBe(answer);
    }
  });

  it('every change of a buyer has its event, every event its change, and positions have no gap', async () => {
    expect(await events.buyersWithOtherEvents(audit)).toEqual([]);
    expect(await events.eventsWithoutBuyer(audit)).toEqual([]);
    expect(await events.platformsWithGaps(audit)).toEqual([]);
  });

  it('every subscription got every event of its type, signed', async () => {
    expect(await events.deliveriesAmiss(audit)).toEqual([]);
    const recorded = await audit(
      'select p.code, e.type, e.event_id, e.body from events e join platforms p using (platform_id)',
    );
    for (const { tenant, type, secret, receiver } of subscribers) {
      const wanted = recorded.filter(
        (event) =>
          event.code === tenant.code && (event.type === type || String(event.type).startsWith(`${type}.`)),
      );
      const bodies = new Map(wanted.map((event) => [event.event_id as string, event.body as string]));
      expect(bodies.size).toBeGreaterThan(KILLS);
      expect(new Set(receiver.received.map(({ event }) => event.id))).toEqual(new Set(bodies.keys()));
      for (const { raw, t, digests, event, headers } of receiver.received) {
        expect(headers[SIGNATURE_HEADER.toLowerCase()]).toBeDefined();
        expect(digests).toEqual([signatureDigest(secret, raw, t)]);
        expect(raw).toBe(bodies.get(event.id));
      }
    }
  });

  it('nothing is left running once the last server stops', async () => {
    expect(
      (await post({ ...program, ...tenants[0] }, '/v1/buyers', buyerBody({ external_id: 'last' }))).status,
    ).toBe(201);
    expect(await program.stop()).toBe(0);
    expect(processesBelow(program.dataDir)).toEqual([]);
  });
});

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** Whether the answer says what was written: of the fields that were. */
function holds(body: Record<string, unknown>, expected: Record<string, unknown>): boolean {
  return Object.entries(expected).every(([name, value]) => matches(body[name], value));
}

function matches(value: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return value === expected;
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(expected).every(([name, part]) => matches((value as Record<string, unknown>)[name], part))
  );
}
