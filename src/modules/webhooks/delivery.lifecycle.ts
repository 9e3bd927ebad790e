import { defineLifecycle } from '#kernel/lifecycle';

export const deliveryLifecycle = defineLifecycle({
  name: 'Webhook delivery',
  states: ['PENDING', 'DELIVERED', 'FAILED', 'DISCARDED'],
  transitions: [
    {
      from: null,
      trigger: 'record',
      to: 'PENDING',
      event: null,
      why: 'An event of the subscribed type was recorded.',
    },
    {
      from: 'PENDING',
      trigger: 'acknowledge',
      to: 'DELIVERED',
      event: null,
      why: 'The receiver answered 2xx.',
    },
    {
      from: 'PENDING',
      trigger: 'retry',
      to: 'PENDING',
      event: null,
      why:
        'Any other response than 2xx, or none. The schedule sets the next attempt. ' +
        'After 410 from a URL that was replaced during the request it is due at once.',
    },
    { from: 'PENDING', trigger: 'give_up', to: 'FAILED', event: null, why: 'The 12 hours are over.' },
    {
      from: 'PENDING',
      trigger: 'discard',
      to: 'DISCARDED',
      event: null,
      why: 'Unsubscribed, or the receiver answered 410.',
    },
    ...(['DELIVERED', 'FAILED', 'DISCARDED'] as const).map((from) => ({
      from,
      trigger: 'redeliver' as const,
      to: 'PENDING' as const,
      event: null,
      why: 'Asked for again: a new round begins, with a window of its own.',
    })),
    ...(['FAILED', 'DISCARDED'] as const).map((from) => ({
      from,
      trigger: 'recover' as const,
      to: 'PENDING' as const,
      event: null,
      why: 'Deliveries that were missed are made again: a new round begins.',
    })),
  ],
});

export type DeliveryTrigger = 'acknowledge' | 'retry' | 'give_up' | 'discard' | 'redeliver' | 'recover';
