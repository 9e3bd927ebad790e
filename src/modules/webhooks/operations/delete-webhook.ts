import { Type } from 'typebox';
import { assertPlatformWide } from '#http/caller';
import { operation } from '#http/operation';
import { moveOf } from '#kernel/lifecycle';
import { notFound } from '#kernel/problem';
import { discardPendingDeliveries } from '../delivery.queries.ts';
import { subscriptionLifecycle } from '../subscription.lifecycle.ts';
import { lockSubscription, updateSubscription } from '../subscription.queries.ts';
import { SubscriptionParams } from '../subscription.schemas.ts';

export const deleteWebhook = operation({
  id: 'deleteWebhook',
  summary: 'Unsubscribe from a type',
  description: 'Deliveries still pending are discarded.',
  tag: 'Webhooks',
  scope: 'webhooks:write',
  effect: 'transaction',
  params: SubscriptionParams,
  isConditional: true,
  status: 200,
  response: Type.Null(),
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED'],
  example: { params: { type: 'BUYER' } },
  async run({ db, platformId, caller, now, assertVersion }, { params }) {
    assertPlatformWide(caller);
    const row = await lockSubscription(db, platformId, params.type);
    if (!row) throw notFound();
    assertVersion(row.version);
    const move = moveOf(subscriptionLifecycle, row.status as 'ACTIVE' | 'DISABLED', 'unsubscribe');
    await updateSubscription(db, platformId, row.subscription_id, {
      status: move.to,
      version: row.version + 1,
      updated_at: Math.max(now, row.updated_at),
    });
    await discardPendingDeliveries(db, platformId, row.subscription_id);
    return { body: null };
  },
});
