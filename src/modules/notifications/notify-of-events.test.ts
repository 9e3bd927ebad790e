import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { positionEvents } from '#infra/database/outbox.queries';
import type { Log } from '#infra/log';
import { merchantBody } from '#test/bodies';
import { mailsOf } from '#test/mails';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld, type World } from '#test/world';
import { mailExamples } from './mail-examples.ts';
import { type Notifier, notifyOfEvents } from './notify-of-events.ts';

let world: World;
let worker: Awaited<ReturnType<typeof openWorkerProcess>>;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  worker = await openWorkerProcess(world);
});
afterAll(async () => {
  await worker.close();
  await world.close();
});

/** Welcomes merchants, the first one without its name. */
const notifier: Notifier = {
  follower: 'of the test',
  types: ['MERCHANT.ENROLLED'],
  async notify(_context, { event_id, resource_external_id: merchant }) {
    const content = { ...mailExamples.merchant_enrolled };
    if (merchant === 'nameless') content.company = undefined as never;
    const to = `${merchant}@example.com`;
    const cause = `test/${event_id}`;
    return {
      mails: [{ kind: 'merchant_enrolled', cause, to, language: 'EN', formality: 'NEUTRAL', content }],
    };
  },
};

describe('a mail about an event that lacks a value', () => {
  it('is logged and not sent, and the mails after it are', async () => {
    const logged: object[] = [];
    const log: Log = { ...worker.log, error: (entry: object) => void logged.push(entry) };
    for (const external_id of ['nameless', 'named'])
      await world.post('/v1/merchants', merchantBody({ external_id }));
    await positionEvents(world.installation.db, 1_000);
    expect(await notifyOfEvents({ ...worker, log }, [notifier])).toBe(1);
    expect((await mailsOf(world)).map(({ to }) => to)).toEqual(['named@example.com']);
    expect(logged).toEqual([expect.objectContaining({ kind: 'merchant_enrolled', err: expect.any(Error) })]);
    // The notifier has passed the event, and does not try it again with each new one.
    expect(await notifyOfEvents({ ...worker, log }, [notifier])).toBe(0);
    expect(logged).toHaveLength(1);
  });
});
