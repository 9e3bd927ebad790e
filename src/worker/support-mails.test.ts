import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MailKind } from '#kernel/mail-kind';
import { mailExamples } from '#modules/notifications';
import { takeWaitingSubscriptions } from '#modules/webhooks';
import { addMainAccount } from '#test/bank-account';
import { buyerBody } from '#test/bodies';
import { addFacility } from '#test/facilities';
import { mailsOf, queueMailFor } from '#test/mails';
import { indexesOf, plansOf } from '#test/plans';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld, type World } from '#test/world';
import { queueSupportMails } from './support-mails.ts';

const NOW = 1_763_640_000;
const DAY = 86_400;
const SUPPORT = ['a@support.example', 'b@support.example'];

let world: World;
let worker: Awaited<ReturnType<typeof openWorkerProcess>>;
beforeAll(async () => {
  world = await createWorld({
    settings: { TRADELINE_WORKER: 'off' },
    platform: {
      ...{ name: 'Markthalle', language: 'DE', formality: 'FORMAL' },
      ...{ support_emails: SUPPORT, communication_bcc_email: 'archive@m.example' },
    },
  });
  world.clock.set(NOW);
  worker = await openWorkerProcess(world);
});
afterAll(async () => {
  await worker.close();
  await world.close();
});

/** The mails that one more run queues. */
async function reported() {
  const before = (await mailsOf(world)).length;
  const count = await queueSupportMails(worker);
  const mails = (await mailsOf(world)).filter(({ kind }) => kind.startsWith('support_'));
  expect((await mailsOf(world)).length).toBe(before + count);
  return mails.slice(mails.length - count);
}

async function addFailedMails(count: number, kind: MailKind = 'order_confirmed') {
  for (let nth = 1; nth <= count; nth++)
    await queueMailFor(world, world.platform.platform_id, {
      ...{ kind, content: mailExamples[kind], now: NOW },
      ...{ cause: `${kind}/${nth}`, to: 'lost@example.com', language: 'EN', formality: 'NEUTRAL' },
    });
  await world.sql(
    "update mails set status = 'FAILED', failure = 'RECIPIENT_REFUSED 550' where kind = $1 and cause not like '%/copy'",
    [kind],
  );
}

describe('a disabled subscription', () => {
  const disable = () => world.sql("update webhook_subscriptions set status = 'DISABLED'");

  it('is reported to every support address, once, in the language of the platform', async () => {
    await world.post('/v1/webhooks', { type: 'ORDER', url: 'http://127.0.0.1:9/secret?token=1' });
    expect(await reported()).toEqual([]);
    await disable();
    const mails = await reported();
    expect(mails.map(({ to }) => to).sort()).toEqual(SUPPORT);
    for (const { subject, text, html, bcc, kind, locale } of mails) {
      expect({ subject, bcc, kind, locale }).toEqual({
        ...{ subject: 'Markthalle: Der Webhook ORDER ist abgeschaltet', bcc: null },
        ...{ kind: 'support_webhook_disabled', locale: 'de' },
      });
      expect(text).toContain('127.0.0.1:9 nimmt unsere Anfragen nicht mehr an.');
      expect(text).toContain('PUT /v1/webhooks/ORDER');
      expect(text).toContain('recover_after: 0');
      expect(text + html).not.toMatch(/secret|token/);
    }
    expect(await reported()).toEqual([]);
  });

  it('is reported again when it is enabled and disabled again', async () => {
    await world.put('/v1/webhooks/ORDER', { url: 'http://127.0.0.1:9/' });
    expect(await reported()).toEqual([]);
    await world.sql(`update webhook_subscriptions set last_success_at = now() where type = 'ORDER'`);
    await world.sql(
      `insert into events (platform_id, event_id, position, type, resource_external_id, occurred_at, recorded_at, body)
      select platform_id, gen_random_uuid(), n, 'BUYER.CREATED', 'b', 1, now() - make_interval(hours => 15 - n), '{}'
      from platforms, generate_series(1, 4) n where platform_id = $1`,
      [world.platform.platform_id],
    );
    await world.sql(
      `insert into webhook_subscription_transitions (platform_id, subscription_id, type, version, from_status, to_status, trigger,
        transitioned_at, actor, url, failure)
      select platform_id, subscription_id, type, version + 1, status, 'DISABLED', 'disable', 1, 'service', url, 'TIMEOUT'
      from webhook_subscriptions where type = 'ORDER'`,
    );
    await world.sql(`update webhook_subscriptions set version = version + 1 where type = 'ORDER'`);
    await disable();
    const mails = await reported();
    expect(mails).toHaveLength(SUPPORT.length);
    // Windows that were open at the last success began at most twelve hours before it.
    for (const { text } of mails) {
      expect(text).toContain('127.0.0.1:9: TIMEOUT');
      expect(text).toContain('recover_after: 2');
    }
  });
});

