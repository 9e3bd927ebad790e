import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailsOf, queueMailFor } from '#test/mails';
import { createWorld, type World } from '#test/world';
import { pruneMails, retryMails } from './mail.queries.ts';
import { mailExamples } from './mail-examples.ts';

const NOW = 1_763_640_000;

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
});
afterAll(() => world.close());

const queue = (cause: string, platformId = world.platform.platform_id) =>
  queueMailFor(world, platformId, {
    ...{ cause, kind: 'order_confirmed', content: mailExamples.order_confirmed, to: `${cause}@example.com` },
    ...{ language: 'EN', formality: 'NEUTRAL', now: NOW },
  });

describe('a mail that failed', () => {
  it('is not queued again where it had a code, which has expired', async () => {
    const platformId = world.platform.platform_id;
    await queueMailFor(world, platformId, {
      ...{ cause: 'expired', kind: 'page_code', content: mailExamples.page_code, to: 'late@example.com' },
      ...{ language: 'EN', formality: 'NEUTRAL', now: NOW },
    });
    await world.sql(`update mails set status = 'FAILED' where cause = 'expired'`);
    const [mail] = await mailsOf(world, { to: 'late@example.com' });
    expect(await retryMails(world.installation.db, platformId, mail?.mailId as string)).toBe(0);
    await world.sql(`delete from mails where cause = 'expired'`);
  });

  it('is queued again by a retry, of one mail or of all of the platform', async () => {
    const { platform } = await world.addPlatform();
    const { db } = world.installation;
    for (const cause of ['a', 'b', 'c']) await queue(`failed-${cause}`);
    await queue('failed-elsewhere', platform.platform_id);
    await world.sql(
      `update mails set status = 'FAILED', attempts = 14, waiting_since = now() - interval '2 days' where cause like 'failed-%'`,
    );
    const [mail] = await mailsOf(world, { to: 'failed-a@example.com' });
    expect(await retryMails(db, platform.platform_id, mail?.mailId as string)).toBe(0);
    expect(await retryMails(db, world.platform.platform_id, mail?.mailId as string)).toBe(1);
    expect(await mailsOf(world, { to: 'failed-a@example.com' })).toMatchObject([
      { status: 'PENDING', attempts: 0 },
    ]);
    expect(await retryMails(db, world.platform.platform_id, null)).toBe(2);
    expect(await mailsOf(world, { to: 'failed-elsewhere@example.com' })).toMatchObject([
      { status: 'FAILED' },
    ]);
  });
});

describe('mails older than 30 days', () => {
  it('are deleted in batches', async () => {
    const { db } = world.installation;
    for (const n of [1, 2, 3]) await queue(`old-${n}`);
    await queue('young');
    await world.sql(
      `update mails set waiting_since = now() - interval '30 days 1 second' where cause like 'old-%'`,
    );
    await world.sql(
      `update mails set waiting_since = now() - interval '29 days 23 hours' where cause = 'young'`,
    );
    expect(await pruneMails(db, 2)).toBe(2);
    expect(await pruneMails(db, 2)).toBe(1);
    expect(await mailsOf(world, { to: 'young@example.com' })).toHaveLength(1);
    expect(await mailsOf(world, { to: 'old-3@example.com' })).toEqual([]);
  });
});
