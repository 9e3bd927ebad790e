import { type Static, Type } from 'typebox';
import { closed, named, nullable, oneOf, unixSeconds } from '#kernel/fields';
import { deliveryLifecycle } from './delivery.lifecycle.ts';

export const DeliveryStatusSchema = named(
  'WebhookDeliveryStatus',
  oneOf(deliveryLifecycle.states, 'A PENDING delivery has further attempts'),
);

const WebhookAttempt = closed(
  {
    round: Type.Integer({ minimum: 1, description: 'The round of the delivery' }),
    attempt: Type.Integer({ minimum: 1, description: 'From 1 in each round' }),
    started_at: unixSeconds('When the request began'),
    duration_ms: Type.Integer({
      minimum: 0,
      description: 'Up to the last byte of the answer, in milliseconds',
    }),
    status_code: nullable(
      Type.Integer({
        description: 'The status code of the answer, even of an incomplete one; null if there was none',
      }),
    ),
    failure: nullable(
      Type.String({
        description: 'Why there was no complete answer: TIMEOUT, CONNECTION, TLS, PROTOCOL, UNRESOLVED, …',
      }),
    ),
    failure_detail: nullable(
      Type.String({
        description:
          'A sentence about the failure; null if there was none, and for attempts of older versions',
      }),
    ),
    url: nullable(
      Type.String({ description: 'The URL it was sent to; null for attempts of older versions' }),
    ),
    address: nullable(Type.String({ description: 'The IP address that was dialled; null if none was' })),
    answer: nullable(
      Type.String({
        description: 'The part of the first 4 KB of the answer that arrived; null if nothing did',
      }),
    ),
  },
  'WebhookAttempt',
);

export const WebhookDelivery = closed(
  {
    event_id: Type.String({ format: 'uuid' }),
    event_type: Type.String(),
    resource_external_id: Type.String({ description: 'The resource of the event' }),
    status: DeliveryStatusSchema,
    round: Type.Integer({
      minimum: 1,
      description: 'How many times it has been started: more than 1 after a redelivery',
    }),
    created_at: unixSeconds(
      'When the delivery was created: with its event, or later by a redelivery or a recovery',
    ),
    waiting_since: unixSeconds('When the round began: it fails 12 hours later'),
    next_attempt_at: nullable(unixSeconds('When the next attempt is due; null if none is')),
    finished_at: nullable(unixSeconds('When it ended; null while it is PENDING')),
    attempts: Type.Array(WebhookAttempt, { description: 'The attempts of all rounds, oldest first' }),
  },
  'WebhookDelivery',
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookDeliveryPage = closed(
  {
    items: Type.Array(WebhookDelivery),
    limit: Type.Integer(),
    next: nullable(Type.Integer({ description: 'The `before` of the next page; null after the last one' })),
  },
  'WebhookDeliveryPage',
);
