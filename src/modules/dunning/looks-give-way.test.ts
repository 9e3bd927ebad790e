import { expect, it } from 'vitest';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld } from '#test/world';
import { reminders } from './index.ts';

it('A look at reminders gives way to requests in the worker', async () => {
  const world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  const { db, deps, close } = await openWorkerProcess(world);
  const due = [
    { dueAt: world.clock.now(), resource: 'invoice' as const, externalId: 'none', trigger: 'remind' },
  ];
  let waits = 0;
  const giveWay = async () => ++waits;
  const lookWith = (more: object) =>
    reminders.make(db, world.platform.platform_id, due, { ...deps, ...more });
  expect(await lookWith({ giveWay })).toEqual([]);
  expect(waits).toBeGreaterThan(2);
  const before = waits;
  await lookWith({});
  expect(waits).toBe(before);
  await close();
  await world.close();
});