describe('a subscription whose deliveries wait', () => {
  const change = (set: string) => world.sql(`update webhook_subscriptions set ${set} where type = 'BUYER'`);
  const hoursAgo = (hours: number) => `now() - interval '${hours} hours'`;
  const waitSince = (hours: number) =>
    world.sql(
      `update webhook_deliveries set waiting_since = ${hoursAgo(hours)} where status = 'PENDING' and subscription_id =
      (select subscription_id from webhook_subscriptions where type = 'BUYER')`,
    );

  it('is reported once it fails and has accepted nothing for an hour, in which a delivery was waiting', async () => {
    await world.post('/v1/webhooks', { type: 'BUYER', url: 'http://127.0.0.1:9/secret' });
    await world.post('/v1/buyers', buyerBody({ external_id: 'unheard' }));
    const waiting = await world.sql("select from webhook_deliveries where status = 'PENDING'");
    expect(waiting).toHaveLength(1);
    await waitSince(2);
    // Not attempted yet, or accepted half an hour ago: the service is late, or the receiver was available.
    expect(await reported()).toEqual([]);
    await change(`last_outcome = 'FAILED', last_success_at = ${hoursAgo(0.5)}`);
    expect(await reported()).toEqual([]);
    await change(`last_success_at = ${hoursAgo(5)}`);
    await waitSince(0.5);
    expect(await reported()).toEqual([]);
    await waitSince(1.1);
    const mails = await reported();
    expect(mails.map(({ to, kind }) => `${kind} ${to}`).sort()).toEqual(
      SUPPORT.map((to) => `support_deliveries_waiting ${to}`),
    );
    for (const { subject, text, html } of mails) {
      expect(subject).toBe('Markthalle: Webhook-Ereignisse warten auf Zustellung');
      expect(text).toContain('BUYER: 127.0.0.1:9');
      expect(text + html).not.toContain('secret');
    }
    expect(await reported()).toEqual([]);
  });

  it('is reported again after a success, and not while it is disabled', async () => {
    await change(`last_success_at = now(), last_outcome = 'DELIVERED'`);
    expect(await reported()).toEqual([]);
    await change(
      `backlog_notified_at = ${hoursAgo(4)}, last_success_at = ${hoursAgo(3)}, last_outcome = 'TIMEOUT'`,
    );
    await change(`status = 'DISABLED', is_support_notified = true`);
    expect(await reported()).toEqual([]);
    await change(`status = 'ACTIVE'`);
    expect((await reported()).map(({ kind }) => kind)).toEqual(
      SUPPORT.map(() => 'support_deliveries_waiting'),
    );
    await change(`status = 'UNSUBSCRIBED'`);
  });

  it('is found among 20,000 that deliver, by the index of those that fail', async () => {
    await world.sql(
      `insert into webhook_subscriptions (platform_id, subscription_id, type, url, status, created_at, updated_at, secret_sealed,
        last_outcome, last_success_at)
      select $1, gen_random_uuid(), 'T' || n, 'http://127.0.0.1:9/', 'ACTIVE', 1, 1, '', 'DELIVERED', now()
      from generate_series(1, 20000) n`,
      [world.platform.platform_id],
    );
    await world.sql('vacuum analyze webhook_subscriptions, webhook_deliveries');
    const plans = await plansOf(world, (db) => takeWaitingSubscriptions(db, 3_600, 1_000));
    expect(indexesOf(plans)).toContain('webhook_subscriptions_failing');
    await world.sql(`delete from webhook_subscriptions where type like 'T%'`);
  });
});

