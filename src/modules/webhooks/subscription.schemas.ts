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
    'Delivers the missed events behind this position, as GET /v1/events has them; 0: all that are kept',
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

export const SubscriptionReplacement = replacementOf(
  { url: Url, recover_after: Type.Optional(RecoverAfterSchema) },
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

export const TestReceipt = closed(
  { event_id: Type.String({ description: 'The id of the WEBHOOK.TEST event' }) },
  'WebhookTestReceipt',
);
