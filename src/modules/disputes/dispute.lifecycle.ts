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
      guard: 'the invoice owes the disputed amount in addition to its other open disputes',
      why: 'The buyer contests a part of what it owes.',
    },
    {
      from: 'OPEN',
      trigger: 'accept',
      to: 'ACCEPTED',
      event: 'DISPUTE.RESOLVED',
      guard: 'the accepted amount can be credited; for PAID_ALREADY, the payment is recorded',
      why: 'The buyer is right, in full or in part. A credit note takes off the accepted amount.',
    },
    {
      from: 'OPEN',
      trigger: 'reject',
      to: 'REJECTED',
      event: 'DISPUTE.RESOLVED',
      why: 'The buyer is not right. The amount counts again from this day on.',
    },
    {
      from: 'OPEN',
      trigger: 'withdraw',
      to: 'WITHDRAWN',
      event: 'DISPUTE.RESOLVED',
      why: 'The buyer withdraws it. The amount counts again from this day on.',
    },
  ],
});

export type DisputeStatus = (typeof disputeLifecycle)['states'][number];
export type DisputeTrigger = (typeof disputeLifecycle)['transitions'][number]['trigger'];
