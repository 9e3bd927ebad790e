/**
 * Random commands on credit, orders, invoices, payments, services, payouts and entries of the bank, against the service over
 * HTTP and against a small model of it. Both must give the same results and end in the same state. A failure prints its seed
 * and the shortest failing commands that were found. `SEED=…` repeats a run; `COMMANDS=…` runs that number of commands,
 * different ones each time.
 */

import { randomInt } from 'node:crypto';
import fc, { type AsyncCommand } from 'fast-check';
import { Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Lifecycle } from '#kernel/lifecycle';
import { bankTransactionLifecycle } from '#modules/banking';
import { facilityLifecycle } from '#modules/facilities';
import { invoiceLifecycle } from '#modules/invoices';
import { orderLifecycle } from '#modules/orders';
import { payoutInstructionLifecycle } from '#modules/payees';
import { payoutLifecycle } from '#modules/payouts';
import { collectionLifecycle, financingLifecycle, insuranceLifecycle } from '#modules/services';
import { auditBooks } from '#test/credit-model/audit';
import { type Command, ran } from '#test/credit-model/command';
import { compareAll } from '#test/credit-model/compare';
import { compareBooks } from '#test/credit-model/compare-invoices';
import type { ServiceType } from '#test/credit-model/merchant-state';
import { MIXES } from '#test/credit-model/mixes';
import { newReality } from '#test/credit-model/new-reality';
import type { Reality } from '#test/credit-model/reality';
import { SERVICE_TOURS } from '#test/credit-model/service-tours';
import { type Model, newModel } from '#test/credit-model/state';
import { TOURS } from '#test/credit-model/tours';
import { patience } from '#test/patience';
import { createWorld, type World } from '#test/world';

const COMMANDS = Number(process.env.COMMANDS ?? 20_000);
/** The seed is fixed, so that each change is judged by the same commands. Long runs find new ones. */
const SEED_BY_DEFAULT = 603_531_316;
const SEED = Number(
  process.env.SEED ?? (process.env.COMMANDS === undefined ? SEED_BY_DEFAULT : randomInt(2 ** 31)),
);
/** Concurrent runs, each with its own buyer and clock. */
const LANES = 8;
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

const servicesOf = (type: ServiceType) =>
  `invoice_service_transitions join invoice_services using (platform_id, external_id)
   where service_type = '${type}'` as const;

async function run(begin: Command[], chosen: Iterable<AsyncCommand<Model, Reality>> = []): Promise<void> {
  const model = newModel(NOW);
  const real = await newReality(world, pool);
  for (const each of [begin, chosen]) await fc.asyncModelRun(() => ({ model, real }), each);
  await compareAll(model, real);
  await compareBooks(model, real);
}

const properties = MIXES.map(({ beginning, commands }) =>
  fc.asyncProperty(beginning, commands, (begin, chosen) => run(begin(), chosen)),
);

describe('the service and the model', () => {
  it.each(Object.entries({ ...TOURS, ...SERVICE_TOURS }))('agree on %s', (_, tour) => run(tour()));
});

describe(`${COMMANDS} commands from seed ${SEED}`, () => {
  it('find nothing in which they differ', async () => {
    let runs = 0;
    const last = ran.count + COMMANDS;
    const lane = async () => {
      while (ran.count < last) {
        const property = properties[runs % properties.length];
        if (property) await fc.assert(property, { seed: SEED + runs++, numRuns: 1 });
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    expect(ran.count).toBeGreaterThanOrEqual(last);
  });

  it.each([
    ['facility', 'facility_transitions', facilityLifecycle],
    ['order', 'order_transitions', orderLifecycle],
    ['invoice', 'invoice_transitions', invoiceLifecycle],
    ['financing', servicesOf('FINANCING'), financingLifecycle],
    ['insurance', servicesOf('INSURANCE'), insuranceLifecycle],
    ['collection', servicesOf('COLLECTION'), collectionLifecycle],
    ['payout instruction', 'payout_instruction_transitions', payoutInstructionLifecycle],
    ['payout', 'payout_transitions', payoutLifecycle],
    ['bank transaction', 'bank_transaction_transitions', bankTransactionLifecycle],
  ] as const)(
    'have made every transition of the %s',
    async (_, table, lifecycle: Lifecycle<string, string>) => {
      const made = await world.sql<{ transition: string }>(
        `select distinct coalesce(from_status, '-') || ' ' || trigger || ' ' || to_status as transition from ${table}`,
      );
      const named = lifecycle.transitions.map(({ from, trigger, to }) => `${from ?? '-'} ${trigger} ${to}`);
      expect(made.map(({ transition }) => transition).sort()).toEqual(named.sort());
    },
  );

  it('leave books that balance on every platform', async () => {
    expect(await auditBooks(world)).toEqual([]);
  });
});
