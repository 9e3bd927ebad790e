import { notFound } from '#kernel/problem';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { assertReadOnlyFields } from '#operation/read-only';
import { recoveryStart } from '../event-cursor.rules.ts';
import { findPositions } from '../event-list.queries.ts';
import { assertReceiver, receiverColumns } from '../receiver.rules.ts';
import { insertRecovery } from '../recovery.queries.ts';
import { lockSubscription, toSubscription } from '../subscription.queries.ts';
import { Subscription, SubscriptionParams, SubscriptionReplacement } from '../subscription.schemas.ts';
import { transitionSubscription } from '../transition-subscription.ts';

export const replaceWebhook = operation({
  id: 'replaceWebhook',
  summary: "Replace a subscription's URL",
  description:
    'Pending deliveries go to the new URL with their next attempt. A disabled subscription is enabled again; `recover_after` delivers what it missed, ' +
    'see recoverWebhook. The secret does not change. Read-only fields are accepted with their stored values.',
  tag: 'Webhooks',
  scope: 'webhooks:write',
  effect: 'transaction',
  params: SubscriptionParams,
  body: SubscriptionReplacement,
  isConditional: true,
  isVersioned: true,
  status: 200,
  response: Subscription,
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED'],
  example: {
    params: { type: 'BUYER' },
    body: { url: 'https://hooks.shop.example/tradeline/v2' },
  },
  prepare: ({ outbound }, { body }) => assertReceiver(outbound, body.url),
  async run(context, { params, body }) {
    const { db, platformId, caller, assertVersion } = context;
    assertPlatformWide(caller);
    const row = await lockSubscription(db, platformId, params.type);
    if (!row) throw notFound();
    assertVersion(row.version);
    assertReadOnlyFields(SubscriptionReplacement, body, toSubscription(row));
    if (body.recover_after !== undefined) {
      const positions = await findPositions(db, { platformId });
      const start = recoveryStart(body.recover_after, positions, 'body.recover_after');
      await insertRecovery(db, platformId, row.subscription_id, start);
    }
    if (row.url === body.url && row.status === 'ACTIVE')
      return { body: toSubscription(row), version: row.version };
    const replaced = await transitionSubscription(context, row, 'replace', {
      ...receiverColumns(body.url),
      windows_lost: 0,
      last_outcome: null,
      is_support_notified: false,
    });
    return { body: toSubscription(replaced), version: replaced.version };
  },
});
