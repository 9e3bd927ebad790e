import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import { untilAnyWaits } from '#test/lock-waits';
import { mailsOf, queueMailFor } from '#test/mails';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld, type World } from '#test/world';
import { retryMails } from './mail.queries.ts';
import { claimMails, finishMail } from './mail-attempt.queries.ts';
import { mailExamples } from './mail-examples.ts';
import { type Premise, withdrawMails } from './premise.queries.ts';

let world: World;
let other: Awaited<ReturnType<typeof openWorkerProcess>>;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  other = await openWorkerProcess(world);
});
beforeEach(() => world.sql('delete from mails'));
afterAll(async () => {
  await other.close();
  await world.close();
});

const order = (key: string, version: number): Premise => ({ kind: 'order', key, version });

const queue = (cause: string, premises: Premise[], platformId = world.platform.platform_id) =>
  queueMailFor(world, platformId, {
    ...{ cause, kind: 'order_cancelled', content: mailExamples.order_cancelled, premises },
    ...{ to: `${cause}@example.com`, language: 'EN', formality: 'NEUTRAL', now: 1 },
  });

const withdraw = (...now: Premise[]) => withdrawMails(world.installation.db, world.platform.platform_id, now);

const claim = (db = world.installation.db) => claimMails(db, { batchSizeMax: 10, leaseSeconds: 60 });

const statuses = async () =>
  Object.fromEntries((await mailsOf(world)).map(({ cause, status }) => [cause, status]));

