import { defineLifecycle } from '#kernel/lifecycle';

export const dunningLifecycle = defineLifecycle({
  name: 'Dunning',
  states: ['RUNNING', 'PAUSED', 'ENDED'],
  transitions: [
    {
      from: null,
      trigger: 'begin',
      to: 'RUNNING',
      event: null,
      why: 'The first step is due, or a stop prevents it.',
    },
    {
      from: 'RUNNING',
      trigger: 'step',
      to: 'RUNNING',
      event: 'INVOICE.DUNNING.STEP',
      guard: 'the step was not taken for this instalment, and the last step is long enough ago',
      why: 'The buyer is reminded, or the invoice is handed over.',
    },
    {
      from: 'RUNNING',
      trigger: 'pause',
      to: 'PAUSED',
      event: 'INVOICE.DUNNING.PAUSED',
      why: 'A promise, a dispute or another stop keeps the buyer from being reminded.',
    },
    {
      from: 'PAUSED',
      trigger: 'resume',
      to: 'RUNNING',
      event: 'INVOICE.DUNNING.RESUMED',
      why: 'Nothing stops the reminders any more.',
    },
    {
      from: 'RUNNING',
      trigger: 'end',
      to: 'ENDED',
      event: 'INVOICE.DUNNING.ENDED',
      why: 'The reminded amount is paid, credited, refunded, written off or postponed.',
    },
    {
      from: 'PAUSED',
      trigger: 'end',
      to: 'ENDED',
      event: 'INVOICE.DUNNING.ENDED',
      why: 'The reminded amount is paid, credited, refunded, written off or postponed.',
    },
    {
      from: 'ENDED',
      trigger: 'begin',
      to: 'RUNNING',
      event: null,
      why: 'The next instalment comes near its day, or a payment was reversed.',
    },
  ],
});

export type DunningStatus = (typeof dunningLifecycle)['states'][number];
export type DunningTrigger = (typeof dunningLifecycle)['transitions'][number]['trigger'];
