import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Claims, countsBy, openClaims, type Receivers } from '#test/claims';
import { isOnCluster } from '#test/cluster';
import { indexesOf, plansOf, tablesReadWhole } from '#test/plans';
import type { World } from '#test/world';
import { type ClaimedDelivery, type ClaimOptions, claimDeliveries } from './claim.queries.ts';
import { DELIVERY_SLOTS } from './claim.rules.ts';
import { endExpiredLeases, releaseHeldDeliveries } from './due-again.queries.ts';
import { insertRecovery, recoverDeliveries } from './recovery.queries.ts';

describe('A claim', () => {
  let claims: Claims;
  let world: World;
  let platformIds: number[];
  beforeAll(async () => {
    claims = await openClaims();
    ({ world, platformIds } = claims);
  });
  afterEach(() => claims.clear());
  afterAll(() => world.close());

  const platform = (nth: number) => platformIds[nth] as number;
  const add = (receivers: Receivers) => claims.add(receivers);
  const claim = (options?: Partial<ClaimOptions>) => claims.claim(options);
  const claimAll = () => claims.claimAll();
  const held = () => claims.held();

  it('gives four slots to a receiver that answered, if late, and one to a receiver that is new or hung', async () => {
    for (const lastOutcome of ['DELIVERED', 'SLOW', 'FAILED', 'TIMEOUT', null] as const)
      await add({ platformId: platform(0), name: String(lastOutcome), deliveries: 6, lastOutcome });
    const claimed = await claimAll();
    expect(countsBy(claimed, ({ url }) => new URL(url).hostname.split('-')[0] as string)).toEqual({
      delivered: 4,
      failed: 4,
      null: 1,
      slow: 4,
      timeout: 1,
    });
    expect(await claimAll()).toEqual([]);
  });

  it('gives one origin 64 slots, whoever subscribed it', async () => {
    for (const nth of [0, 1, 2])
      await add({
        platformId: platform(nth),
        name: `many-${nth}`,
        subscriptions: 40,
        origin: 'https://one.example:8443',
      });
    await add({ platformId: platform(0), name: 'other', dueForSeconds: 10 });
    const claimed = await claimAll();
    expect(countsBy(claimed, ({ url }) => new URL(url).host)).toEqual({
      'one.example:8443': DELIVERY_SLOTS.perOrigin,
      'other-1.example': 1,
    });
  });

  it.each([
    ['https://h.example', ['', ':443', ':', '.', '.:443', ':0443', '.:'], 1],
    ['https://', ['h.example', 'H.EXAMPLE', 'H.example.:443'], 1],
    ['http://h.example', ['', ':80', '.', '.:80'], 1],
    ['https://h.example', [':8443', '.:8443', ':08443'], 1],
    ['https://[2606:4700::443]', ['', ':443'], 1],
    ['https://h.example', ['', ':80', ':8443', '.other'], 4],
    ['http://h.example', ['', ':443', ':8080'], 3],
  ])(
    'counts the slots of %s with the ends %j as those of so many origins: %s',
    async (start, ends, count) => {
      for (const [nth, end] of ends.entries())
        await add({ platformId: platform(nth), name: 'one', origin: `${start}${end}` });
      const slots = { ...DELIVERY_SLOTS, perOrigin: 1 };
      expect((await claim({ slots })).deliveries).toHaveLength(count);
      // Attempts under way count too.
      expect((await claim({ slots })).deliveries).toEqual([]);
    },
  );

  it('gives one platform half of the slots of a worker', async () => {
    await add({ platformId: platform(0), name: 'many', subscriptions: 300 });
    await add({ platformId: platform(1), name: 'other', dueForSeconds: 10 });
    expect(countsBy(await claimAll(), ({ platform_id }) => platform_id)).toEqual({
      [platform(0)]: DELIVERY_SLOTS.perPlatform,
      [platform(1)]: 1,
    });
  });

  it.each(['SLOW', 'FAILED', 'TIMEOUT', null] as const)(
    'gives receivers whose last outcome is %s a quarter of the slots, and 16 to those of a platform',
    async (lastOutcome) => {
      for (const [nth, platformId] of platformIds.entries())
        await add({ platformId, name: `bad-${nth}`, subscriptions: nth === 0 ? 100 : 5, lastOutcome });
      await add({ platformId: platform(0), name: 'good', subscriptions: 5, dueForSeconds: 10 });
      const claimed = await claimAll();
      const { good, bad } = countsBy(claimed, ({ url }) => new URL(url).hostname.split('-')[0] as string);
      expect({ good, bad }).toEqual({ good: 5, bad: DELIVERY_SLOTS.unproven });
      const ofFirst = claimed.filter(
        ({ platform_id, url }) => platform_id === platform(0) && url.includes('bad'),
      );
      expect(ofFirst.length).toBeGreaterThan(0);
      expect(ofFirst.length).toBeLessThanOrEqual(DELIVERY_SLOTS.unprovenPerPlatform);
    },
  );

  it('chooses of each platform in turn, however long another one waits', async () => {
    await add({ platformId: platform(0), name: 'busy', subscriptions: 100, deliveries: 2 });
    for (const nth of [1, 2]) await add({ platformId: platform(nth), name: `calm-${nth}`, dueForSeconds: 5 });
    const { deliveries } = await claim({ batchSizeMax: 3 });
    expect(deliveries.map(({ platform_id }) => platform_id).sort()).toEqual([0, 1, 2].map(platform).sort());
  });

  it('reaches what is due behind the backlog of another receiver, and looks at the backlog once', async () => {
    await add({ platformId: platform(0), name: 'burst', deliveries: 1_200 });
    await add({ platformId: platform(0), name: 'off', deliveries: 100, status: 'DISABLED' });
    await add({ platformId: platform(1), name: 'calm', dueForSeconds: 5 });
    const claimed = await claimAll();
    expect(countsBy(claimed, ({ url }) => new URL(url).hostname)).toEqual({
      'burst-1.example': 4,
      'calm-1.example': 1,
    });
    const heldBefore = await held();
    expect(heldBefore).toBeGreaterThan(700);
    expect(await claim()).toEqual({ deliveries: [], hasMore: false });
    expect(await held()).toBe(heldBefore);
  });

  it('holds what receivers that hang have no slot for, and looks at it no more', async () => {
    await add({
      platformId: platform(0),
      name: 'hung',
      subscriptions: 40,
      deliveries: 3,
      lastOutcome: 'TIMEOUT',
    });
    expect(await claimAll()).toHaveLength(DELIVERY_SLOTS.unprovenPerPlatform);
    expect(await held()).toBe(120 - DELIVERY_SLOTS.unprovenPerPlatform);
    const release = () => releaseHeldDeliveries(world.installation.db);
    expect(await release()).toBe(0);
    expect(await claimAll()).toEqual([]);
    await world.sql('delete from webhook_leases');
    // For the subscriptions whose attempts are gone, the oldest delivery is now another one, which is due.
    expect(await release()).toBe(DELIVERY_SLOTS.unprovenPerPlatform);
  });

  it('takes live events before what is recovered, which leaves them one of the four slots', async () => {
    await add({ platformId: platform(0), name: 'back', deliveries: 6 });
    await world.sql('update webhook_deliveries set is_recovered = true');
    await add({ platformId: platform(1), name: 'new', deliveries: 6, lastOutcome: null });
    const isRecovered = async ({ deliveries }: { deliveries: ClaimedDelivery[] }) => {
      const rows = await world.sql<{ is_recovered: boolean }>(
        'select is_recovered from webhook_deliveries where delivery_id = any($1) order by 1',
        [deliveries.map(({ delivery_id }) => delivery_id)],
      );
      return rows.map(({ is_recovered }) => is_recovered);
    };
    // One delivery of the subscription without an attempt, which has a single slot.
    expect(await isRecovered(await claim())).toEqual([false, true, true, true]);
    await world.sql(
      `insert into events (platform_id, event_id, type, resource_external_id, occurred_at, body)
      select $1, gen_random_uuid(), 'T', 'live', 0, '{}' from generate_series(1, 2)`,
      [platform(0)],
    );
    await world.sql(
      `insert into webhook_deliveries (platform_id, subscription_id, event_id, status)
      select platform_id, s.subscription_id, e.event_id, 'PENDING'
      from webhook_subscriptions s join events e using (platform_id) where e.resource_external_id = 'live'`,
    );
    expect(await isRecovered(await claim())).toEqual([false]);
    expect(await claim()).toMatchObject({ deliveries: [] });
  });

  it('takes a live event that is held before hundreds of held ones that are recovered and due for longer', async () => {
    const { db } = world.installation;
    const platformId = platform(0);
    await add({ platformId, name: 'back', deliveries: 201 });
    await world.sql(`update webhook_deliveries set is_held = true, is_recovered =
      delivery_id <> (select delivery_id from webhook_deliveries order by next_attempt_at desc limit 1)`);
    const [live] = await world.sql<{ id: number; subscription_id: string }>(
      'select delivery_id::int as id, subscription_id from webhook_deliveries where not is_recovered',
    );
    const finished = [{ platformId, subscriptionId: live?.subscription_id as string }];
    const claimed = (await claim({ finished })).deliveries.map(({ delivery_id }) => delivery_id);
    expect(claimed).toHaveLength(3);
    expect(claimed).toContain(live?.id);
    await world.sql('delete from webhook_leases');
    expect(await releaseHeldDeliveries(db)).toBe(1);
    expect((await claim()).deliveries.map(({ delivery_id }) => delivery_id)).toEqual([live?.id]);
  });

  it('looks at nothing that is recovered but the next of it, from its first delivery on', async () => {
    const { db } = world.installation;
    const platformId = platform(0);
    await add({ platformId, name: 'back', deliveries: 0 });
    await world.sql(
      `insert into events (platform_id, event_id, position, type, resource_external_id, occurred_at, body)
      select $1, gen_random_uuid(), n, 'back-1', 'past', 0, '{}' from generate_series(1, 10) n`,
      [platformId],
    );
    await world.sql('insert into event_positions (platform_id, position_last) values ($1, 10)', [platformId]);
    const [row] = await world.sql<{ subscription_id: string }>(
      'select subscription_id from webhook_subscriptions',
    );
    const subscriptionId = row?.subscription_id as string;
    await insertRecovery(db, platformId, subscriptionId, 0);
    await recoverDeliveries(db, 1);
    expect(await held()).toBe(10);
    expect(await claim()).toEqual({ deliveries: [], hasMore: false });
    expect(await releaseHeldDeliveries(db)).toBe(1);
    expect((await claim()).deliveries).toHaveLength(1);
    const { deliveries, hasMore } = await claim({ finished: [{ platformId, subscriptionId }] });
    expect({ claimed: deliveries.length, hasMore }).toEqual({ claimed: 2, hasMore: false });
  });

  it('goes on with the longest due of a backlog when an attempt has ended, or within a quarter of a second', async () => {
    await add({ platformId: platform(0), name: 'burst', deliveries: 1_024 });
    const [first] = await claimAll();
    const ids = await world.sql<{ id: number }>(
      'select delivery_id::int as id from webhook_deliveries where delivery_id not in (select delivery_id from webhook_leases) order by next_attempt_at',
    );
    await world.sql(
      `with ended as (delete from webhook_leases returning delivery_id)
      update webhook_deliveries set status = 'DELIVERED' where delivery_id in (select delivery_id from ended)`,
    );
    const { platform_id: platformId, subscription_id: subscriptionId } = first as ClaimedDelivery;
    expect(await releaseHeldDeliveries(world.installation.db)).toBe(1);
    expect((await claim()).deliveries.map(({ delivery_id }) => delivery_id)).toEqual([ids[0]?.id]);
    expect(await releaseHeldDeliveries(world.installation.db)).toBe(0);
    const finished = [{ platformId, subscriptionId }];
    const next = (await claim({ finished })).deliveries
      .map(({ delivery_id }) => delivery_id)
      .sort((a, b) => a - b);
    expect(next).toEqual(ids.slice(1, 4).map(({ id }) => id));
  });

  it('leaves out what is leased, and what was leased to a worker that was killed once its lease is deleted', async () => {
    await add({ platformId: platform(0), name: 'one', deliveries: 2 });
    expect(await claimAll()).toHaveLength(2);
    expect(await claimAll()).toEqual([]);
    expect(await endExpiredLeases(world.installation.db)).toBe(0);
    await world.sql('update webhook_leases set leased_until = now()');
    expect(await claimAll()).toEqual([]);
    expect(await endExpiredLeases(world.installation.db)).toBe(2);
    expect(await claimAll()).toHaveLength(2);
  });

  it('makes what was held for a disabled subscription due once it is enabled', async () => {
    await add({ platformId: platform(0), name: 'off', deliveries: 600, status: 'DISABLED' });
    expect(await claimAll()).toEqual([]);
    expect(await releaseHeldDeliveries(world.installation.db)).toBe(0);
    await world.sql("update webhook_subscriptions set status = 'ACTIVE'");
    await releaseHeldDeliveries(world.installation.db);
    expect((await claimAll()).length).toBeGreaterThan(0);
  });

  // A cluster shows the plan of one node, which may contain none of the rows.
  it.skipIf(isOnCluster())(
    'reads what is due and what runs by indexes, among 50,000 deliveries',
    async () => {
      await add({ platformId: platform(0), name: 'waiting', subscriptions: 100, deliveries: 500 });
      await world.sql(
        "update webhook_deliveries set next_attempt_at = now() + interval '1 hour' where delivery_id % 100 > 0",
      );
      await world.sql('analyze webhook_deliveries, webhook_subscriptions, events');
      const finished = [{ platformId: platform(0), subscriptionId: '00000000-0000-4000-8000-000000000000' }];
      const plans = await plansOf(world, (db) =>
        claimDeliveries(db, { batchSizeMax: 256, leaseSeconds: 60, finished }),
      );
      // Reading a hundred subscriptions in one statement is faster.
      const large = ['webhook_deliveries', 'webhook_attempts', 'events'];
      expect(tablesReadWhole(plans).filter((table) => large.includes(table ?? ''))).toEqual([]);
      expect(indexesOf(plans)).toEqual(
        expect.arrayContaining(['webhook_deliveries_to_claim', 'webhook_deliveries_held', 'events_pkey']),
      );
    },
  );
});
