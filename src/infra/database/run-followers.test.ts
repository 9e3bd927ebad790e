import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type World } from '#test/world';
import type { Pacer } from '../time/pacer.ts';
import { positionEvents } from './outbox.queries.ts';
import { type EventFollower, runFollowers } from './run-followers.ts';

const ORDERS = 200;

// The worker is off: only the followers of the tests run.
describe('Followers of events', () => {
  let world: World;
  let taken: [follower: string, events: number][];

  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    // A buyer before each hundred orders.
    await world.sql(
      `insert into events (platform_id, event_id, type, resource_external_id, occurred_at, body)
      select $1, gen_random_uuid(), case when nth % 101 = 0 then 'BUYER.CREATED' else 'ORDER.CONFIRMED' end, nth, 0, '{}'
      from generate_series(0, 201) nth`,
      [world.platform.platform_id],
    );
    await positionEvents(world.installation.db, 1_000);
  });
  beforeEach(async () => {
    taken = [];
    await world.sql('truncate event_followers');
    await world.sql('update event_positions set is_followed = false');
  });
  afterAll(() => world.close());

  const follower = (name: string, types: string[]): EventFollower => ({
    follower: name,
    types,
    async take(_db, _platformId, events) {
      taken.push([name, events.length]);
      return events.length;
    },
  });
  const record = async (type: string) => {
    await world.sql(
      `insert into events (platform_id, event_id, type, resource_external_id, occurred_at, body)
      values ($1, gen_random_uuid(), $2, gen_random_uuid(), 0, '{}')`,
      [world.platform.platform_id, type],
    );
    await positionEvents(world.installation.db, 1_000);
  };
  const pacerWith = (afterWork: () => unknown): Pacer => ({
    async run(work) {
      const result = await work();
      await afterWork();
      return result;
    },
  });
  const run = (options?: Parameters<typeof runFollowers>[2]) =>
    runFollowers(
      world.installation.db,
      [follower('of orders', ['ORDER.CONFIRMED']), follower('of buyers', ['BUYER.CREATED'])],
      options,
    );

  it('work on all events of their types once, in turns and in batches', async () => {
    expect(await run()).toBe(ORDERS + 2);
    expect(taken).toEqual([
      ['of orders', 64],
      ['of buyers', 2],
      ['of orders', 64],
      ['of orders', 64],
      ['of orders', 8],
    ]);
    expect(await run()).toBe(0);
  });

  it('end after the batch in which they are stopped, and go on later', async () => {
    const stopping = new AbortController();
    const pacer = pacerWith(() => {
      if (taken.length === 3) stopping.abort();
    });
    expect(await run({ pacer, signal: stopping.signal })).toBe(64 + 2 + 64);
    expect(await run()).toBe(ORDERS - 128);
  });

  it('leave what is recorded while they run to the next run', async () => {
    let recorded = 0;
    const pacer = pacerWith(async () => {
      recorded += 1;
      await record('ORDER.CONFIRMED');
    });
    await run();
    await record('ORDER.CONFIRMED');
    expect(await run({ pacer })).toBe(1);
    expect(recorded).toBe(2);
    expect(await run()).toBe(2);
  });
});
