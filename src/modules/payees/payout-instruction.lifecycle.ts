import { defineLifecycle } from '#kernel/lifecycle';

export const payoutInstructionLifecycle = defineLifecycle({
  name: 'Payout instruction',
  states: ['UNVERIFIED', 'VERIFIED', 'REJECTED', 'DELETED'],
  transitions: [
    {
      from: null,
      trigger: 'create',
      to: 'UNVERIFIED',
      event: null,
      why: 'The owner of the account has not been verified yet.',
    },
    {
      from: 'UNVERIFIED',
      trigger: 'verify',
      to: 'VERIFIED',
      event: 'PAYOUT_INSTRUCTION.VERIFIED',
      why: "Two operators have seen evidence that the account is the merchant's.",
    },
    {
      from: 'UNVERIFIED',
      trigger: 'reject',
      to: 'REJECTED',
      event: 'PAYOUT_INSTRUCTION.UNVERIFIED',
      why: "The account is not the merchant's. Replaced details are checked again.",
    },
    {
      from: 'VERIFIED',
      trigger: 'reject',
      to: 'REJECTED',
      event: 'PAYOUT_INSTRUCTION.UNVERIFIED',
      why: 'The evidence was wrong, or the account was taken over.',
    },
    ...(['UNVERIFIED', 'VERIFIED', 'REJECTED'] as const).map((from) => ({
      from,
      trigger: 'replace' as const,
      to: 'UNVERIFIED' as const,
      event: 'PAYOUT_INSTRUCTION.UNVERIFIED' as const,
      why: 'Every replacement is verified again, even one with equal details.',
    })),
    ...(['UNVERIFIED', 'VERIFIED', 'REJECTED'] as const).map((from) => ({
      from,
      trigger: 'delete' as const,
      to: 'DELETED' as const,
      event: null,
      guard: 'No payout to it is scheduled.',
      why: 'The platform removed it. Its payouts stay.',
    })),
  ],
});

export type PayoutInstructionStatus = (typeof payoutInstructionLifecycle)['states'][number];
export type PayoutInstructionTrigger = (typeof payoutInstructionLifecycle)['transitions'][number]['trigger'];
