import { type Static, Type } from 'typebox';
import { SUBSCRIBABLE_TYPES } from '#kernel/event';
import { closed, named, nullable, oneOf, unixSeconds } from '#kernel/fields';
import { subscriptionLifecycle } from './subscription.lifecycle.ts';

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  format: 'uri',
  description: 'HTTPS endpoint; in the sandbox also http to a loopback address',
});

export const SubscriptionParams = closed({
  type: Type.String({
    minLength: 1,
    maxLength: 100,
    format: 'plain-line',
    description: 'The type as subscribed',
  }),
});

export const SubscriptionCreation = closed(
  {
    url: Url,
    type: named(
      'SubscribableType',
      oneOf(SUBSCRIBABLE_TYPES, 'A full event type, or a prefix that stands for all its descendants'),
    ),
  },
  'WebhookSubscriptionCreation',
);

export const SubscriptionReplacement = closed({ url: Url }, 'WebhookSubscriptionReplacement');

export const KeyRotation = closed(
  {
    grace_period_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 0,
        description: 'For so long each request is signed with the old secret as well',
      }),
    ),
  },
  'WebhookKeyRotation',
);

export const SubscriptionStatusSchema = named(
  'WebhookSubscriptionStatus',
  oneOf(
    subscriptionLifecycle.states.filter((state) => state !== 'UNSUBSCRIBED'),
    'DISABLED receives nothing until its url is replaced',
  ),
);

const fields = {
  type: Type.String(),
  url: Type.String(),
  status: SubscriptionStatusSchema,
  created_at: unixSeconds('When it was subscribed'),
  updated_at: unixSeconds('When anything of it changed last'),
  previous_secret_until: nullable(
    unixSeconds('Until then requests are signed with the previous secret as well'),
  ),
};

export const Subscription = closed(fields, 'WebhookSubscription');
export type Subscription = Static<typeof Subscription>;

export const SubscriptionWithSecret = closed(
  {
    ...fields,
    signing_secret: Type.String({ description: 'The key of the signatures. Shown here and never again' }),
  },
  'WebhookSubscriptionWithSecret',
);

export const TestReceipt = closed(
  { event_id: Type.String({ description: 'The id of the WEBHOOK.TEST event under way' }) },
  'WebhookTestReceipt',
);
