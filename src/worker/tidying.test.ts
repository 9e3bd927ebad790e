import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { positionEvents } from '#infra/database/outbox.queries';
import { buyerBody } from '#test/bodies';
import { until } from '#test/until';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld, type World } from '#test/world';
import { startWorker } from './index.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
});
afterAll(() => world.close());

const SECOND_MS = 1_000;

/** Starts a worker, and ends the first period of its slow timers immediately: the next tidying would be a minute away. */
function startWithElapsedTimers(options: Parameters<typeof startWorker>[0]) {
  const { setTimeout } = globalThis;
  // Only while it starts, so that the timeouts of connections are not affected.
  const hastened = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((call: () => void, ms?: number) =>
      setTimeout(call, (ms ?? 0) > 30 * SECOND_MS ? 0 : ms)) as typeof setTimeout);
  try {
    return startWorker(options);
  } finally {
    hastened.mockRestore();
  }
}

it('a worker deletes events after as many days as the setting says', async () => {
  const { close, ...opened } = await openWorkerProcess(world);
  for (const external_id of ['old', 'kept']) await world.post('/v1/buyers', buyerBody({ external_id }));
  const age = (resource: string, days: number) =>
    world.sql(
      `update events set recorded_at = now() - interval '1 day' * $2 where resource_external_id = $1`,
      [resource, days],
    );
  await age('old', 8);
  await age('kept', 6);
  // An event without a position stays, and the worker may give it one after its first tidying.
  await positionEvents(opened.db, 10);
  const worker = startWithElapsedTimers({ ...opened, eventsKeptDays: 7 });
  const left = () => world.sql<{ id: string }>('select resource_external_id as id from events');
  try {
    await until(async () => (await left()).length === 1);
    expect(await left()).toEqual([{ id: 'kept' }]);
  } finally {
    await worker.stop();
    await close();
  }
});
