import { Type } from 'typebox';
import { closed } from '#kernel/fields';
import { notFound, refusal } from '#kernel/problem';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { EventParams, EXAMPLE_EVENT_ID, SubscribableTypeSchema } from '../event.schemas.ts';
import { findEvent } from '../event-list.queries.ts';
import { startDeliveries } from '../redelivery.queries.ts';

const Redelivery = closed({ subscription_type: Type.Optional(SubscribableTypeSchema) }, 'EventRedelivery');

const Redelivered = closed(
  {
    event_id: Type.String({ format: 'uuid' }),
    subscription_types: Type.Array(Type.String(), { description: 'The subscriptions that get the event' }),
  },
  'EventRedelivered',
);

export const redeliverEvent = operation({
  id: 'redeliverEvent',
  summary: 'Deliver an event again',
  description:
    'Delivers to every active subscription that covers its type, or to the named one, even if it was created after the event. The ' +
    'request has the same body and the same `Webhook-Id`, and its own window of 12 hours. A delivery that is still PENDING continues.',
  tag: 'Webhooks',
  scope: 'webhooks:write',
  effect: 'transaction',
  params: EventParams,
  body: Redelivery,
  isBodyOptional: true,
  status: 200,
  response: Redelivered,
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED', 'NO_ACTIVE_SUBSCRIPTION'],
  example: { params: { event_id: EXAMPLE_EVENT_ID }, body: { subscription_type: 'BUYER' } },
  async run({ db, platformId, caller }, { params, body }) {
    assertPlatformWide(caller);
    const event = await findEvent(db, platformId, params.event_id);
    if (!event) throw notFound();
    const types = await startDeliveries(db, platformId, event, body?.subscription_type ?? null);
    if (types.length === 0)
      throw refusal('NO_ACTIVE_SUBSCRIPTION', 'No active subscription covers this event', {
        event_type: event.type,
      });
    return { body: { event_id: event.id, subscription_types: types } };
  },
});
