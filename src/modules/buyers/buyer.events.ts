import { Type } from 'typebox';
import type { Db } from '#infra/database/database';
import { defineEvents, type EventOf, SequenceSchema } from '#kernel/event';
import { externalId } from '#kernel/fields';
import { type NewEvent, recordEvents } from '#modules/webhooks';
import type { BuyerRow } from './buyer.queries.ts';

const BuyerEventData = Type.Object(
  {
    external_id: externalId('The buyer'),
    sequence: SequenceSchema,
    changed_fields: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'With BUYER.UPDATED: the names of the fields that changed. Read the buyer for their values',
      }),
    ),
  },
  { title: 'BuyerEventData' },
);

export const buyerEvents = defineEvents(BuyerEventData, {
  'BUYER.CREATED': {
    when: 'a buyer was created',
    example: { external_id: 'cafe-morgenrot', sequence: 1 },
  },
  'BUYER.UPDATED': {
    when: 'the data or settings of a buyer changed, by a request or from a business registry',
    example: {
      external_id: 'cafe-morgenrot',
      sequence: 2,
      changed_fields: ['trading_name', 'delivery_address'],
    },
  },
});
type BuyerEvent = EventOf<typeof buyerEvents>;

export async function recordBuyerCreated(db: Db, buyer: BuyerRow): Promise<void> {
  const event: NewEvent<BuyerEvent> = {
    platformId: buyer.platform_id,
    type: 'BUYER.CREATED',
    occurredAt: buyer.created_at,
    data: { external_id: buyer.external_id, sequence: buyer.version },
  };
  await recordEvents(db, [event]);
}

export interface ChangedBuyer {
  buyer: BuyerRow;
  changedFields: string[];
}

/** Names the fields that changed, not their values: those may be personal. */
export async function recordBuyersUpdated(db: Db, changes: readonly ChangedBuyer[]): Promise<void> {
  const events = changes.map(
    ({ buyer, changedFields }): NewEvent<BuyerEvent> => ({
      platformId: buyer.platform_id,
      type: 'BUYER.UPDATED',
      occurredAt: buyer.updated_at,
      data: { external_id: buyer.external_id, sequence: buyer.version, changed_fields: changedFields },
    }),
  );
  await recordEvents(db, events);
}

export async function recordBuyerUpdated(db: Db, buyer: BuyerRow, changedFields: string[]): Promise<void> {
  await recordBuyersUpdated(db, [{ buyer, changedFields }]);
}
