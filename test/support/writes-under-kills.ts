/**
 * The program with writing integrators and listening receivers, while a process is killed repeatedly, and the invariants of its stored and
 * delivered data. The long run gets its numbers from the environment, and needs the machine for itself.
 */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { SIGNATURE_HEADER, signatureDigest } from '#kernel/signature';
import { invoiceLifecycle } from '#modules/invoices';
import { orderLifecycle } from '#modules/orders';
import { payoutLifecycle } from '#modules/payouts';
import { buyerBody, merchantBody } from './bodies.ts';
import { processesBelow } from './embedded-postgres-processes.ts';
import * as events from './event-audit.ts';
import { patience } from './patience.ts';
import { endPrograms, type RunningProgram, runCommand, startProgram } from './program.ts';
import { get, post } from './program-requests.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { eventually } from './until.ts';
import { type Tenant, WriteLoad } from './write-load.ts';

const SUBSCRIPTIONS = Number(process.env.SUBSCRIPTIONS ?? 5);
/** The subscribed types of each tenant. */
const TYPES = ['BUYER', 'ORDER', 'INVOICE', 'PAYOUT', 'BUYER.UPDATED'];
/** Many events go there, and at most kills some are in progress, whose leases must end. Its four slots suffice for all of them. */
const SLOW_TYPE = 'BUYER.UPDATED';
const SLOW_ANSWER_MS = 25;

interface Subscriber {
  tenant: Tenant;
  type: string;
  secret: string;
  receiver: Receiver;
}

/** The processes under test. */
export interface Stage {
  /** Starts the process that receives commands and checks. */
  start(): Promise<RunningProgram>;
  /** Other processes that receive requests. */
  others(): RunningProgram[];
  /** Queries as the owner of the database. */
  audit(): Promise<events.Audit>;
  stop(): Promise<void>;
}

/** One process with a PostgreSQL of its own. */
function oneProcess(): Stage {
  let program: RunningProgram;
  return {
    async start() {
      program = await startProgram({ args: ['--empty'] });
      return program;
    },
    others: () => [],
    audit: () => events.auditOf(program.dataDir),
    stop: endPrograms,
  };
}

export interface WritesUnderKills {
  program: RunningProgram;
  receivers: Receiver[];
  load: WriteLoad;
  audit: events.Audit;
  /** The start that creates the database. */
  firstStartMs: number;
  /** Acknowledged writes per second before each kill. */
  rates: number[];
  /** The time to the first acknowledged write after each kill. */
  firstAnswersMs: number[];
}

/** Kills once, and resolves to the time until the next acknowledged write. */
type Kill = (scene: WritesUnderKills) => Promise<number>;

/** Call it first in the body of a `describe`: kills `kills` times before its tests, and adds tests of the invariants. */
export function useWritesUnderKills(kills: number, kill: Kill, stage = oneProcess()): WritesUnderKills {
  const scene = { rates: [], firstAnswersMs: [], receivers: [] } as unknown as WritesUnderKills;
  const tenants: Tenant[] = [];
  const subscribers: Subscriber[] = [];

  beforeAll(
    async () => {
      const launchedAtMs = performance.now();
      scene.program = await stage.start();
      scene.firstStartMs = performance.now() - launchedAtMs;
      for (let n = 0; n < SUBSCRIPTIONS; n++) {
        const tenant = tenants[Math.floor(n / TYPES.length)] ?? (await addTenant(scene.program, tenants));
        subscribers.push(await subscribe(scene.program, tenant, TYPES[n % TYPES.length] as string));
      }
      scene.receivers.push(...subscribers.map(({ receiver }) => receiver));
      scene.load = new WriteLoad(tenants, { trades: true });
      await scene.load.aim([scene.program, ...stage.others()].map(({ baseUrl }) => baseUrl));
      for (let nth = 1; nth <= kills; nth++) {
        scene.rates.push(await writeForAWhile(scene.load));
        scene.firstAnswersMs.push(await kill(scene));
      }
      await scene.load.stop();
      scene.audit = await stage.audit();
      await eventually(async () => expect(await events.pendingDeliveries(scene.audit)).toBe(0), 60);
      report(scene, subscribers);
    },
    patience(90 + kills * 10),
  );
  afterAll(async () => {
    await scene.program?.stop();
    for (const { receiver } of subscribers) await receiver.close();
    await stage.stop();
  });
  itLosesNothing(scene);
  itDeliversEachEvent(scene, tenants, subscribers);
  return scene;
}

async function addTenant(program: RunningProgram, tenants: Tenant[]): Promise<Tenant> {
  const code = `tenant-${tenants.length + 1}`;
  const args = ['--code', code, '--name', code, '--country', 'DE', '--currency', 'EUR'];
  const { stdout } = await runCommand(['platform', 'create', ...args], program.env);
  const tenant = { code, apiKey: /tl_test_\w+/.exec(stdout)?.[0] as string };
  tenants.push(tenant);
  await post({ ...program, ...tenant }, '/v1/merchants', merchantBody({ external_id: 'merchant' }));
  return tenant;
}

