/** Whatever many clients do to the credit of few buyers at once, the limit holds in every snapshot, and nothing fails. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { settleOrder } from '#modules/orders';
import { draftOrderBody, merchantBody } from '#test/bodies';
import { act, addDebtor, auditCredit, changeLimit, facilityOf } from '#test/credit';
import { invoice } from '#test/order-statuses';
import { randomFrom } from '#test/random';
import { createWorld, type Reply, type World } from '#test/world';

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  await world.post('/v1/merchants', merchantBody({}));
});
afterAll(() => world.close());

const place = (external_id: string, buyer_external_id: string, gross: number) =>
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

/** Looks at the facility on a connection of its own as often as it can, until `work` is done. */
async function watching(buyer: string, work: Promise<unknown>): Promise<Snapshot[]> {
  let isDone = false;
  const finished = work.finally(() => {
    isDone = true;
  });
  const snapshots: Snapshot[] = [];
  while (!isDone) snapshots.push(await facilityOf(world, buyer));
  await finished;
  return snapshots;
}

it('16 clients with 50 orders each on one facility, some of them cancelled, closed, invoiced and settled', async () => {
  await addDebtor(world, { buyer: 'wanted', totalMinor: 1_000_000 });
  const answers = { placed: 0, refused: 0 };
  const client = async (nth: number) => {
    const random = randomFrom(nth + 1);
    for (let order = 0; order < 50; order++) {
      const id = `wanted-${nth}-${order}`;
      const gross = 1 + Math.floor(random() * 60_000);
      const { status, body, text } = await place(id, 'wanted', gross);
      if (status === 422) {
        expect(body.reason, text).toBe('FACILITY_EXCEEDED_AVAILABLE_AMOUNT');
        expect(body.details.available, text).toBeLessThan(gross);
        answers.refused++;
        continue;
      }
      expect({ status, text }).toMatchObject({ status: 201 });
      answers.placed++;
      await goOn(id, gross, random());
    }
  };
  const goOn = async (id: string, gross: number, chance: number) => {
    if (chance < 0.6) return expect((await world.post(`/v1/orders/${id}/cancel`)).status).toBe(200);
    if (chance < 0.7) return expect((await world.post(`/v1/orders/${id}/close`)).status).toBe(200);
    if (chance < 0.8) await invoice(world, id, gross);
    if (chance < 0.75) await act(world, (mover) => settleOrder(mover, id));
  };
  const raising = async () => {
    for (let raise = 0; raise < 20; raise++) await changeLimit(world, 'wanted', 10_000);
  };
  const clients = Promise.all([...Array.from({ length: 16 }, (_, nth) => client(nth)), raising()]);
  const snapshots = await watching('wanted', clients);

  expect(snapshots.length).toBeGreaterThan(10);
  for (const { total, used, pending } of snapshots) expect(used + pending).toBeLessThanOrEqual(total);
  // It was tight: the rule was needed.
  expect(answers.placed).toBeGreaterThan(100);
  expect(answers.refused).toBeGreaterThan(20);
  expect(await auditCredit(world)).toEqual([]);
  const [sums] = await world.sql<Record<string, string>>(
    `select sum(total_change) as total, sum(used_change) as used, sum(pending_orders_change) as pending,
      sum(available_change) as available from facility_ledger where buyer_external_id = 'wanted'`,
  );
  const { status: _, ...facility } = await facilityOf(world, 'wanted');
  expect(Object.fromEntries(Object.entries(sums ?? {}).map(([name, sum]) => [name, Number(sum)]))).toEqual(
    facility,
  );
}, 120_000);

it('32 clients that place, cancel and close at random for 8 buyers, also each other’s orders: no answer of 5xx', async () => {
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
    const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
    for (let step = 0; step < 40; step++) {
      if (known.length === 0 || random() < 0.55) {
        // One in ten ids is somebody's already.
        const id = known.length > 0 && random() < 0.1 ? pick(known) : `busy-${nth}-${step}`;
        const status = note(await place(id, pick(buyers), 1 + Math.floor(random() * 50_000)));
        if (status === 201) known.push(id);
      } else note(await world.post(`/v1/orders/${pick(known)}/${pick(['cancel', 'close'])}`));
    }
  };
  await Promise.all(Array.from({ length: 32 }, (_, nth) => client(nth)));
  expect([...statuses.keys()].sort()).toEqual([200, 201, 409, 422]);
  expect(await auditCredit(world)).toEqual([]);
}, 120_000);
