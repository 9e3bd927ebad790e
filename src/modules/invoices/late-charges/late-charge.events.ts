import { type Static, Type } from 'typebox';
import { defineEvents, type EventOf, SequenceSchema } from '#kernel/event';
import { CurrencySchema, externalId, minorUnits } from '#kernel/fields';
import type { NewEvent } from '#modules/webhooks';
import type { LateChargeStatus } from './late-charge.lifecycle.ts';
import type { LateChargeRow } from './late-charge.queries.ts';
import { LateChargeKindSchema, LateChargeStatusSchema } from './late-charge.schemas.ts';

const LateChargeEventData = Type.Object(
  {
    external_id: externalId('The late charge'),
    invoice_external_id: externalId('The invoice that was paid late'),
    buyer_external_id: externalId('The buyer'),
    merchant_external_id: externalId('The merchant'),
    sequence: SequenceSchema,
    kind: LateChargeKindSchema,
    status: { ...LateChargeStatusSchema, description: 'The status after the event' },
    amount: minorUnits('The amount claimed'),
    paid_amount: minorUnits('The part of the amount that payments settled'),
    outstanding_amount: minorUnits('The part of the amount that is still owed after the event'),
    currency: CurrencySchema,
  },
  { title: 'LateChargeEventData' },
);
type LateChargeEventData = Static<typeof LateChargeEventData>;

const example = (
  status: LateChargeStatus,
  sequence: number,
  { paid_amount, outstanding_amount } = { paid_amount: 0, outstanding_amount: 258 },
): LateChargeEventData => ({
  external_id: '7d0c6a5e-52b1-4c0e-9f0b-6f6f1c0d3a11',
  invoice_external_id: 'invoice-1011',
  buyer_external_id: 'cafe-morgenrot',
  merchant_external_id: 'roastery-north',
  sequence,
  kind: 'INTEREST',
  status,
  amount: 258,
  paid_amount,
  outstanding_amount,
  currency: 'EUR',
});

export const lateChargeEvents = defineEvents(LateChargeEventData, {
  'INVOICE.LATE_CHARGE.CLAIMED': {
    when: 'interest or compensation was claimed because an invoice was paid late',
    example: example('OPEN', 1),
  },
  'INVOICE.LATE_CHARGE.PAID': {
    when: 'a late charge is paid',
    example: example('PAID', 2, { paid_amount: 258, outstanding_amount: 0 }),
  },
  'INVOICE.LATE_CHARGE.REOPENED': {
    when: 'a payment was reversed, so that a late charge is owed again',
    example: example('OPEN', 3),
  },
  'INVOICE.LATE_CHARGE.WAIVED': {
    when: 'an operator waived the rest of a late charge',
    example: example('WAIVED', 2, { paid_amount: 0, outstanding_amount: 0 }),
  },
});
export type LateChargeEvent = EventOf<typeof lateChargeEvents>;

/** An event of a late charge. `charge` is the charge after the change. */
export function lateChargeEvent(
  type: LateChargeEvent['type'],
  charge: LateChargeRow,
): NewEvent<LateChargeEvent> {
  return {
    platformId: charge.platform_id,
    type,
    occurredAt: charge.updated_at,
    data: {
      external_id: charge.external_id,
      invoice_external_id: charge.invoice_external_id,
      buyer_external_id: charge.buyer_external_id,
      merchant_external_id: charge.merchant_external_id,
      sequence: charge.version,
      kind: charge.kind,
      status: charge.status,
      amount: charge.amount,
      paid_amount: charge.paid_amount,
      outstanding_amount: charge.outstanding_amount,
      currency: charge.currency,
    },
  };
}
