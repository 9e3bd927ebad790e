/**
 * Random payments, credit notes, disputes, late charges, applications, financings, payouts and matches of the bank happen to the
 * invoices of a buyer: documents, overdue amounts, statements and books say the same after each. A failure names its seed: `SEED=…`
 * runs it again, `CLAIM_RUNS=…` as many as it says, with `AT_ONCE=…` several at a time.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { addMainAccount } from '#test/bank-account';
import { allDisagreements, disagreements } from '#test/claim-runs/agreement';
import { CLAIM_COMMANDS } from '#test/claim-runs/claim-commands';
import { ClaimRun } from '#test/claim-runs/claim-run';
import { ensureOperator } from '#test/operators';
import { patience } from '#test/patience';
import { randomFrom } from '#test/random';
import { createWorld, type World } from '#test/world';

const FIRST_SEED = Number(process.env.SEED ?? 1);
const RUNS = Number(process.env.CLAIM_RUNS ?? 4);
const AT_ONCE = Number(process.env.AT_ONCE ?? 1);
const COMMANDS = 50;

vi.setConfig({ testTimeout: patience(30 + RUNS * 30) });

let world: World;
beforeAll(async () => {
  world = await createWorld({
    settings: { TRADELINE_WORKER: 'off' },
    platform: { time_zone: 'Europe/Berlin' },
  });
  world.clock.set(1_763_640_000);
  await world.sql('update platforms set max_payment_term = 180');
  for (const operator of ['fin', 'fay']) await ensureOperator(world, operator, { role: 'FINANCE' });
  await addMainAccount(world);
});
afterAll(() => world.close());

it.each(Array.from({ length: RUNS }, (_, nth) => FIRST_SEED + nth))('from seed %i', async (seed) => {
  const random = randomFrom(seed);
  const run = await ClaimRun.begin(world, random, `${seed}`);
  const commands = () => Promise.all(Array.from({ length: AT_ONCE }, () => random.pick(CLAIM_COMMANDS)(run)));
  for (let step = 0; step < COMMANDS; step++) {
    await commands();
    expect(await disagreements(world), run.done.join('\n')).toEqual([]);
  }
  expect(await allDisagreements(run), run.done.join('\n')).toEqual([]);
});
