import { defineLifecycle } from '#kernel/lifecycle';

export const disputeLifecycle = defineLifecycle({
  name: 'Dispute',
  states: ['OPEN', 'ACCEPTED', 'REJECTED', 'WITHDRAWN'],
  transitions: [
    {
      from: null,
      trigger: 'open',
      to: 'OPEN',
      event: 'DISPUTE.OPENED',
      guard: 'the invoice owes the disputed amount, beside its other open disputes',
      why: 'The buyer contests a part of what it owes.',
    },
    {
      from: 'OPEN',
      trigger: 'accept',
      to: 'ACCEPTED',
      event: 'DISPUTE.RESOLVED',
      guard: 'the accepted amount can be credited; of a dispute PAID_ALREADY, the payment is recorded',
      why: 'The buyer is right, in whole or in part. A credit note takes off what is accepted.',
    },
    {
      from: 'OPEN',
      trigger: 'reject',
      to: 'REJECTED',
      event: 'DISPUTE.RESOLVED',
      why: 'The buyer is not right. From this day on the amount counts again.',
    },
    {
      from: 'OPEN',
      trigger: 'withdraw',
      to: 'WITHDRAWN',
      event: 'DISPUTE.RESOLVED',
      why: 'The buyer takes it back. From this day on the amount counts again.',
    },
  ],
});

export type DisputeStatus = (typeof disputeLifecycle)['states'][number];
export type DisputeTrigger = (typeof disputeLifecycle)['transitions'][number]['trigger'];
