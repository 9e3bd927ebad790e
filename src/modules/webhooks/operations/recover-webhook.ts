import { type Static, Type } from 'typebox';
import { closed } from '#kernel/fields';
import { transitionOf } from '#kernel/lifecycle';
import { notFound } from '#kernel/problem';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { recoveryStart } from '../event-cursor.rules.ts';
import { findPositions } from '../event-list.queries.ts';
import { insertRecovery } from '../recovery.queries.ts';
import { subscriptionLifecycle } from '../subscription.lifecycle.ts';
import { lockSubscription } from '../subscription.queries.ts';
import { RecoverAfterSchema, SubscriptionParams } from '../subscription.schemas.ts';

const Recovery = closed({ after: RecoverAfterSchema }, 'WebhookRecovery');

const Recovering = closed(
  {
    type: Type.String(),
    after: Type.Integer({ description: 'As in the request' }),
    newest: Type.Integer({ description: 'The position of the newest event, up to which the recovery goes' }),
  },
  'WebhookRecovering',
);
export type Recovering = Static<typeof Recovering>;

export const recoverWebhook = operation({
  id: 'recoverWebhook',
  summary: 'Deliver missed events',
  description:
    'After an outage: delivers all events after a position that this subscription never got, including events from before it ' +
    'existed, and repeats deliveries that failed or were discarded. Each has its own window of 12 hours. Deliveries that ' +
    'succeeded are not repeated, regardless of the number of calls. A recovery makes a few hundred deliveries at a time, in ' +
    'addition to the live ones, the oldest events first.',
  tag: 'Webhooks',
  scope: 'webhooks:write',
  effect: 'transaction',
  params: SubscriptionParams,
  body: Recovery,
  status: 200,
  response: Recovering,
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED', 'INVALID_STATUS_TRANSITION'],
  example: { params: { type: 'BUYER' }, body: { after: 0 } },
  async run({ db, platformId, caller }, { params, body: { after } }) {
    assertPlatformWide(caller);
    const row = await lockSubscription(db, platformId, params.type);
    if (!row) throw notFound();
    transitionOf(subscriptionLifecycle, row.status as 'ACTIVE' | 'DISABLED', 'recover');
    const positions = await findPositions(db, { platformId });
    const start = recoveryStart(after, positions, 'body.after');
    await insertRecovery(db, platformId, row.subscription_id, start);
    return { body: { type: row.type, after, newest: positions.last } };
  },
});
