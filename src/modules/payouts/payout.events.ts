import { type Static, Type } from 'typebox';
import { defineEvents, type EventOf, SequenceSchema } from '#kernel/event';
import { CurrencySchema, externalId, minorUnits, nullable } from '#kernel/fields';
import type { NewEvent } from '#modules/webhooks';
import type { PayoutStatus } from './payout.lifecycle.ts';
import type { PayoutRow } from './payout.queries.ts';
import { CalendarDaySchema, PayoutStatusSchema } from './payout.schemas.ts';

const PayoutEventData = Type.Object(
  {
    external_id: externalId('The payout'),
    merchant_external_id: externalId('The merchant that is paid'),
    payout_instruction_external_id: externalId('The account that the payout goes to'),
    sequence: SequenceSchema,
    status: { ...PayoutStatusSchema, description: 'The status after the event' },
    previous_status: nullable({
      ...PayoutStatusSchema,
      description: 'The status before the event; null if the payout is new',
    }),
    amount: minorUnits('The amount that the merchant is paid'),
    currency: CurrencySchema,
    scheduled_on: { ...CalendarDaySchema, description: 'The business day of the payout' },
  },
  { title: 'PayoutEventData' },
);

const example = (
  status: PayoutStatus,
  previousStatus: PayoutStatus | null,
  sequence: number,
): Static<typeof PayoutEventData> => ({
  external_id: '5f0c6a0e-6f0b-4f6e-9a55-0f0f3c1d2e4b',
  merchant_external_id: 'roastery-north',
  payout_instruction_external_id: 'nordlicht-account',
  sequence,
  status,
  previous_status: previousStatus,
  amount: 11_600,
  currency: 'EUR',
  scheduled_on: '2026-01-05',
});

export const payoutEvents = defineEvents(PayoutEventData, {
  'PAYOUT.SCHEDULED': {
    when: 'the amount due to a merchant became a payout, or a failed payout is made again',
    example: example('SCHEDULED', null, 1),
  },
  'PAYOUT.PAID': {
    when: 'the bank paid a payout, or debts of the merchant took all of it',
    example: example('PAID', 'INSTRUCTED', 3),
  },
  'PAYOUT.FAILED': {
    when: 'the bank rejected a payout, or the money came back',
    example: example('FAILED', 'INSTRUCTED', 3),
  },
});
type PayoutEvent = EventOf<typeof payoutEvents>;

export function payoutEvent(
  type: PayoutEvent['type'],
  payout: PayoutRow,
  previous: PayoutStatus | null,
): NewEvent<PayoutEvent> {
  return {
    platformId: payout.platform_id,
    type,
    occurredAt: payout.updated_at,
    data: {
      external_id: payout.external_id,
      merchant_external_id: payout.merchant_external_id,
      payout_instruction_external_id: payout.payout_instruction_external_id,
      sequence: payout.version,
      status: payout.status,
      previous_status: previous,
      amount: payout.amount,
      currency: payout.currency,
      scheduled_on: payout.scheduled_on,
    },
  };
}
