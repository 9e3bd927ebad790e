import { defineLifecycle } from '#kernel/lifecycle';

export const approvalLifecycle = defineLifecycle({
  name: 'Approval',
  states: ['PROPOSED', 'APPROVED', 'REJECTED', 'WITHDRAWN'],
  transitions: [
    {
      from: null,
      trigger: 'propose',
      to: 'PROPOSED',
      event: null,
      why: 'An operator proposes a change that raises what can be owed, or who may decide about it.',
    },
    {
      from: 'PROPOSED',
      trigger: 'approve',
      to: 'APPROVED',
      event: null,
      guard: 'another operator, and nothing that the change is based on has changed',
      why: 'A second operator approved, and the change was made.',
    },
    {
      from: 'PROPOSED',
      trigger: 'reject',
      to: 'REJECTED',
      event: null,
      why: 'A second operator refused.',
    },
    {
      from: 'PROPOSED',
      trigger: 'withdraw',
      to: 'WITHDRAWN',
      event: null,
      why: 'The operator who proposed the change withdrew it.',
    },
  ],
});

export type ApprovalStatus = (typeof approvalLifecycle.states)[number];
export type ApprovalTrigger = (typeof approvalLifecycle.transitions)[number]['trigger'];
