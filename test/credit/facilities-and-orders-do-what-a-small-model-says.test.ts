/**
 * Random commands, against the service over HTTP and against a small model of it: both must say the same of each, and
 * have the same afterwards. A failure names its seed and the shortest commands that were found to fail. `SEED=…` runs the
 * same again; `COMMANDS=…` runs more of them.
 */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Lifecycle } from '#kernel/lifecycle';
import { facilityLifecycle } from '#modules/facilities';
import { orderLifecycle } from '#modules/orders';
import { ran } from '#test/credit-model/command';
import { compareAll } from '#test/credit-model/compare';
import { facilityCommands } from '#test/credit-model/facility-commands';
import { orderCommands } from '#test/credit-model/order-commands';
import { newReality } from '#test/credit-model/reality';
import { newModel } from '#test/credit-model/state';
import { createWorld, type World } from '#test/world';

const COMMANDS = Number(process.env.COMMANDS ?? 5_000);
const SEED = Number(process.env.SEED ?? randomInt(2 ** 31));
/** Runs at once, each with a buyer and a clock of its own. */
const LANES = 4;
const COMMANDS_A_RUN_MAX = 120;
const NOW = 1_763_640_000;

vi.setConfig({ testTimeout: 60_000 + COMMANDS * 60 });

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(NOW);
});
afterAll(() => world.close());

const commands = fc.commands([...facilityCommands, ...orderCommands], {
  maxCommands: COMMANDS_A_RUN_MAX,
  size: 'max',
});

const property = fc.asyncProperty(commands, async (chosen) => {
  const model = newModel(NOW);
  const real = await newReality(world);
  await fc.asyncModelRun(() => ({ model, real }), chosen);
  await compareAll(model, real);
});

describe(`${COMMANDS} commands from seed ${SEED}`, () => {
  it('find nothing in which the service and the model differ', async () => {
    let runs = 0;
    const lane = async () => {
      while (ran.count < COMMANDS) await fc.assert(property, { seed: SEED + runs++, numRuns: 1 });
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    expect(ran.count).toBeGreaterThanOrEqual(COMMANDS);
  });

  it.each([
    ['facility_moves', facilityLifecycle],
    ['order_moves', orderLifecycle],
  ] as const)('have made every move of %s', async (table, lifecycle: Lifecycle<string, string>) => {
    const made = await world.sql<{ move: string }>(
      `select distinct coalesce(from_status, '-') || ' ' || trigger || ' ' || to_status as move from ${table}`,
    );
    const named = lifecycle.moves.map(({ from, trigger, to }) => `${from ?? '-'} ${trigger} ${to}`);
    expect(made.map(({ move }) => move).sort()).toEqual(named.sort());
  });
});
