/**
 * Random commands on credit, orders, invoices and payments, against the service over HTTP and against a small model of it: both
 * must say the same of each, and have the same afterwards. A failure names its seed and the shortest commands that were found
 * to fail. `SEED=…` runs the same again; `COMMANDS=…` runs more of them.
 */

import { randomInt } from 'node:crypto';
import fc, { type AsyncCommand } from 'fast-check';
import { Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Lifecycle } from '#kernel/lifecycle';
import { facilityLifecycle } from '#modules/facilities';
import { invoiceLifecycle } from '#modules/invoices';
import { orderLifecycle } from '#modules/orders';
import { type Command, ran } from '#test/credit-model/command';
import { companyCommands } from '#test/credit-model/company-commands';
import { compareAll } from '#test/credit-model/compare';
import { compareBooks } from '#test/credit-model/compare-invoices';
import {
  decideReviewNumber,
  facilityCommands,
  requestFacility,
  useScript,
} from '#test/credit-model/facility-commands';
import { invoiceCommands } from '#test/credit-model/invoice-commands';
import { limitCommands } from '#test/credit-model/limit-commands';
import { orderCommands } from '#test/credit-model/order-commands';
import { newReality, type Reality } from '#test/credit-model/reality';
import { type Model, newModel } from '#test/credit-model/state';
import { TOURS } from '#test/credit-model/tours';
import { patience } from '#test/patience';
import { createWorld, type World } from '#test/world';

const COMMANDS = Number(process.env.COMMANDS ?? 20_000);
const SEED = Number(process.env.SEED ?? randomInt(2 ** 31));
/** Runs at once, each with a buyer and a clock of its own. */
const LANES = 4;
const COMMANDS_A_RUN_MAX = 120;
const NOW = 1_763_640_000;

vi.setConfig({ testTimeout: patience(60 + COMMANDS * 0.06) });

let world: World;
let pool: Pool;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(NOW);
  pool = new Pool(world.baseUrl, { connections: LANES });
});
afterAll(async () => {
  await pool.close();
  await world.close();
});

const commands = fc.commands(
  [...facilityCommands, ...companyCommands, ...limitCommands, ...orderCommands, ...invoiceCommands],
  { maxCommands: COMMANDS_A_RUN_MAX, size: 'max' },
);

async function run(begin: Command[], chosen: Iterable<AsyncCommand<Model, Reality>> = []): Promise<void> {
  const model = newModel(NOW);
  const real = await newReality(world, pool);
  for (const each of [begin, chosen]) await fc.asyncModelRun(() => ({ model, real }), each);
  await compareAll(model, real);
  await compareBooks(model, real);
}

/** Most begin with a facility: without one, most commands are refused. */
const beginning = fc.constantFrom<(() => Command[])[]>(
  () => [],
  () => [requestFacility(null)],
  () => [requestFacility(null)],
  () => [useScript('in-review'), requestFacility(null), decideReviewNumber(0, 'ACCEPT', null)],
  () => [useScript('in-review'), requestFacility(null)],
);
const property = fc.asyncProperty(beginning, commands, (begin, chosen) => run(begin(), chosen));

describe('the service and the model', () => {
  it.each(Object.entries(TOURS))('agree on %s', (_, tour) => run(tour()));
});

describe(`${COMMANDS} commands from seed ${SEED}`, () => {
  it('find nothing in which they differ', async () => {
    let runs = 0;
    const last = ran.count + COMMANDS;
    const lane = async () => {
      while (ran.count < last) await fc.assert(property, { seed: SEED + runs++, numRuns: 1 });
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    expect(ran.count).toBeGreaterThanOrEqual(last);
  });

  it.each([
    ['facility_transitions', facilityLifecycle],
    ['order_transitions', orderLifecycle],
    ['invoice_transitions', invoiceLifecycle],
  ] as const)('have made every transition of %s', async (table, lifecycle: Lifecycle<string, string>) => {
    const made = await world.sql<{ transition: string }>(
      `select distinct coalesce(from_status, '-') || ' ' || trigger || ' ' || to_status as transition from ${table}`,
    );
    const named = lifecycle.transitions.map(({ from, trigger, to }) => `${from ?? '-'} ${trigger} ${to}`);
    expect(made.map(({ transition }) => transition).sort()).toEqual(named.sort());
  });
});
