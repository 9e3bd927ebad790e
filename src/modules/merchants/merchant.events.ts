import { Type } from 'typebox';
import { defineEvents, type EventOf, SequenceSchema } from '#kernel/event';
import { externalId, nullable } from '#kernel/fields';
import type { NewEvent } from '#modules/webhooks';
import type { MerchantStatus } from './merchant.lifecycle.ts';
import type { MerchantRow } from './merchant.queries.ts';
import { MerchantStatusSchema } from './merchant.schemas.ts';

const MerchantEventData = Type.Object(
  {
    external_id: externalId('The merchant'),
    sequence: SequenceSchema,
    status: { ...MerchantStatusSchema, description: 'The status after the event' },
    previous_status: nullable({
      ...MerchantStatusSchema,
      description: 'The status before the event; null if the merchant is new',
    }),
  },
  { title: 'MerchantEventData' },
);

export const merchantEvents = defineEvents(MerchantEventData, {
  'MERCHANT.ENROLLED': {
    when: 'a merchant may sell through the platform',
    example: { external_id: 'roastery-north', sequence: 1, status: 'ENROLLED', previous_status: null },
  },
});

/** The event of an enrolment. `previous` is null for a new merchant. */
export function merchantEnrolled(
  merchant: MerchantRow,
  previous: MerchantStatus | null,
): NewEvent<EventOf<typeof merchantEvents>> {
  return {
    platformId: merchant.platform_id,
    type: 'MERCHANT.ENROLLED',
    occurredAt: merchant.updated_at,
    data: {
      external_id: merchant.external_id,
      sequence: merchant.version,
      status: merchant.status,
      previous_status: previous,
    },
  };
}
