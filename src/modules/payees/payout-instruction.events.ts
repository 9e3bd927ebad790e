import { Type } from 'typebox';
import { defineEvents, type EventOf, SequenceSchema } from '#kernel/event';
import { externalId, nullable } from '#kernel/fields';
import type { NewEvent } from '#modules/webhooks';
import type { PayoutInstructionStatus } from './payout-instruction.lifecycle.ts';
import type { PayoutInstructionRow } from './payout-instruction.queries.ts';
import { PayoutInstructionStatusSchema, PayoutTypeSchema } from './payout-instruction.schemas.ts';

const PayoutInstructionEventData = Type.Object(
  {
    external_id: externalId('The payout instruction'),
    merchant_external_id: externalId('The merchant that is paid'),
    sequence: SequenceSchema,
    type: PayoutTypeSchema,
    status: { ...PayoutInstructionStatusSchema, description: 'The status after the event' },
    previous_status: nullable({
      ...PayoutInstructionStatusSchema,
      description: 'The status before the event',
    }),
  },
  { title: 'PayoutInstructionEventData' },
);

const example = {
  external_id: 'nordlicht-account',
  merchant_external_id: 'roastery-north',
  sequence: 2,
  type: 'SEPA' as const,
};

export const payoutInstructionEvents = defineEvents(PayoutInstructionEventData, {
  'PAYOUT_INSTRUCTION.VERIFIED': {
    when: 'a payout instruction is verified: payouts can go to it',
    example: { ...example, status: 'VERIFIED', previous_status: 'UNVERIFIED' },
  },
  'PAYOUT_INSTRUCTION.UNVERIFIED': {
    when: 'a payout instruction is replaced or rejected: no payout goes to it until it is verified again',
    example: { ...example, sequence: 3, status: 'UNVERIFIED', previous_status: 'VERIFIED' },
  },
});

type PayoutInstructionEvent = EventOf<typeof payoutInstructionEvents>;

export function payoutInstructionEvent(
  type: PayoutInstructionEvent['type'],
  instruction: PayoutInstructionRow,
  previous: PayoutInstructionStatus | null,
): NewEvent<PayoutInstructionEvent> {
  return {
    platformId: instruction.platform_id,
    type,
    occurredAt: instruction.updated_at,
    data: {
      external_id: instruction.external_id,
      merchant_external_id: instruction.merchant_external_id,
      sequence: instruction.version,
      type: instruction.type,
      status: instruction.status,
      previous_status: previous,
    },
  };
}
