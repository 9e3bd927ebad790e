import { defineLifecycle } from '#kernel/lifecycle';

export const bankTransactionLifecycle = defineLifecycle({
  name: 'Bank transaction',
  states: ['RECEIVED', 'QUEUED', 'MATCHED', 'REVERSED', 'DETAILED'],
  transitions: [
    {
      from: null,
      trigger: 'import',
      to: 'RECEIVED',
      event: null,
      why: 'The bank booked it.',
    },
    {
      from: 'RECEIVED',
      trigger: 'queue',
      to: 'QUEUED',
      event: null,
      why: 'Nothing says for certain what it is for. The money is in suspense.',
    },
    ...(['RECEIVED', 'QUEUED'] as const).flatMap((from) => [
      {
        from,
        trigger: 'match' as const,
        to: 'MATCHED' as const,
        event: null,
        why: 'It is known what the money is for: by its references, or by an operator.',
      },
      {
        from,
        trigger: 'detail' as const,
        to: 'DETAILED' as const,
        event: null,
        guard: 'It is a whole entry.',
        why: 'The bank sent the payments of the batch, which count instead.',
      },
    ]),
    {
      from: 'MATCHED',
      trigger: 'unmatch',
      to: 'QUEUED',
      event: null,
      why: 'The match was wrong: an operator took it back.',
    },
    ...(['QUEUED', 'MATCHED'] as const).map((from) => ({
      from,
      trigger: 'reverse' as const,
      to: 'REVERSED' as const,
      event: null,
      why: 'The bank took the money back.',
    })),
  ],
});

export type BankTransactionStatus = (typeof bankTransactionLifecycle)['states'][number];
export type BankTransactionTrigger = (typeof bankTransactionLifecycle)['transitions'][number]['trigger'];
