import { defineLifecycle } from '#kernel/lifecycle';

export const mailLifecycle = defineLifecycle({
  name: 'Mail',
  states: ['PENDING', 'SENT', 'FAILED', 'WITHDRAWN'],
  transitions: [
    {
      from: null,
      trigger: 'queue',
      to: 'PENDING',
      event: null,
      why: 'An event that is mailed has occurred.',
    },
    {
      from: 'PENDING',
      trigger: 'send',
      to: 'SENT',
      event: null,
      why: 'The mail server accepted it; in a sandbox without one, the mailbox did.',
    },
    {
      from: 'PENDING',
      trigger: 'postpone',
      to: 'PENDING',
      event: null,
      why: 'The mail server did not accept it. The schedule sets the next attempt.',
    },
    {
      from: 'PENDING',
      trigger: 'give_up',
      to: 'FAILED',
      event: null,
      why: 'The recipient was refused permanently, or the 24 hours (10 minutes for a code) are over.',
    },
    {
      from: 'PENDING',
      trigger: 'withdraw',
      to: 'WITHDRAWN',
      event: null,
      why: 'What it says no longer holds.',
    },
    {
      from: 'FAILED',
      trigger: 'withdraw',
      to: 'WITHDRAWN',
      event: null,
      why: 'What it says no longer holds, or is said again in another mail: a retry must not send it.',
    },
    {
      from: 'WITHDRAWN',
      trigger: 'send',
      to: 'SENT',
      event: null,
      why: 'The mail server accepted it: it was on its way when it was withdrawn.',
    },
    {
      from: 'FAILED',
      trigger: 'retry',
      to: 'PENDING',
      event: null,
      why: 'An operator retries it, with a new schedule.',
    },
  ],
});

export type MailStatus = (typeof mailLifecycle)['states'][number];
