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
      why: 'The policy referred the matter to a person, or somebody wants to go against what it refused.',
    },
    {
      from: 'OPEN',
      trigger: 'decide',
      to: 'DECIDED',
      event: null,
      why: 'One person decided, within what the policy had proposed.',
    },
    {
      from: 'OPEN',
      trigger: 'propose_override',
      to: 'AWAITING_APPROVAL',
      event: null,
      why: 'One person wants to grant more than the policy had proposed, or what it refused.',
    },
    {
      from: 'AWAITING_APPROVAL',
      trigger: 'approve_override',
      to: 'DECIDED',
      event: null,
      why: 'A second person agreed.',
    },
    {
      from: 'AWAITING_APPROVAL',
      trigger: 'refuse_override',
      to: 'OPEN',
      event: null,
      why: 'A second person did not agree, or the first one thought better of it.',
    },
    {
      from: 'OPEN',
      trigger: 'withdraw',
      to: 'WITHDRAWN',
      event: null,
      why: 'There is nothing left to decide: the order was cancelled or has expired, or another case about the same was accepted.',
    },
    {
      from: 'AWAITING_APPROVAL',
      trigger: 'withdraw',
      to: 'WITHDRAWN',
      event: null,
      why: 'There is nothing left to decide: the order was cancelled or has expired, or another case about the same was accepted.',
    },
  ],
});

export type ReviewStatus = (typeof reviewLifecycle.states)[number];
export type ReviewTrigger = (typeof reviewLifecycle.transitions)[number]['trigger'];
