import { randomUUID } from 'node:crypto';
import { transitionOf } from '#kernel/lifecycle';
import { refusal } from '#kernel/problem';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { assertReceiver, receiverColumns } from '../receiver.rules.ts';
import { newSigningSecret, sealSigningSecret } from '../signing-secret.ts';
import { subscriptionLifecycle } from '../subscription.lifecycle.ts';
import { insertSubscription, toSubscription } from '../subscription.queries.ts';
import { SubscriptionCreation, SubscriptionWithSecret } from '../subscription.schemas.ts';
import { insertSubscriptionTransition } from '../subscription-history.queries.ts';

export const createWebhook = operation({
  id: 'createWebhook',
  summary: 'Subscribe to events',
  description:
    'A prefix covers all types below it: BUYER receives BUYER.CREATED and BUYER.UPDATED. If a type and its prefix are both ' +
    'subscribed, the event is delivered twice with the same id, each signed with its own secret. The secret is shown once.',
  tag: 'Webhooks',
  scope: 'webhooks:write',
  effect: 'transaction',
  hasSecret: true,
  body: SubscriptionCreation,
  isVersioned: true,
  status: 201,
  response: SubscriptionWithSecret,
  problems: ['WEBHOOK_TYPE_EXISTS', 'MERCHANT_NOT_ALLOWED'],
  example: { body: { url: 'https://hooks.shop.example/tradeline', type: 'BUYER' } },
  prepare: ({ outbound }, { body }) => assertReceiver(outbound, body.url),
  async run({ db, platformId, caller, vault, actor, now }, { body }) {
    assertPlatformWide(caller);
    const subscriptionId = randomUUID();
    const { to } = transitionOf(subscriptionLifecycle, null, 'subscribe');
    const secret = newSigningSecret();
    const row = await insertSubscription(db, {
      platform_id: platformId,
      subscription_id: subscriptionId,
      type: body.type,
      ...receiverColumns(body.url),
      status: to,
      created_at: now,
      updated_at: now,
      secret_sealed: sealSigningSecret(vault, subscriptionId, secret),
    });
    if (!row) throw refusal('WEBHOOK_TYPE_EXISTS', `${body.type} is already subscribed`);
    await insertSubscriptionTransition(db, {
      platform_id: platformId,
      subscription_id: subscriptionId,
      type: row.type,
      version: row.version,
      from_status: null,
      to_status: to,
      trigger: 'subscribe',
      transitioned_at: now,
      actor,
      url: row.url,
    });
    return { body: { ...toSubscription(row), signing_secret: secret }, version: row.version };
  },
});
