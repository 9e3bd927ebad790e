import { type Static, Type } from 'typebox';
import { defineEvents, type EventOf, SequenceSchema } from '#kernel/event';
import { CurrencySchema, externalId, minorUnits, nullable } from '#kernel/fields';
import type { NewEvent } from '#modules/webhooks';
import type { DisputeStatus } from './dispute.lifecycle.ts';
import type { DisputeRow } from './dispute.queries.ts';
import { DisputeReasonSchema, DisputeStatusSchema } from './dispute.schemas.ts';

const DisputeEventData = Type.Object(
  {
    external_id: externalId('The dispute'),
    invoice_external_id: externalId('The disputed invoice'),
    buyer_external_id: externalId('The buyer'),
    merchant_external_id: externalId('The merchant'),
    sequence: SequenceSchema,
    status: { ...DisputeStatusSchema, description: 'The status after the event' },
    reason: DisputeReasonSchema,
    line_number: nullable(
      Type.Integer({
        description: 'The line of the invoice, from 1; null if the dispute is not about one line',
      }),
    ),
    amount: minorUnits('The disputed amount'),
    accepted_amount: minorUnits('The part of the amount that was accepted'),
    currency: CurrencySchema,
    credit_note_external_id: nullable(externalId('The credit note over the accepted amount')),
  },
  { title: 'DisputeEventData' },
);
type DisputeEventData = Static<typeof DisputeEventData>;

const example = (
  sequence: number,
  status: DisputeStatus,
  accepted_amount: number,
  credit_note_external_id: string | null,
): DisputeEventData => ({
  external_id: 'dispute-1011',
  invoice_external_id: 'invoice-1011',
  buyer_external_id: 'cafe-morgenrot',
  merchant_external_id: 'roastery-north',
  sequence,
  status,
  reason: 'DAMAGED',
  line_number: 1,
  amount: 2_975,
  accepted_amount,
  currency: 'EUR',
  credit_note_external_id,
});

export const disputeEvents = defineEvents(DisputeEventData, {
  'DISPUTE.OPENED': {
    when: 'a part of an invoice is disputed',
    example: example(1, 'OPEN', 0, null),
  },
  'DISPUTE.RESOLVED': {
    when: 'a dispute is accepted, rejected or withdrawn',
    example: example(2, 'ACCEPTED', 2_975, 'credit-note-78'),
  },
});
export type DisputeEvent = EventOf<typeof disputeEvents>;

/** An event of a dispute. `dispute` is the dispute after the change. */
export function disputeEvent(type: DisputeEvent['type'], dispute: DisputeRow): NewEvent<DisputeEvent> {
  return {
    platformId: dispute.platform_id,
    type,
    occurredAt: dispute.updated_at,
    data: {
      external_id: dispute.external_id,
      invoice_external_id: dispute.invoice_external_id,
      buyer_external_id: dispute.buyer_external_id,
      merchant_external_id: dispute.merchant_external_id,
      sequence: dispute.version,
      status: dispute.status,
      reason: dispute.reason,
      line_number: dispute.line_number,
      amount: dispute.amount,
      accepted_amount: dispute.accepted_amount,
      currency: dispute.currency,
      credit_note_external_id: dispute.credit_note_external_id,
    },
  };
}
