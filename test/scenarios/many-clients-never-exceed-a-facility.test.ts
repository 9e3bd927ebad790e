/** Many clients change the credit of few buyers concurrently: the limit holds in every snapshot, and no request fails. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { draftOrderBody, merchantBody } from '#test/bodies';
import { act, addDebtor, addOverdue, auditCredit, changeLimit, facilityOf } from '#test/credit';
import { invoice, settle } from '#test/order-statuses';
import { patience } from '#test/patience';
import { randomFrom } from '#test/random';
import { ledgerEntries, type StoredEntry } from '#test/stored';
import { createWorld, type Reply, type World } from '#test/world';
import { applyReview } from '../../src/modules/reviews/apply-review.ts';
import { decide as decideReview } from '../../src/modules/reviews/review.commands.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  await world.post('/v1/merchants', merchantBody({}));
});
afterAll(() => world.close());

const at = (external_id: string, buyer_external_id: string, gross: number) =>
  world.post(
    '/v1/orders',
    draftOrderBody({
      external_id,
      buyer_external_id,
      amount: { net: gross, gross },
      payment_method: 'TRANSFER',
      payment_term: 'DEFER_14D',
    }),
  );

interface Snapshot {
  total: number;
  used: number;
  pending: number;
}

/** Reads the facility on a separate connection, as often as it can, until `work` is done. */
async function watching(buyer: string, work: Promise<unknown>): Promise<Snapshot[]> {
  let isDone = false;
  const finished = work.finally(() => {
    isDone = true;
  });
  const watch = async () => {
    const snapshots: Snapshot[] = [];
    while (!isDone) snapshots.push(await facilityOf(world, buyer));
    return snapshots;
  };
  const [snapshots] = await Promise.all([watch(), finished]);
  return snapshots;
}

it(
  '16 clients with 50 orders each on one facility, some of them cancelled, closed, invoiced and settled',
  async () => {
    await addDebtor(world, { buyer: 'wanted', totalMinor: 1_000_000 });
    const answers = { placed: 0, refused: 0 };
    const client = async (nth: number) => {
      const random = randomFrom(nth + 1);
      for (let order = 0; order < 50; order++) {
        const id = `wanted-${nth}-${order}`;
        const gross = 1 + random.below(60_000);
        const { status, body, text } = await at(id, 'wanted', gross);
        if (status === 422) {
          expect(body.reason, text).toBe('FACILITY_EXCEEDED_AVAILABLE_AMOUNT');
          expect(body.details.available, text).toBeLessThan(gross);
          answers.refused++;
          continue;
        }
        expect({ status, text }).toMatchObject({ status: 201 });
        answers.placed++;
        await goOn(id, gross, random.below(100));
      }
    };
    /** Of a hundred orders, 60 are cancelled, 10 closed, and 10 invoiced, of which 5 are settled; the rest do not change. */
    const goOn = async (id: string, gross: number, chance: number) => {
      if (chance < 60) return expect((await world.post(`/v1/orders/${id}/cancel`)).status).toBe(200);
      if (chance < 70) return expect((await world.post(`/v1/orders/${id}/close`)).status).toBe(200);
      if (chance < 80) await invoice(world, id, gross);
      if (chance < 75) await settle(world, id);
    };
    const raising = async () => {
      for (let raise = 0; raise < 20; raise++) await changeLimit(world, 'wanted', 10_000);
    };
    const clients = Promise.all([...Array.from({ length: 16 }, (_, nth) => client(nth)), raising()]);
    const snapshots = await watching('wanted', clients);

    expect(snapshots.length).toBeGreaterThan(10);
    for (const { total, used, pending } of snapshots) expect(used + pending).toBeLessThanOrEqual(total);
    // The limit was reached, so the rule was needed.
    expect(answers.placed).toBeGreaterThan(100);
    expect(answers.refused).toBeGreaterThan(20);
    expect(await auditCredit(world)).toEqual([]);
    const entries = await ledgerEntries(world, { buyer: 'wanted' });
    const { status: _, ...facility } = await facilityOf(world, 'wanted');
    expect(facility).toEqual({
      total: sumOf(entries, 'total_change'),
      used: sumOf(entries, 'used_change'),
      pending: sumOf(entries, 'pending_orders_change'),
      available: sumOf(entries, 'available_change'),
    });
  },
  patience(60),
);

