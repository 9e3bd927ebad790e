import { defineLifecycle } from '#kernel/lifecycle';

export const mailLifecycle = defineLifecycle({
  name: 'Mail',
  states: ['PENDING', 'SENT', 'FAILED'],
  transitions: [
    {
      from: null,
      trigger: 'queue',
      to: 'PENDING',
      event: null,
      why: 'Something happened that is told by mail.',
    },
    {
      from: 'PENDING',
      trigger: 'send',
      to: 'SENT',
      event: null,
      why: 'The mail server took it; in a sandbox without one, the mailbox.',
    },
    {
      from: 'PENDING',
      trigger: 'postpone',
      to: 'PENDING',
      event: null,
      why: 'The mail server did not take it; the schedule says when it is tried again.',
    },
    {
      from: 'PENDING',
      trigger: 'give_up',
      to: 'FAILED',
      event: null,
      why: 'The recipient was refused for good, or the 24 hours (10 minutes of a code) are over.',
    },
    {
      from: 'FAILED',
      trigger: 'retry',
      to: 'PENDING',
      event: null,
      why: 'An operator wants it tried again, from the beginning.',
    },
  ],
});

export type MailStatus = (typeof mailLifecycle)['states'][number];
