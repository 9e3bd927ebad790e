import { transitionOf } from '#kernel/lifecycle';
import { notFound } from '#kernel/problem';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { recordEvents } from '../event.queries.ts';
import { testEvent } from '../subscription.events.ts';
import { subscriptionLifecycle } from '../subscription.lifecycle.ts';
import { lockSubscription, updateSubscription } from '../subscription.queries.ts';
import { SubscriptionParams, TestReceipt } from '../subscription.schemas.ts';

export const testWebhook = operation({
  id: 'testWebhook',
  summary: 'Send a test event',
  description:
    'Sends a WEBHOOK.TEST event to this subscription only. It is signed, retried and stored like any other event.',
  tag: 'Webhooks',
  scope: 'webhooks:write',
  effect: 'transaction',
  params: SubscriptionParams,
  status: 200,
  response: TestReceipt,
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED', 'INVALID_STATUS_TRANSITION'],
  example: { params: { type: 'BUYER' } },
  async run({ db, platformId, caller, now }, { params }) {
    assertPlatformWide(caller);
    const row = await lockSubscription(db, platformId, params.type);
    if (!row) throw notFound();
    transitionOf(subscriptionLifecycle, row.status as 'ACTIVE' | 'DISABLED', 'test');
    const tested = await updateSubscription(db, platformId, row.subscription_id, {
      version: row.version + 1,
    });
    const [eventId] = await recordEvents(db, [testEvent(tested, now)]);
    return { body: { event_id: eventId as string } };
  },
});
