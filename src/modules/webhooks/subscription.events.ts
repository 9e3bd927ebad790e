import { type Static, Type } from 'typebox';
import { defineEvents, type EventOf, SequenceSchema } from '#kernel/event';
import type { NewEvent } from './event.queries.ts';
import type { SubscriptionRow } from './subscription.queries.ts';
import { SubscriptionStatusSchema } from './subscription.schemas.ts';

type SubscriptionStatus = Static<typeof SubscriptionStatusSchema>;

const WebhookEventData = Type.Object(
  {
    external_id: Type.String({ description: 'The type that the subscription names' }),
    sequence: SequenceSchema,
    status: SubscriptionStatusSchema,
    previous_status: {
      ...SubscriptionStatusSchema,
      description: 'The same as `status`: a test changes nothing',
    },
  },
  { title: 'WebhookEventData' },
);

export const webhookEvents = defineEvents(WebhookEventData, {
  'WEBHOOK.TEST': {
    when: 'a test was requested for a subscription',
    example: { external_id: 'BUYER', sequence: 2, status: 'ACTIVE', previous_status: 'ACTIVE' },
  },
});

/** The test event of a subscription, delivered to it alone. @param now Unix seconds. */
export function testEvent(
  subscription: SubscriptionRow,
  now: number,
): NewEvent<EventOf<typeof webhookEvents>> {
  const status = subscription.status as SubscriptionStatus;
  return {
    platformId: subscription.platform_id,
    type: 'WEBHOOK.TEST',
    occurredAt: now,
    data: { external_id: subscription.type, sequence: subscription.version, status, previous_status: status },
    onlySubscriptionId: subscription.subscription_id,
  };
}
