import { defineLifecycle } from '#kernel/lifecycle';

export const payoutLifecycle = defineLifecycle({
  name: 'Payout',
  states: ['SCHEDULED', 'INSTRUCTED', 'PAID', 'FAILED', 'CANCELLED'],
  transitions: [
    {
      from: null,
      trigger: 'schedule',
      to: 'SCHEDULED',
      event: 'PAYOUT.SCHEDULED',
      guard: 'the merchant has a verified account, and something is due on this business day',
      why: 'The amounts due to a merchant in one currency are one payout a day.',
    },
    {
      from: 'SCHEDULED',
      trigger: 'release',
      to: 'INSTRUCTED',
      event: null,
      guard: 'the account is still verified',
      why: 'Two operators have released it: the bank is instructed.',
    },
    {
      from: 'SCHEDULED',
      trigger: 'set_off',
      to: 'PAID',
      event: 'PAYOUT.PAID',
      guard: 'the amount is 0',
      why: 'Debts of the merchant take all of it, so nothing is transferred.',
    },
    {
      from: 'SCHEDULED',
      trigger: 'cancel',
      to: 'CANCELLED',
      event: null,
      why: 'Its lines wait for another payout.',
    },
    {
      from: 'INSTRUCTED',
      trigger: 'confirm',
      to: 'PAID',
      event: 'PAYOUT.PAID',
      why: 'The bank has paid it.',
    },
    {
      from: 'INSTRUCTED',
      trigger: 'fail',
      to: 'FAILED',
      event: 'PAYOUT.FAILED',
      why: 'The bank has rejected it.',
    },
    {
      from: 'PAID',
      trigger: 'return',
      to: 'FAILED',
      event: 'PAYOUT.FAILED',
      guard: 'money was transferred',
      why: 'The money came back and is owed to the merchant again.',
    },
    {
      from: 'FAILED',
      trigger: 'retry',
      to: 'SCHEDULED',
      event: 'PAYOUT.SCHEDULED',
      guard: 'the merchant has a verified account',
      why: "It is paid to the merchant's current account.",
    },
  ],
});

export type PayoutStatus = (typeof payoutLifecycle)['states'][number];
export type PayoutTrigger = (typeof payoutLifecycle)['transitions'][number]['trigger'];
