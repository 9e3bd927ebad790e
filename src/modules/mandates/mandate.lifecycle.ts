import { defineLifecycle } from '#kernel/lifecycle';

export const mandateLifecycle = defineLifecycle({
  name: 'Mandate',
  states: ['ACTIVE', 'REVOKED'],
  transitions: [
    {
      from: null,
      trigger: 'create',
      to: 'ACTIVE',
      event: null,
      guard: 'The buyer has no active mandate.',
      why: 'The buyer has signed it.',
    },
    {
      from: 'ACTIVE',
      trigger: 'revoke',
      to: 'REVOKED',
      event: null,
      why: 'The buyer revoked it, or provides another account. Existing orders keep their payment method.',
    },
  ],
});

export type MandateStatus = (typeof mandateLifecycle)['states'][number];
export type MandateTrigger = (typeof mandateLifecycle)['transitions'][number]['trigger'];
