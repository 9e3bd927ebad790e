import { Type } from 'typebox';
import { defineEvents, type EventOf, SequenceSchema } from '#kernel/event';
import { externalId, nullable } from '#kernel/fields';
import type { NewEvent } from '#modules/webhooks';
import type { merchantLifecycle } from './merchant.lifecycle.ts';
import type { MerchantRow } from './merchant.queries.ts';
import { MerchantStatusSchema } from './merchant.schemas.ts';

type MerchantStatus = (typeof merchantLifecycle.states)[number];

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

/** The event of a merchant's first status. */
export function merchantEnrolled(merchant: MerchantRow): NewEvent<EventOf<typeof merchantEvents>> {
  return {
    platformId: merchant.platform_id,
    type: 'MERCHANT.ENROLLED',
    occurredAt: merchant.created_at,
    data: {
      external_id: merchant.external_id,
      sequence: merchant.version,
      status: merchant.status as MerchantStatus,
      previous_status: null,
    },
  };
}
