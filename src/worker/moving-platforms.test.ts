import { afterAll, beforeAll, expect, it } from 'vitest';
import { positionEvents } from '#infra/database/outbox.queries';
import { mailExamples, notifyOfEvents } from '#modules/notifications';
import { finishAbandonedDeliveries, recoverDeliveries } from '#modules/webhooks';
import { addMainAccount } from '#test/bank-account';
import { merchantBody } from '#test/bodies';
import { addFacility } from '#test/facilities';
import { queueMailFor } from '#test/mails';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld, type World } from '#test/world';
import { NOTIFIERS } from './notifiers.ts';
import { queueSupportMails } from './support-mails.ts';

const NOW = 1_763_640_000;
const DAY = 86_400;

let world: World;
let worker: Awaited<ReturnType<typeof openWorkerProcess>>;
beforeAll(async () => {
  world = await createWorld({
    settings: { TRADELINE_WORKER: 'off' },
    platform: { support_emails: ['a@support.example'] },
  });
  world.clock.set(NOW);
  worker = await openWorkerProcess(world);
});
afterAll(async () => {
  await worker.close();
  await world.close();
});

const kindsOfMails = async () =>
  (await world.sql<{ kind: string }>("select kind from mails where status = 'PENDING' order by kind")).map(
    ({ kind }) => kind,
  );

/** The work of the worker in one second, except due transitions. */
async function work(): Promise<void> {
  await queueSupportMails(worker);
  await notifyOfEvents(worker, NOTIFIERS);
  await notifyOfEvents(worker, NOTIFIERS, { isThorough: true });
  await recoverDeliveries(worker.db, 10);
  await finishAbandonedDeliveries(worker.db, 10);
}

/** The last transaction that wrote each table of the platform. */
async function lastWrites(): Promise<Record<string, string>> {
  const tables = [
    'mails',
    'credit_reviews',
    'bank_transactions',
    'webhook_subscriptions',
    'webhook_deliveries',
  ];
  const last: Record<string, string> = {};
  for (const table of [...tables, 'event_positions', 'event_followers']) {
    const [row] = await world.sql<{ xmin: string }>(
      `select coalesce(max(xmin::text::bigint), 0)::text as xmin from ${table}`,
    );
    last[table] = row?.xmin ?? '';
  }
  return last;
}

it('background work writes nothing of a platform that moves, and all of it once it goes on', async () => {
  await world.post('/v1/webhooks', { type: 'BUYER', url: 'http://127.0.0.1:9/' });
  await world.post('/v1/merchants', merchantBody({ contact_emails: ['hello@merchant.example'] }));
  await addFacility(world, 'hotel-in-review');
  await world.sql("update webhook_subscriptions set status = 'DISABLED'");
  await world.sql("update webhook_deliveries set waiting_since = now() - interval '13 hours'");
  await addMainAccount(world);
  await world.post('/v1/sandbox/bank_entries', { amount: 700, text: 'hello' });
  const lost = { cause: 'lost', to: 'lost@example.com', language: 'EN', formality: 'NEUTRAL' } as const;
  const kind = 'order_confirmed';
  await queueMailFor(world, world.platform.platform_id, {
    ...lost,
    kind,
    content: mailExamples[kind],
    now: NOW,
  });
  await world.sql("update mails set status = 'FAILED', failure = '550' where kind = $1", [kind]);
  await positionEvents(world.installation.db, 1_000);
  await world.post('/v1/webhooks', { type: 'MERCHANT', url: 'http://127.0.0.1:9/' });
  await world.post('/v1/webhooks/MERCHANT/recover', { after: 0 });
  world.clock.set(NOW + DAY + 1);
  const relocate = (since: number | null) =>
    world.sql('update platforms set relocating_since = $1 where platform_id = $2', [
      since,
      world.platform.platform_id,
    ]);

  await relocate(NOW);
  const [before, mailsBefore] = [await lastWrites(), await kindsOfMails()];
  await work();
  expect(await kindsOfMails()).toEqual(mailsBefore);
  expect(await lastWrites()).toEqual(before);

  await relocate(null);
  await work();
  expect(await kindsOfMails()).toEqual(
    [
      ...mailsBefore,
      ...['merchant_enrolled', 'support_mails_failed', 'support_payments_waiting', 'support_reviews_waiting'],
      'support_webhook_disabled',
    ].sort(),
  );
  const deliveries = await world.sql<{ status: string }>(
    'select status from webhook_deliveries order by status',
  );
  expect(deliveries.map(({ status }) => status)).toEqual(['FAILED', 'PENDING']);
});
