import { defineLifecycle } from '#kernel/lifecycle';

export const lateChargeLifecycle = defineLifecycle({
  name: 'LateCharge',
  states: ['OPEN', 'PAID', 'WAIVED'],
  transitions: [
    {
      from: null,
      trigger: 'claim',
      to: 'OPEN',
      event: 'INVOICE.LATE_CHARGE.CLAIMED',
      guard: 'the law, or the contract, gives it',
      why: 'An operator claims what the buyer owes for paying late.',
    },
    {
      from: 'OPEN',
      trigger: 'pay',
      to: 'PAID',
      event: 'INVOICE.LATE_CHARGE.PAID',
      guard: 'payments reach its amount',
      why: 'A payment on the invoice left money over, or unapplied cash was applied.',
    },
    {
      from: 'PAID',
      trigger: 'reopen',
      to: 'OPEN',
      event: 'INVOICE.LATE_CHARGE.REOPENED',
      why: 'A payment that had settled it was reversed.',
    },
    {
      from: 'OPEN',
      trigger: 'waive',
      to: 'WAIVED',
      event: 'INVOICE.LATE_CHARGE.WAIVED',
      why: 'An operator waives the rest with a reason, or the service waives it because the reminder was not sent.',
    },
  ],
});

export type LateChargeStatus = (typeof lateChargeLifecycle)['states'][number];
export type LateChargeTrigger = (typeof lateChargeLifecycle)['transitions'][number]['trigger'];
