import { afterAll, beforeAll, expect, it, vi } from 'vitest';
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

/** Starts it, and ends the first period of all its timers at once: the longest is an hour. */
function startWithElapsedTimers(options: Parameters<typeof startWorker>[0]) {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const worker = startWorker(options);
    vi.advanceTimersByTime(3_600_000);
    return worker;
  } finally {
    vi.useRealTimers();
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
  const worker = startWithElapsedTimers({ ...opened, eventsKeptDays: 7 });
  const left = () => world.sql<{ id: string }>('select resource_external_id as id from events');
  await until(async () => (await left()).length === 1);
  expect(await left()).toEqual([{ id: 'kept' }]);
  await worker.stop();
  await close();
});
