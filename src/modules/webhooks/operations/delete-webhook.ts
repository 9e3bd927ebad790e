import { Type } from 'typebox';
import { transitionOf } from '#kernel/lifecycle';
import { notFound } from '#kernel/problem';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { discardPendingDeliveries } from '../delivery.queries.ts';
import { deleteRecovery } from '../recovery.queries.ts';
import { subscriptionLifecycle } from '../subscription.lifecycle.ts';
import { lockSubscription, updateSubscription } from '../subscription.queries.ts';
import { SubscriptionParams } from '../subscription.schemas.ts';

export const deleteWebhook = operation({
  id: 'deleteWebhook',
  summary: 'Unsubscribe from a type',
  description: 'Pending deliveries are discarded.',
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
    const transition = transitionOf(
      subscriptionLifecycle,
      row.status as 'ACTIVE' | 'DISABLED',
      'unsubscribe',
    );
    await updateSubscription(db, platformId, row.subscription_id, {
      status: transition.to,
      version: row.version + 1,
      updated_at: Math.max(now, row.updated_at),
    });
    await deleteRecovery(db, platformId, row.subscription_id);
    await discardPendingDeliveries(db, platformId, row.subscription_id);
    return { body: null };
  },
});