describe('a mail whose premise has another version', () => {
  it('is withdrawn and not claimed; those of other things, versions and platforms wait on', async () => {
    const { platform } = await world.addPlatform();
    await queue('earlier', [order('a', 1)]);
    await queue('several', [order('b', 7), order('a', 1)]);
    await queue('same', [order('a', 2)]);
    await queue('other', [order('b', 1)]);
    await queue('code', [{ ...order('a', 1), kind: 'checkout_code' }]);
    await queue('free', []);
    await queue('elsewhere', [order('a', 1)], platform.platform_id);
    expect(await withdraw(order('a', 2))).toBe(2);
    expect(await withdraw(order('a', 2))).toBe(0);
    expect(await statuses()).toEqual({
      ...{ earlier: 'WITHDRAWN', several: 'WITHDRAWN' },
      ...{ same: 'PENDING', other: 'PENDING', code: 'PENDING', free: 'PENDING', elsewhere: 'PENDING' },
    });
    expect(await claim()).toHaveLength(5);
  });

  it('that was sent stays so', async () => {
    await queue('sent', [order('a', 1)]);
    await world.sql(`update mails set status = 'SENT'`);
    expect(await withdraw(order('a', 2))).toBe(0);
    expect(await statuses()).toEqual({ sent: 'SENT' });
  });

  it('that failed is withdrawn, so that a retry sends only what still holds', async () => {
    await queue('failed', [order('a', 1)]);
    await queue('other', [order('b', 1)]);
    await world.sql(`update mails set status = 'FAILED', attempts = 14`);
    expect(await withdraw(order('a', 2))).toBe(1);
    expect(await retryMails(world.installation.db, world.platform.platform_id, null)).toBe(1);
    expect(await statuses()).toEqual({ failed: 'WITHDRAWN', other: 'PENDING' });
    expect(await claim()).toHaveLength(1);
  });

  it('that is being queued again by a retry is withdrawn too', async () => {
    await queue('failed', [order('a', 1)]);
    await world.sql(`update mails set status = 'FAILED', attempts = 14`);
    let withdrawing: Promise<number> | undefined;
    await inTransaction(world.installation.db, async (db) => {
      expect(await retryMails(db, world.platform.platform_id, null)).toBe(1);
      withdrawing = withdrawMails(other.db, world.platform.platform_id, [order('a', 2)]);
      await untilAnyWaits(world);
    });
    expect(await withdrawing).toBe(1);
    expect(await statuses()).toEqual({ failed: 'WITHDRAWN' });
  });

  it('is withdrawn with its copy', async () => {
    const { platform } = await world.addPlatform();
    const platformId = platform.platform_id;
    await world.sql(
      `update platforms set communication_bcc_email = 'archive@m.example' where platform_id = $1`,
      [platformId],
    );
    await queue('copied', [order('a', 1)], platformId);
    expect(await withdrawMails(world.installation.db, platformId, [order('a', 2)])).toBe(2);
    expect(await statuses()).toEqual({ copied: 'WITHDRAWN', 'copied/copy': 'WITHDRAWN' });
  });

  it('is skipped by claims while its withdrawal is open, and claimed if that is rolled back', async () => {
    await queue('open', [order('a', 1)]);
    const undone = inTransaction(world.installation.db, async (db) => {
      expect(await withdrawMails(db, world.platform.platform_id, [order('a', 2)])).toBe(1);
      expect(await claim(other.db)).toEqual([]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await claim(other.db)).toHaveLength(1);
  });
});

describe('a mail that is withdrawn on its way', () => {
  const attempted = async (status: 'SENT' | 'PENDING') => {
    const [mail] = await claim();
    expect(await withdraw(order('a', 2))).toBe(1);
    return finishMail(world.installation.db, {
      platformId: world.platform.platform_id,
      mailId: mail?.mail_id as string,
      ...{
        attempt: 1,
        status,
        failure: status === 'SENT' ? null : 'TIMEOUT',
        replySealed: null,
        addressMac: null,
      },
      ...{ sentAt: status === 'SENT' ? 2 : null, delaySeconds: status === 'SENT' ? null : 0 },
    });
  };

  it('is SENT if the mail server accepted it', async () => {
    await queue('on-its-way', [order('a', 1)]);
    expect(await attempted('SENT')).toBe(true);
    expect(await mailsOf(world)).toMatchObject([{ status: 'SENT', attempts: 1, sentAt: 2 }]);
  });

  it('is not sent again otherwise', async () => {
    await queue('on-its-way', [order('a', 1)]);
    expect(await attempted('PENDING')).toBe(false);
    await world.sql('update mails set next_attempt_at = now()');
    expect(await claim()).toEqual([]);
    expect(await statuses()).toEqual({ 'on-its-way': 'WITHDRAWN' });
  });
});

describe('withdrawals beside claims', () => {
  it('no claim takes a mail after the commit of its withdrawal, and none is left out', async () => {
    const causes = Array.from({ length: 120 }, (_, nth) => `n${nth}`);
    for (const cause of causes) await queue(cause, [order(cause, 1)]);
    const ids = new Map((await mailsOf(world)).map(({ cause, mailId }) => [cause, mailId]));
    const withdrawn = new Set<string>();
    const claimed = new Set<string>();
    let isDone = false;
    const claiming = async (db: typeof other.db) => {
      for (;;) {
        const before = new Set(withdrawn);
        const wasDone = isDone;
        const mails = await claim(db);
        for (const { mail_id } of mails) {
          expect(before).not.toContain(mail_id);
          expect(claimed).not.toContain(mail_id);
          claimed.add(mail_id);
        }
        if (wasDone && mails.length === 0) return;
      }
    };
    // Every second one, from the end of the list: claims begin at its start.
    const withdrawing = async () => {
      for (const cause of causes.filter((_, nth) => nth % 2 === 0).reverse()) {
        if ((await withdraw(order(cause, 2))) === 1) withdrawn.add(ids.get(cause) as string);
      }
      isDone = true;
    };
    await Promise.all([claiming(world.installation.db), claiming(other.db), withdrawing()]);
    const kept = causes.filter((_, nth) => nth % 2 === 1).map((cause) => ids.get(cause));
    expect(kept.filter((id) => !claimed.has(id as string))).toEqual([]);
    expect(new Set([...claimed, ...withdrawn]).size).toBe(causes.length);
  });
});
