import { type Static, Type } from 'typebox';
import { closed, named, nullable, oneOf, unixSeconds } from '#kernel/fields';
import { replacementOf } from '#operation/read-only';
import { SubscribableTypeSchema } from './event.schemas.ts';
import { subscriptionLifecycle } from './subscription.lifecycle.ts';

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  format: 'uri',
  description: 'HTTPS endpoint. A sandbox also accepts http to a loopback address',
});

export const SubscriptionParams = closed({
  type: Type.String({
    minLength: 1,
    maxLength: 100,
    format: 'plain-line',
    description: 'The subscribed event type',
  }),
});

export const RecoverAfterSchema = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description:
    'Delivers the missed events after this position of GET /v1/events. 0 stands for all events that are kept, and is always accepted',
});

export const SubscriptionCreation = closed(
  {
    url: Url,
    type: SubscribableTypeSchema,
  },
  'WebhookSubscriptionCreation',
);

export const KeyRotation = closed(
  {
    grace_period_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 0,
        description: 'How long requests are also signed with the old secret, in seconds',
      }),
    ),
  },
  'WebhookKeyRotation',
);

export const SubscriptionStatusSchema = named(
  'WebhookSubscriptionStatus',
  oneOf(
    subscriptionLifecycle.states.filter((state) => state !== 'UNSUBSCRIBED'),
    'A DISABLED subscription receives nothing until its URL is replaced',
  ),
);

const SubscriptionStateSchema = named(
  'WebhookSubscriptionState',
  oneOf(subscriptionLifecycle.states, 'UNSUBSCRIBED: the subscription was deleted'),
);

const fields = {
  type: Type.String(),
  url: Type.String(),
  status: SubscriptionStatusSchema,
  created_at: unixSeconds('When the subscription was created'),
  updated_at: unixSeconds('When the subscription last changed'),
  previous_secret_until: nullable(
    unixSeconds('Until when requests are also signed with the previous secret'),
  ),
};

export const Subscription = closed(fields, 'WebhookSubscription');
export type Subscription = Static<typeof Subscription>;

const WebhookHealth = closed(
  {
    last_success_at: nullable(
      unixSeconds(
        'When the receiver last acknowledged an event, accurate to 10 seconds; null if it never did',
      ),
    ),
    oldest_waiting_since: nullable(
      unixSeconds(
        'Since when the oldest pending delivery has waited, among the 10,000 longest due; null if none waits',
      ),
    ),
    failures_in_row: Type.Integer({ minimum: 0, description: 'Failed attempts since the last success' }),
    recovery: nullable(
      closed(
        {
          after: Type.Integer({ description: 'Events up to this position have been examined' }),
          newest: Type.Integer({ description: 'The position up to which the recovery goes' }),
        },
        'WebhookRecoveryProgress',
      ),
    ),
  },
  'WebhookHealth',
);

/** A subscription in the list. */
export const SubscriptionWithHealth = closed(
  { ...fields, health: WebhookHealth },
  'WebhookSubscriptionWithHealth',
);
export type SubscriptionWithHealth = Static<typeof SubscriptionWithHealth>;

export const SubscriptionReplacement = replacementOf(
  {
    url: Url,
    recover_after: Type.Optional(RecoverAfterSchema),
    health: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'Accepted for convenience, with the value from the list, and ignored',
        },
      ),
    ),
  },
  Subscription,
  'WebhookSubscriptionReplacement',
);

export const SubscriptionWithSecret = closed(
  {
    ...fields,
    signing_secret: Type.String({ description: 'The key of the signatures. Shown only here' }),
  },
  'WebhookSubscriptionWithSecret',
);

/** A change of a subscription, as its history shows it. */
export const WebhookHistoryEntry = closed(
  {
    sequence: Type.Integer({ description: 'Increases with every change of one subscription' }),
    from_status: nullable({ ...SubscriptionStateSchema, description: 'Null for a new subscription' }),
    to_status: { ...SubscriptionStateSchema, description: 'The status after the change' },
    trigger: Type.String({
      description: '`subscribe`, `replace`, `rotate` (of the secret), `disable` or `unsubscribe`',
    }),
    transitioned_at: unixSeconds('When it happened'),
    actor: Type.String({ description: 'Who made the change: `api_key:…`, or `service` for a disabling' }),
    url: Type.String({ description: 'The url after the change' }),
    failure: nullable(
      Type.String({
        description: 'Why the last attempt before a disabling failed: `STATUS 410`, `TIMEOUT`, …',
      }),
    ),
  },
  'WebhookHistoryEntry',
);

export const TestReceipt = closed(
  { event_id: Type.String({ description: 'The id of the WEBHOOK.TEST event' }) },
  'WebhookTestReceipt',
);
