import { defineLifecycle } from '#kernel/lifecycle';

export const reviewLifecycle = defineLifecycle({
  name: 'Credit review',
  states: ['OPEN', 'AWAITING_APPROVAL', 'DECIDED', 'WITHDRAWN'],
  transitions: [
    {
      from: null,
      trigger: 'open',
      to: 'OPEN',
      event: null,
      why: 'The policy referred the application, an order or a financing needs a person, or a rejection is to be looked at again: by an operator, or because the buyer asked. Or the buyer is insolvent.',
    },
    {
      from: 'OPEN',
      trigger: 'decide',
      to: 'DECIDED',
      event: null,
      why: "One person decided, within the policy's proposal, or that an insolvency stands.",
    },
    {
      from: 'OPEN',
      trigger: 'propose_override',
      to: 'AWAITING_APPROVAL',
      event: null,
      why: 'One person proposes more than the policy did, or to grant what it rejected, or to lift an insolvency.',
    },
    {
      from: 'AWAITING_APPROVAL',
      trigger: 'approve_override',
      to: 'DECIDED',
      event: null,
      why: 'A second person approved.',
    },
    {
      from: 'AWAITING_APPROVAL',
      trigger: 'refuse_override',
      to: 'OPEN',
      event: null,
      why: 'A second person refused, or the first one withdrew the proposal.',
    },
    {
      from: 'OPEN',
      trigger: 'withdraw',
      to: 'WITHDRAWN',
      event: null,
      why: 'Nothing is left to decide: the order was cancelled or has expired, the financing ended or has another file, or another review of the same subject was accepted.',
    },
    {
      from: 'AWAITING_APPROVAL',
      trigger: 'withdraw',
      to: 'WITHDRAWN',
      event: null,
      why: 'Nothing is left to decide: the order was cancelled or has expired, the financing ended or has another file, or another review of the same subject was accepted.',
    },
  ],
});

export type ReviewStatus = (typeof reviewLifecycle.states)[number];
export type ReviewTrigger = (typeof reviewLifecycle.transitions)[number]['trigger'];
