import { defineLifecycle } from '#kernel/lifecycle';

const REFUSED = 'What the service requires can no longer be met, or was not met within 30 days.';
const WITHDRAWN = 'The platform withdrew its request.';

export const financingLifecycle = defineLifecycle({
  name: 'Financing',
  states: ['IN_REVIEW', 'ACCEPTED', 'REJECTED', 'CANCELLED', 'PAID_OUT', 'SETTLED', 'DEFAULTED'],
  transitions: [
    {
      from: null,
      trigger: 'request',
      to: 'IN_REVIEW',
      event: 'INVOICE.FINANCING.IN_REVIEW',
      guard: 'no financing of the invoice is active',
      why: 'The merchant wants the money before the buyer pays. The unmet requirements are listed.',
    },
    {
      from: 'IN_REVIEW',
      trigger: 'accept',
      to: 'ACCEPTED',
      event: 'INVOICE.FINANCING.ACCEPTED',
      guard: 'all requirements are met',
      credit: 'use',
      why: 'The claim moves to the platform, which owes the merchant the advance.',
    },
    {
      from: 'IN_REVIEW',
      trigger: 'reject',
      to: 'REJECTED',
      event: 'INVOICE.FINANCING.REJECTED',
      why: REFUSED,
    },
    {
      from: 'IN_REVIEW',
      trigger: 'cancel',
      to: 'CANCELLED',
      event: 'INVOICE.FINANCING.CANCELLED',
      why: WITHDRAWN,
    },
    {
      from: 'ACCEPTED',
      trigger: 'pay_out',
      to: 'PAID_OUT',
      event: 'INVOICE.FINANCING.PAID_OUT',
      why: 'The bank paid the advance to the merchant.',
    },
    {
      from: 'ACCEPTED',
      trigger: 'cancel',
      to: 'CANCELLED',
      event: 'INVOICE.FINANCING.CANCELLED',
      guard: 'the payout is not instructed, and no part of the invoice was paid or credited since',
      credit: 'release',
      why: 'The platform withdrew its request. The acceptance is undone.',
    },
    {
      from: 'ACCEPTED',
      trigger: 'reject',
      to: 'REJECTED',
      event: 'INVOICE.FINANCING.REJECTED',
      guard: 'the payout is not instructed, and no part of the invoice was paid or credited since',
      credit: 'release',
      why: 'An operator refused the accepted financing. The acceptance is undone.',
    },
    {
      from: 'PAID_OUT',
      trigger: 'settle',
      to: 'SETTLED',
      event: 'INVOICE.FINANCING.SETTLED',
      why: 'The invoice is paid or credited in full.',
    },
    {
      from: 'PAID_OUT',
      trigger: 'default',
      to: 'DEFAULTED',
      event: 'INVOICE.FINANCING.DEFAULTED',
      guard: 'the invoice is more days past due than the platform allows',
      why: 'The buyer has not paid. The facility is frozen.',
    },
    {
      from: 'DEFAULTED',
      trigger: 'settle',
      to: 'SETTLED',
      event: 'INVOICE.FINANCING.SETTLED',
      why: 'The invoice was paid or credited in full after all.',
    },
    {
      from: 'SETTLED',
      trigger: 'reopen',
      to: 'PAID_OUT',
      event: 'INVOICE.FINANCING.PAID_OUT',
      why: 'A payment was reversed, so that the buyer owes the invoice again.',
    },
  ],
});
