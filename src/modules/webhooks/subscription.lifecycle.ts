import { defineLifecycle } from '#kernel/lifecycle';

export const subscriptionLifecycle = defineLifecycle({
  name: 'Webhook subscription',
  states: ['ACTIVE', 'DISABLED', 'UNSUBSCRIBED'],
  transitions: [
    {
      from: null,
      trigger: 'subscribe',
      to: 'ACTIVE',
      event: null,
      why: 'Events recorded from now on are delivered.',
    },
    {
      from: 'ACTIVE',
      trigger: 'test',
      to: 'ACTIVE',
      event: 'WEBHOOK.TEST',
      why: 'The integrator tries the receiver.',
    },
    { from: 'ACTIVE', trigger: 'replace', to: 'ACTIVE', event: null, why: 'Events go to another url.' },
    {
      from: 'DISABLED',
      trigger: 'replace',
      to: 'ACTIVE',
      event: null,
      why: 'The integrator has mended the receiver.',
    },
    {
      from: 'ACTIVE',
      trigger: 'disable',
      to: 'DISABLED',
      event: null,
      why: 'The receiver answered 410, or five events in a row lost their 12 hours.',
    },
    {
      from: 'ACTIVE',
      trigger: 'unsubscribe',
      to: 'UNSUBSCRIBED',
      event: null,
      why: 'What is pending is discarded.',
    },
    {
      from: 'DISABLED',
      trigger: 'unsubscribe',
      to: 'UNSUBSCRIBED',
      event: null,
      why: 'What is pending is discarded.',
    },
  ],
});
