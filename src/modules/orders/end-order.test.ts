import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderExpiries } from '#modules/orders';
import { auditCredit, facilityOf } from '#test/credit';
import { makeDue } from '#test/due';
import { addParties, invoice, STATES } from '#test/order-statuses';
import { orderTransitions, recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;
const DAY = 86_400;

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(NOW);
  await addParties(world);
});
afterAll(async () => {
  expect(await auditCredit(world)).toEqual([]);
  await world.close();
});

const makeDueUntil = (until: number) => makeDue(world, [orderExpiries], until, undefined);
const findPlatforms = (now: number) => orderExpiries.findPlatforms(world.installation.db, now);
const orderOf = async (id: string) => (await world.get(`/v1/orders/${id}`)).body;

describe('orders whose time limit is over', () => {
  it('end at their instant, in the order of the instants, and not a second before it', async () => {
    await STATES.PENDING_CONFIRMATION(world, 'waiting');
    await STATES.CONFIRMED(world, 'confirmed');
    world.clock.set(NOW + 10);
    await STATES.CONFIRMED(world, 'confirmed-later');
    expect(await makeDueUntil(NOW + 14 * DAY - 1)).toEqual([]);
    expect((await orderOf('waiting')).status).toBe('PENDING_CONFIRMATION');

    const expiry = { resource: 'order', trigger: 'expire' };
    expect(await makeDueUntil(NOW + 40 * DAY)).toEqual([
      { ...expiry, dueAt: NOW + 14 * DAY, externalId: 'waiting' },
      { ...expiry, dueAt: NOW + 30 * DAY, externalId: 'confirmed' },
      { ...expiry, dueAt: NOW + 30 * DAY + 10, externalId: 'confirmed-later' },
    ]);
    expect(await orderOf('waiting')).toMatchObject({
      status: 'EXPIRED',
      updated_at: NOW + 14 * DAY,
      expires_at: null,
      cancellation_reason: null,
    });
    expect((await recordedEvents(world, 'confirmed')).at(-1)).toMatchObject({
      type: 'ORDER.EXPIRED',
      occurred_at: NOW + 30 * DAY,
      data: { sequence: 2, previous_status: 'CONFIRMED' },
    });
    expect((await orderTransitions(world, 'confirmed'))[1]).toMatchObject({
      trigger: 'expire',
      actor: 'service',
      transitioned_at: NOW + 30 * DAY,
    });
    for (const buyer of ['prompt', 'late'])
      expect(await facilityOf(world, buyer)).toMatchObject({ pending: 0 });
    expect(await makeDueUntil(NOW + 4_000 * DAY)).toEqual([]);
  });

  it('do not, once they have an invoice or have ended otherwise; drafts never do', async () => {
    world.clock.set(NOW);
    await STATES.DRAFT(world, 'draft');
    await STATES.CONFIRMED(world, 'invoiced');
    await invoice(world, 'invoiced', 1);
    await STATES.CANCELLED(world, 'cancelled');
    expect(await makeDueUntil(NOW + 4_000 * DAY)).toEqual([]);
    expect((await orderOf('draft')).status).toBe('DRAFT');
  });

  it('are found by the clock of their platform', async () => {
    const { platform_id: own } = world.platform;
    const { platform } = await world.addPlatform();
    await world.sql('update platforms set clock_ahead_seconds = 100 where platform_id = $1', [own]);
    world.clock.set(NOW);
    await STATES.CONFIRMED(world, 'sandboxed');
    expect(await findPlatforms(NOW + 30 * DAY - 101)).toEqual([]);
    expect(await findPlatforms(NOW + 30 * DAY - 100)).toEqual([own]);
    expect(await findPlatforms(NOW + 30 * DAY - 100)).not.toContain(platform.platform_id);
    await makeDueUntil(NOW + 30 * DAY);
    expect(await findPlatforms(NOW + 30 * DAY)).toEqual([]);
  });

  it('end once if several workers find them, and not if they were cancelled in between', async () => {
    await STATES.CONFIRMED(world, 'contested');
    await STATES.CONFIRMED(world, 'rescued');
    const { db } = world.installation;
    const { platform_id: platformId } = world.platform;
    const due = { dueAt: NOW + 30 * DAY, resource: 'order' as const, trigger: 'expire' };
    const make = (externalId: string) =>
      orderExpiries.make(db, platformId, [{ ...due, externalId }], undefined);
    await Promise.all(Array.from({ length: 6 }, () => make('contested')));
    expect((await recordedEvents(world, 'contested')).map(({ type }) => type)).toEqual([
      'ORDER.CONFIRMED',
      'ORDER.EXPIRED',
    ]);
    await world.post('/v1/orders/rescued/cancel');
    await make('rescued');
    expect((await orderOf('rescued')).status).toBe('CANCELLED');
  });
});