async function subscribe(program: RunningProgram, tenant: Tenant, type: string): Promise<Subscriber> {
  const receiver = await startReceiver(undefined, { answerAfterMs: type === SLOW_TYPE ? SLOW_ANSWER_MS : 0 });
  const { body } = await post({ ...program, ...tenant }, '/v1/webhooks', { type, url: receiver.url });
  return { tenant, type, secret: body.signing_secret, receiver };
}

/** Writes for half a second to two seconds, so that kills hit different moments of the background work. Returns their rate. */
async function writeForAWhile(load: WriteLoad): Promise<number> {
  const from = { acknowledged: load.acknowledged, atMs: performance.now() };
  await acknowledgements(load, 200 + Math.floor(Math.random() * 600));
  return (1_000 * (load.acknowledged - from.acknowledged)) / (performance.now() - from.atMs);
}

/** Waits for `more` acknowledgements. */
export async function acknowledgements(load: WriteLoad, more: number): Promise<void> {
  const wanted = load.acknowledged + more;
  await eventually(() => expect(load.acknowledged).toBeGreaterThanOrEqual(wanted), 30);
}

function report({ load, rates, firstAnswersMs, firstStartMs }: WritesUnderKills, subscribers: Subscriber[]) {
  const received = subscribers.reduce((sum, { receiver }) => sum + receiver.received.length, 0);
  const rounded = (values: number[]) => values.map((value) => Math.round(value)).join(' ');
  console.log(
    `${rates.length} kills, ${subscribers.length} subscriptions: ${load.acknowledged} writes acknowledged ` +
      `(${rounded(rates)} a second), ${load.unanswered} without an answer, ${load.unavailable} answered 503, ${load.repeated} of them ` +
      `repeated; first answers after ${rounded(firstAnswersMs)} ms, after ${Math.round(firstStartMs)} ms at the first start; ` +
      `${received} webhooks received`,
  );
}

function itLosesNothing(scene: WritesUnderKills): void {
  it('no acknowledged write is lost', async () => {
    const lost: unknown[] = [];
    const reading = [...scene.load.written.values()];
    const reader = async () => {
      for (let written = reading.pop(); written; written = reading.pop()) {
        const { body } = await get({ ...scene.program, ...written.tenant }, written.path);
        if (!written.expected.some((expected) => matches(body, expected))) lost.push({ ...written, body });
      }
    };
    await Promise.all(Array.from({ length: 16 }, reader));
    expect(lost).toEqual([]);
  });

  it('a write repeated with its Idempotency-Key has its first answer, and no second effect', async () => {
    for (const { tenant, path, key, body, answer } of scene.load.keyed.slice(-200)) {
      const reply = await fetch(scene.program.baseUrl + path, {
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

  it('every change has its event, every event its change, and positions have no gap', async () => {
    const { audit } = scene;
    expect(await events.buyersWithOtherEvents(audit)).toEqual([]);
    expect(await events.eventsWithoutBuyer(audit)).toEqual([]);
    expect(await events.transitionsWithOtherEvents(audit, 'order', orderLifecycle)).toEqual([]);
    expect(await events.transitionsWithOtherEvents(audit, 'invoice', invoiceLifecycle)).toEqual([]);
    expect(await events.transitionsWithOtherEvents(audit, 'payout', payoutLifecycle)).toEqual([]);
    await eventually(async () => expect(await events.platformsWithGaps(audit)).toEqual([]));
  });

  it('each sale was invoiced, paid and paid out once, and the books say so', async () => {
    expect(await events.salesAmiss(scene.audit)).toEqual([]);
    await eventually(async () => {
      const { code, stdout, stderr } = await runCommand(['ledger', 'verify'], scene.program.env);
      expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
    });
  });
}

function itDeliversEachEvent(scene: WritesUnderKills, tenants: Tenant[], subscribers: Subscriber[]): void {
  it('every subscription got every event of its type, signed', async () => {
    expect(await events.deliveriesAmiss(scene.audit)).toEqual([]);
    const recorded = await scene.audit(
      'select p.code, e.type, e.event_id, e.body from events e join platforms p using (platform_id)',
    );
    for (const { tenant, type, secret, receiver } of subscribers) {
      const wanted = recorded.filter(
        (event) =>
          event.code === tenant.code && (event.type === type || String(event.type).startsWith(`${type}.`)),
      );
      const bodies = new Map(wanted.map((event) => [event.event_id as string, event.body as string]));
      expect(bodies.size, type).toBeGreaterThan(1);
      expect(new Set(receiver.received.map(({ event }) => event.id))).toEqual(new Set(bodies.keys()));
      for (const { raw, t, digests, event, headers } of receiver.received) {
        expect(headers[SIGNATURE_HEADER.toLowerCase()]).toBeDefined();
        expect(digests).toEqual([signatureDigest(secret, raw, t)]);
        expect(raw).toBe(bodies.get(event.id));
      }
    }
  });

  it('nothing is left running once the server stops', async () => {
    const { program } = scene;
    const last = await post({ ...program, ...tenants[0] }, '/v1/buyers', buyerBody({ external_id: 'last' }));
    expect(last.status).toBe(201);
    expect(await program.stop()).toBe(0);
    expect(processesBelow(program.dataDir)).toEqual([]);
  });
}

export const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** Whether the answer has the written values, in the fields that were written. */
function matches(value: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return value === expected;
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(expected).every(([name, part]) => matches((value as Record<string, unknown>)[name], part))
  );
}
