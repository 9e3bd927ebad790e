import { Type } from 'typebox';
import { notFound } from '#kernel/problem';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { discardPendingDeliveries } from '../delivery.queries.ts';
import { deleteRecovery } from '../recovery.queries.ts';
import { lockSubscription } from '../subscription.queries.ts';
import { SubscriptionParams } from '../subscription.schemas.ts';
import { transitionSubscription } from '../transition-subscription.ts';

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
  async run(context, { params }) {
    const { db, platformId, caller, assertVersion } = context;
    assertPlatformWide(caller);
    const row = await lockSubscription(db, platformId, params.type);
    if (!row) throw notFound();
    assertVersion(row.version);
    await transitionSubscription(context, row, 'unsubscribe');
    await deleteRecovery(db, platformId, row.subscription_id);
    await discardPendingDeliveries(db, platformId, row.subscription_id);
    return { body: null };
  },
});