it(
  '32 clients that place, cancel and close at random for 8 buyers, also each other’s orders: no answer of 5xx',
  async () => {
    const buyers = Array.from({ length: 8 }, (_, index) => `busy-${index}`);
    for (const buyer of buyers) await addDebtor(world, { buyer, totalMinor: 200_000 });
    const known: string[] = [];
    const statuses = new Map<number, number>();
    const note = ({ status, text }: Reply) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect(status, text).toBeLessThan(500);
      return status;
    };
    const client = async (nth: number) => {
      const random = randomFrom(nth + 1);
      const { percent, pick } = random;
      for (let step = 0; step < 40; step++) {
        if (known.length === 0 || percent(55)) {
          // One id in ten is taken.
          const id = known.length > 0 && percent(10) ? pick(known) : `busy-${nth}-${step}`;
          const status = note(await at(id, pick(buyers), 1 + random.below(50_000)));
          if (status === 201) known.push(id);
        } else note(await world.post(`/v1/orders/${pick(known)}/${pick(['cancel', 'close'])}`));
      }
    };
    await Promise.all(Array.from({ length: 32 }, (_, nth) => client(nth)));
    expect([...statuses.keys()].sort()).toEqual([200, 201, 409, 422]);
    expect(await auditCredit(world)).toEqual([]);
  },
  patience(60),
);

it('persons who decide orders while clients cancel them: no review stays open, and nothing deadlocks', async () => {
  await addDebtor(world, { buyer: 'late', totalMinor: 10_000_000 });
  await addOverdue(world, 'late', 8, 5_000);
  const ids = Array.from({ length: 40 }, (_, nth) => `late-${nth}`);
  for (const id of ids) expect((await at(id, 'late', 1_000)).body.status).toBe('PENDING_CONFIRMATION');
  const reviews = await world.sql<{ review_id: string; order_external_id: string }>(
    "select review_id, order_external_id from credit_reviews where buyer_external_id = 'late'",
  );
  const decide = (reviewId: string) =>
    act(world, async (context) => {
      const input = { reviewId, reason: 'A good customer.', outcome: 'ACCEPT' as const };
      await applyReview(context, await decideReview({ ...context, actor: 'ada' }, input));
    });
  const outcomes = await Promise.all(
    reviews.map(async ({ review_id, order_external_id }, nth) => {
      // Every second decision is sent one request after the cancellation, so that each of the two is sometimes the first.
      const before = nth % 2 === 0 ? Promise.resolve() : world.get(`/v1/orders/${order_external_id}`);
      const [decided, cancelled] = await Promise.allSettled([
        before.then(() => decide(review_id)),
        world.post(`/v1/orders/${order_external_id}/cancel`),
      ]);
      const { body } = await world.get(`/v1/orders/${order_external_id}`);
      return { decided, cancelled, status: body.status };
    }),
  );
  expect(outcomes).toHaveLength(40);
  for (const { decided, cancelled, status } of outcomes) {
    // A cancellation after the decision cancels a confirmed order.
    expect(cancelled).toMatchObject({ status: 'fulfilled', value: { status: 200 } });
    expect(status).toBe('CANCELLED');
    if (decided.status === 'rejected') expect(decided.reason.reason).toBe('INVALID_STATUS_TRANSITION');
  }
  const open = "select 1 from credit_reviews where status = 'OPEN' and buyer_external_id = 'late'";
  expect(await world.sql(open)).toEqual([]);
  expect(await auditCredit(world)).toEqual([]);
});

it('all of that without a single deadlock', async () => {
  const [counted] = await world.sql(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  expect(counted).toEqual({ deadlocks: '0' });
});

type Change = 'total_change' | 'used_change' | 'pending_orders_change' | 'available_change';

const sumOf = (entries: StoredEntry[], change: Change) =>
  entries.reduce((sum, entry) => sum + entry[change], 0);
