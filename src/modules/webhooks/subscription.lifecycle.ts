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
      why: 'Events are delivered from now on.',
    },
    {
      from: 'ACTIVE',
      trigger: 'test',
      to: 'ACTIVE',
      event: 'WEBHOOK.TEST',
      why: 'The integrator requests a test event.',
    },
    {
      from: 'ACTIVE',
      trigger: 'recover',
      to: 'ACTIVE',
      event: null,
      why: 'Events that were missed are delivered.',
    },
    { from: 'ACTIVE', trigger: 'rotate', to: 'ACTIVE', event: null, why: 'The signing secret is replaced.' },
    {
      from: 'DISABLED',
      trigger: 'rotate',
      to: 'DISABLED',
      event: null,
      why: 'The signing secret is replaced.',
    },
    { from: 'ACTIVE', trigger: 'replace', to: 'ACTIVE', event: null, why: 'Events go to another URL.' },
    {
      from: 'DISABLED',
      trigger: 'replace',
      to: 'ACTIVE',
      event: null,
      why: 'The integrator has fixed the receiver.',
    },
    {
      from: 'ACTIVE',
      trigger: 'disable',
      to: 'DISABLED',
      event: null,
      why: 'The receiver answered 410, or five consecutive deliveries failed.',
    },
    {
      from: 'ACTIVE',
      trigger: 'unsubscribe',
      to: 'UNSUBSCRIBED',
      event: null,
      why: 'Pending deliveries are discarded.',
    },
    {
      from: 'DISABLED',
      trigger: 'unsubscribe',
      to: 'UNSUBSCRIBED',
      event: null,
      why: 'Pending deliveries are discarded.',
    },
  ],
});
