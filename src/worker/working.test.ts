import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '#test/until';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld, type World } from '#test/world';
import { startWorker } from './index.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
});
afterAll(() => world.close());

it('a worker says so once its work has failed for a minute, and when it works again', async () => {
  const { close, ...opened } = await openWorkerProcess(world);
  let aheadMs = 0;
  const clock = { ...opened.clock, elapsedMs: () => opened.clock.elapsedMs() + aheadMs };
  const worker = startWorker({ ...opened, clock });
  await world.sql('alter table events rename to gone');
  expect(worker.isWorking()).toBe(true);
  aheadMs = 61_000;
  await until(() => !worker.isWorking());
  await world.sql('alter table gone rename to events');
  await until(() => worker.isWorking());
  await worker.stop();
  await close();
});
