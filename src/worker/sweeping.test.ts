import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { until } from '#test/until';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld, type World } from '#test/world';
import { startWorker } from './index.ts';

/** 2025-11-20 12:00 UTC. */
const T0 = 1_763_640_000;
const DAY = 86_400;

describe('A worker', () => {
  let world: World;
  let cleanUps: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    cleanUps = [];
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    world.clock.set(T0);
  });
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
    await world.close();
  });

  const start = async () => {
    const { close, ...opened } = await openWorkerProcess(world);
    const worker = startWorker(opened);
    cleanUps.push(close, worker.stop);
    return worker;
  };
  const grant = async (external_id: string, key = world.apiKey) => {
    await world.post('/v1/buyers', buyerBody({ external_id }), { key });
    const reply = await world.post(`/v1/buyers/${external_id}/facility`, {}, { key });
    expect(reply).toMatchObject({ status: 201, body: { status: 'ACTIVE' } });
  };
  /** Events of due transitions, in the order of their positions. */
  const happened = () =>
    world.sql<{ what: string; at: number }>(
      `select concat_ws(' ', e.type, e.resource_external_id) as what, (e.body::json->>'occurred_at')::float8 as at
      from events e where e.position is not null and e.type like any(array['FACILITY.RENEWAL%', '%.EXPIRED'])
      order by e.platform_id, e.position`,
    );
  const untilHappened = (count: number) =>
    until(async () => ((await happened()).length >= count ? happened() : undefined));

  it('makes transitions that fell due while none ran: once, in order, as of their instants, with any number of workers', async () => {
    await world.post('/v1/merchants', merchantBody({}));
    await grant('first-accepted');
    const order = draftOrderBody({ buyer_external_id: 'first-accepted' });
    const term = { payment_method: 'TRANSFER', payment_term: 'DEFER_30D' };
    expect((await world.post('/v1/orders', { ...order, ...term })).status).toBe(201);
    world.clock.set(T0 + 100);
    for (let nth = 0; nth < 8; nth++) await grant(`then-${nth}-accepted`);
    await world.sql(
      "update facilities set renewal_due_at = null where buyer_external_id = 'then-7-accepted'",
    );

    world.clock.set(T0 + 95 * DAY);
    expect(await happened()).toEqual([]);
    await Promise.all([start(), start(), start()]);
    const made = await untilHappened(10);
    expect(made).toEqual([
      { what: 'ORDER.EXPIRED order', at: T0 + 30 * DAY },
      { what: 'FACILITY.RENEWAL.ACCEPTED first-accepted', at: T0 + 76 * DAY },
      ...Array.from({ length: 7 }, (_, nth) => ({
        what: `FACILITY.RENEWAL.ACCEPTED then-${nth}-accepted`,
        at: T0 + 100 + 76 * DAY,
      })),
      { what: 'FACILITY.EXPIRED then-7-accepted', at: T0 + 100 + 90 * DAY },
    ]);
    const transitions = await world.sql(
      "select 1 from facility_transitions where actor = 'service' union all select 1 from order_transitions where actor = 'service'",
    );
    expect(transitions).toHaveLength(10);
  });

  it('makes due transitions of a disabled platform too', async () => {
    await grant('accepted');
    await world.sql('update platforms set disabled_at = created_at');
    await start();
    world.clock.set(T0 + 76 * DAY);
    expect(await untilHappened(1)).toMatchObject([{ what: 'FACILITY.RENEWAL.ACCEPTED accepted' }]);
  });

  it('uses the clock of each platform', async () => {
    await grant('here-accepted');
    const other = await world.addPlatform();
    await grant('there-accepted', other.apiKey);
    await world.sql('update platforms set clock_ahead_seconds = $1 where platform_id = $2', [
      76 * DAY,
      other.platform.platform_id,
    ]);
    await start();
    await untilHappened(1);
    world.clock.set(T0 + 1);
    expect(await happened()).toMatchObject([{ what: 'FACILITY.RENEWAL.ACCEPTED there-accepted' }]);
  });

  it('skips a platform while its clock is being set', async () => {
    await grant('moving-accepted');
    const other = await world.addPlatform();
    await grant('other-accepted', other.apiKey);
    world.clock.set(T0 + 100);
    await grant('another-accepted', other.apiKey);
    await world.sql(
      "update platforms set clock_moving_until = now() + interval '1 hour' where platform_id = $1",
      [world.platform.platform_id],
    );
    await start();
    const others = ['other', 'another'].map((id) => ({ what: `FACILITY.RENEWAL.ACCEPTED ${id}-accepted` }));
    world.clock.set(T0 + 76 * DAY);
    await untilHappened(1);
    // A second sweep, after the one that would have found the first platform.
    world.clock.set(T0 + 100 + 76 * DAY);
    expect(await untilHappened(2)).toMatchObject(others);
    await world.sql("update platforms set clock_moving_until = now() - interval '1 second'");
    expect(await untilHappened(3)).toMatchObject([
      { what: 'FACILITY.RENEWAL.ACCEPTED moving-accepted' },
      ...others,
    ]);
  });

  it('continues with other platforms when one fails, and retries that one later', async () => {
    await grant('cursed-accepted');
    const other = await world.addPlatform();
    await grant('fine-accepted', other.apiKey);
    await world.sql(
      "alter table facility_transitions add constraint cursed check (buyer_external_id <> 'cursed-accepted') not valid",
    );
    world.clock.set(T0 + 76 * DAY);
    await start();
    expect(await untilHappened(1)).toMatchObject([{ what: 'FACILITY.RENEWAL.ACCEPTED fine-accepted' }]);
    await world.sql('alter table facility_transitions drop constraint cursed');
    const { elapsedMs } = world.clock;
    world.clock.elapsedMs = () => elapsedMs() + 30_000;
    expect(await untilHappened(2)).toHaveLength(2);
    world.clock.elapsedMs = elapsedMs;
  });

  it('stops between two due transitions, and the next sweep continues there', async () => {
    for (let nth = 0; nth < 40; nth++) await grant(`b${nth}-accepted`);
    world.clock.set(T0 + 85 * DAY);
    const worker = await start();
    await until(async () => (await madeByService()) > 0);
    await worker.stop();
    expect(await madeByService()).toBeLessThan(40);
    await start();
    await until(async () => (await madeByService()) === 40);
    expect(await untilHappened(40)).toHaveLength(40);
  });

  const madeByService = async () =>
    (await world.sql("select 1 from facility_transitions where actor = 'service'")).length;
});
