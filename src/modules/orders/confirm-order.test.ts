import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LimitPolicySettings } from '#modules/facilities';
import { confirmOrder, declineOrder } from '#modules/orders';
import { draftOrderBody, merchantBody } from '#test/bodies';
import {
  act,
  addDebtor,
  addOverdue,
  auditCredit,
  changeLimit,
  entriesOf,
  facilityOf,
  setFacilityStatus,
  setLimits,
} from '#test/credit';
import { orderTransitions, recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;
const DAY = 86_400;

let world: World;
let made = 0;
beforeAll(async () => {
  world = await createWorld();
  world.clock.set(NOW);
  await world.post('/v1/merchants', merchantBody({}));
});
afterAll(async () => {
  expect(await auditCredit(world)).toEqual([]);
  await world.close();
});

/** A waiting order of 11,900 with the same external_id as its buyer, who has a limit of 20,000. */
async function waiting(settings?: Partial<LimitPolicySettings>): Promise<string> {
  const id = `late-${++made}`;
  await addDebtor(world, { buyer: id, totalMinor: 20_000 });
  if (settings) await setLimits(world, settings, id);
  await addOverdue(world, id, 8, 5_000);
  const term = { payment_method: 'TRANSFER', payment_term: 'DEFER_30D' };
  const { body } = await world.post(
    '/v1/orders',
    draftOrderBody({ external_id: id, buyer_external_id: id, ...term }),
  );
  expect(body.status).toBe('PENDING_CONFIRMATION');
  return id;
}

const confirm = (id: string) => act(world, (context) => confirmOrder(context, id, 'Paid in the meantime.'));
const statusOf = async (id: string) => (await world.get(`/v1/orders/${id}`)).body.status;

describe('confirming an order', () => {
  it('counts its own reservation once, and reserves nothing twice', async () => {
    const id = await waiting();
    world.clock.set(NOW + DAY);
    const order = await confirm(id);
    world.clock.set(NOW);
    expect(order).toMatchObject({ status: 'CONFIRMED', version: 2, expires_at: NOW + 31 * DAY });
    expect(await facilityOf(world, id)).toMatchObject({ pending: 11_900, available: 8_100 });
    expect(await entriesOf(world, id)).toHaveLength(1);
    expect((await orderTransitions(world, id)).at(-1)).toMatchObject({
      version: 2,
      trigger: 'confirm',
      actor: 'operator:ada',
      reason: 'Paid in the meantime.',
      transitioned_at: NOW + DAY,
    });
    expect((await recordedEvents(world, id)).at(-1)).toMatchObject({
      type: 'ORDER.CONFIRMED',
      occurred_at: NOW + DAY,
      data: { sequence: 2, previous_status: 'PENDING_CONFIRMATION' },
    });
  });

  it('passes with exactly as much limit as the order itself, and not with a cent less', async () => {
    const id = await waiting();
    await changeLimit(world, id, -8_101);
    await expect(confirm(id)).rejects.toMatchObject({
      reason: 'FACILITY_EXCEEDED_AVAILABLE_AMOUNT',
      details: { requested: 11_900, available: 11_899, currency: 'EUR' },
    });
    expect(await statusOf(id)).toBe('PENDING_CONFIRMATION');
    await changeLimit(world, id, 1);
    await confirm(id);
    expect(await statusOf(id)).toBe('CONFIRMED');
  });

  it.each([
    ['FROZEN', 'FACILITY_FROZEN'],
    ['EXPIRED', 'FACILITY_EXPIRED'],
  ] as const)('is refused while the facility is %s, and keeps its reservation', async (status, reason) => {
    const id = await waiting();
    await setFacilityStatus(world, id, status);
    await expect(confirm(id)).rejects.toMatchObject({ reason });
    expect(await statusOf(id)).toBe('PENDING_CONFIRMATION');
    expect((await facilityOf(world, id)).pending).toBe(11_900);
  });

  it('is refused for a buyer who now owes too much for too long', async () => {
    const id = await waiting();
    await addOverdue(world, id, 30, 1);
    await addOverdue(world, id, 30, 101);
    await expect(confirm(id)).rejects.toMatchObject({ reason: 'BUYER_OVERDUE' });
  });

  it('reserves what is not reserved yet, if orders have come to count', async () => {
    const id = await waiting({ counts: 'INVOICES' });
    expect(await facilityOf(world, id)).toMatchObject({ pending: 0 });
    await setLimits(world, { counts: 'ORDERS' }, id);
    await confirm(id);
    expect(await facilityOf(world, id)).toMatchObject({ pending: 11_900, available: 8_100 });
    expect(await entriesOf(world, id)).toEqual([`ORDER_RESERVED ${id} pending 11900 used 0`]);
  });

  it('reserves nothing if only invoices count', async () => {
    const id = await waiting({ counts: 'INVOICES' });
    await confirm(id);
    expect(await facilityOf(world, id)).toMatchObject({ pending: 0, available: 20_000 });
  });

  it('leaves the transaction whole when it is refused: the caller may decline instead', async () => {
    const id = await waiting();
    await setFacilityStatus(world, id, 'FROZEN');
    const declined = await act(world, async (context) => {
      try {
        return await confirmOrder(context, id);
      } catch {
        return declineOrder(context, id, 'No credit any more.');
      }
    });
    expect(declined).toMatchObject({ status: 'CANCELLED', cancellation_reason: 'RISK', version: 2 });
    expect(await facilityOf(world, id)).toMatchObject({ pending: 0 });
  });

  it('happens once for ten requests at once', async () => {
    const id = await waiting();
    const requested = await Promise.allSettled(Array.from({ length: 10 }, () => confirm(id)));
    expect(requested.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await recordedEvents(world, id)).filter(({ type }) => type === 'ORDER.CONFIRMED')).toHaveLength(
      1,
    );
  });
});

describe('declining an order', () => {
  it('cancels it for RISK, releases its reservation, and records an event', async () => {
    const id = await waiting();
    await act(world, (context) => declineOrder(context, id, 'Too late, too often.'));
    expect((await world.get(`/v1/orders/${id}`)).body).toMatchObject({
      status: 'CANCELLED',
      cancellation_reason: 'RISK',
      expires_at: null,
    });
    expect(await facilityOf(world, id)).toMatchObject({ pending: 0, available: 20_000 });
    expect((await recordedEvents(world, id)).at(-1)).toMatchObject({
      type: 'ORDER.CANCELLED',
      data: { cancellation_reason: 'RISK' },
    });
  });
});