describe('failed mails', () => {
  it('are reported together, the first of them by their cause and failure', async () => {
    await addFailedMails(30, 'order_expired');
    const [mail, ...others] = await reported();
    expect(others).toHaveLength(1);
    expect(mail?.subject).toBe('Markthalle: E-Mails konnten nicht gesendet werden');
    expect(mail?.text.match(/RECIPIENT_REFUSED 550/g)).toHaveLength(20);
    expect(mail?.text).toContain('+10');
    expect(await reported()).toEqual([]);
  });

  it('make no mail about a mail to support', async () => {
    await addFailedMails(2, 'support_reviews_waiting');
    expect(await reported()).toEqual([]);
  });

  it('are reported once by several workers at once', async () => {
    await addFailedMails(5, 'order_pending');
    const other = await openWorkerProcess(world);
    const counts = await Promise.all([worker, other, worker, other].map((each) => queueSupportMails(each)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(SUPPORT.length);
    await other.close();
  });
});

describe('a review', () => {
  it('that has waited for more than a day is reported, once', async () => {
    await addFacility(world, 'hotel-in-review');
    world.clock.set(NOW + DAY);
    expect(await reported()).toEqual([]);
    world.clock.set(NOW + DAY + 1);
    const mails = await reported();
    expect(mails.map(({ subject }) => subject)).toEqual(
      SUPPORT.map(() => 'Markthalle: Kreditprüfungen warten auf eine Entscheidung'),
    );
    const [review] = await world.sql<{ review_id: string }>('select review_id from credit_reviews');
    expect(mails[0]?.text).toContain(`hotel-in-review: ${review?.review_id}`);
    world.clock.set(NOW + 9 * DAY);
    expect(await reported()).toEqual([]);
  });

  it('that a sandbox script decides is not reported', async () => {
    await addFacility(world, 'hotel-review-then-accept');
    world.clock.set(NOW + 20 * DAY);
    expect(await reported()).toEqual([]);
  });
});

describe('a bank transaction that waits in the queue', () => {
  it('is reported once, with its day and why it waits', async () => {
    await addMainAccount(world);
    const { body } = await world.post('/v1/sandbox/bank_entries', { amount: 700, text: 'hello' });
    expect(body.status).toBe('QUEUED');
    const mails = await reported();
    expect(mails.map(({ to, kind }) => `${kind} ${to}`).sort()).toEqual(
      SUPPORT.map((to) => `support_payments_waiting ${to}`),
    );
    expect(mails[0]?.text).toContain('NOTHING_NAMED');
    expect(mails[0]?.text).not.toContain('hello');
    expect(await reported()).toEqual([]);
  });
});

describe('a platform without support addresses', () => {
  it('is mailed nothing, and nothing later about the past', async () => {
    const { platform, apiKey: key } = await world.addPlatform();
    const platformId = platform.platform_id;
    await world.post('/v1/webhooks', { type: 'BUYER', url: 'http://127.0.0.1:9/' }, { key });
    await world.sql("update webhook_subscriptions set status = 'DISABLED' where platform_id = $1", [
      platformId,
    ]);
    expect(await reported()).toEqual([]);
    await world.sql("update platforms set support_emails = '{late@support.example}' where platform_id = $1", [
      platformId,
    ]);
    expect(await reported()).toEqual([]);
  });
});
