import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import type { MailKind } from '#kernel/mail-kind';
import { mailExamples } from '#modules/notifications';
import { isOnCluster } from '#test/cluster';
import { untilAnyWaits } from '#test/lock-waits';
import { mailsOf, queueMailFor } from '#test/mails';
import { readAfter } from '#test/plans';
import { createWorld, type World } from '#test/world';
import { claimMails, finishMail } from './mail-attempt.queries.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
});
afterAll(() => world.close());

const queue = (kind: MailKind) =>
  queueMailFor(world, world.platform.platform_id, {
    ...{ cause: randomUUID(), kind, content: mailExamples[kind], to: 'jane.doe@buyer.example' },
    ...{ language: 'EN', formality: 'NEUTRAL', now: world.clock.now() },
  });

it('claims a code, for which a person waits, before what has waited for longer', async () => {
  for (const kind of ['order_pending', 'order_pending', 'checkout_code', 'page_code'] as const)
    await queue(kind);
  const kinds: string[] = [];
  for (let nth = 0; nth < 4; nth++)
    for (const { kind } of await claimMails(world.installation.db, { batchSizeMax: 1, leaseSeconds: 60 }))
      kinds.push(kind);
  expect(kinds).toEqual(['checkout_code', 'page_code', 'order_pending', 'order_pending']);
});

const sent = (mailId: string) => ({
  ...{ platformId: world.platform.platform_id, mailId, attempt: 1, status: 'SENT' as const, failure: null },
  ...{ sentAt: 2, delaySeconds: null, replySealed: null, addressMac: Buffer.from('address') },
});

it('records a mail that was sent while it was withdrawn', async () => {
  await queue('order_pending');
  const { db } = world.installation;
  const [mail] = await claimMails(db, { batchSizeMax: 1, leaseSeconds: 60 });
  const mailId = mail?.mail_id as string;
  let finished: Promise<boolean> | undefined;
  await inTransaction(db, async (transaction) => {
    await transaction
      .updateTable('mails')
      .set({ status: 'WITHDRAWN' })
      .where('mail_id', '=', mailId)
      .execute();
    finished = finishMail(db, sent(mailId));
    await untilAnyWaits(world);
  });
  expect(await finished).toBe(true);
  const [found] = (await mailsOf(world)).filter((each) => each.mailId === mailId);
  expect(found).toMatchObject({ status: 'SENT', attempts: 1 });
});

// A cluster plans these statements at each run.
it.skipIf(isOnCluster())(
  'finds mails by their keys with plans that were made before there were mails',
  async () => {
    const { platform_id: platformId } = (await world.addPlatform()).platform;
    const idOf = (nth: number) => `00000000-0000-4000-8000-${`${nth}`.padStart(12, '0')}`;
    await world.sql('delete from mails');
    await world.sql('alter table mails set (autovacuum_enabled = off)');
    const read = await readAfter(
      world,
      async (db) => {
        await claimMails(db, { batchSizeMax: 4, leaseSeconds: 60, isMoreKnown: true });
        for (const nth of [1, 2]) await finishMail(db, { ...sent(idOf(nth)), platformId });
      },
      () =>
        world.sql(
          `insert into mails (platform_id, mail_id, cause, kind, status, created_at, content_sealed, next_attempt_at)
        select $1, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'cause-' || n, 'order_pending', 'PENDING', n, 'sealed',
          now() + make_interval(mins => n - 10)
        from generate_series(1, 20000) n`,
          [platformId],
        ),
    );
    expect(read.rows).toBeLessThan(50);
    expect(read.buffers).toBeLessThan(200);
  },
);
