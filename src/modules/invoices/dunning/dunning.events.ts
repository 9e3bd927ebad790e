import { type Static, Type } from 'typebox';
import { defineEvents, type EventOf, SequenceSchema } from '#kernel/event';
import { CurrencySchema, externalId, minorUnits, nullable } from '#kernel/fields';
import type { NewEvent } from '#modules/webhooks';
import type { InvoiceColumns } from '../invoice.queries.ts';
import type { DunningStatus } from './dunning.lifecycle.ts';
import {
  DunningKindSchema,
  DunningPauseSchema,
  DunningStatusSchema,
  dunningNextAt,
  dunningStep,
} from './dunning.schemas.ts';
import type { InvoiceDunningRow } from './invoice-dunning.queries.ts';

const DunningEventData = Type.Object(
  {
    external_id: externalId('The reminders of the invoice: one for each invoice'),
    invoice_external_id: externalId('The invoice'),
    buyer_external_id: externalId('The buyer'),
    merchant_external_id: externalId('The merchant'),
    sequence: SequenceSchema,
    status: { ...DunningStatusSchema, description: 'The status after the event' },
    step: dunningStep,
    kind: nullable({ ...DunningKindSchema, description: 'The kind of that step' }),
    next_at: dunningNextAt,
    paused_by: nullable({ ...DunningPauseSchema, description: 'What stops the reminders' }),
    outstanding_amount: minorUnits('The outstanding amount of the invoice'),
    currency: CurrencySchema,
  },
  { title: 'DunningEventData' },
);
type DunningEventData = Static<typeof DunningEventData>;

const example = (
  status: DunningStatus,
  sequence: number,
  changed: Partial<DunningEventData> = {},
): DunningEventData => ({
  external_id: '0f7b7a52-6f0c-4b7e-8f35-0a8f6f6a9c11',
  invoice_external_id: 'invoice-1011',
  buyer_external_id: 'cafe-morgenrot',
  merchant_external_id: 'roastery-north',
  sequence,
  status,
  step: 3,
  kind: 'REMINDER',
  next_at: 1_768_550_400,
  paused_by: null,
  outstanding_amount: 11_900,
  currency: 'EUR',
  ...changed,
});

export const dunningEvents = defineEvents(DunningEventData, {
  'INVOICE.DUNNING.ENDED': {
    when: 'an invoice needs no more reminders: it was paid, credited, refunded, written off or postponed',
    example: example('ENDED', 5, { next_at: null, outstanding_amount: 0 }),
  },
  'INVOICE.DUNNING.PAUSED': {
    when: 'a promise, a dispute or another stop keeps a buyer from being reminded of an invoice',
    example: example('PAUSED', 3, { paused_by: 'PROMISE' }),
  },
  'INVOICE.DUNNING.RESUMED': {
    when: 'nothing stops the reminders of an invoice any more',
    example: example('RUNNING', 4),
  },
  'INVOICE.DUNNING.STEP': {
    when: 'a buyer is reminded of an invoice, or the invoice is handed over',
    example: example('RUNNING', 2),
  },
});
export type DunningEvent = EventOf<typeof dunningEvents>;

/** An event of the reminders. `dunning` is their state after the change. */
export function dunningEvent(
  type: DunningEvent['type'],
  dunning: InvoiceDunningRow,
  invoice: Pick<
    InvoiceColumns,
    'buyer_external_id' | 'merchant_external_id' | 'outstanding_amount' | 'currency'
  >,
): NewEvent<DunningEvent> {
  return {
    platformId: dunning.platform_id,
    type,
    occurredAt: dunning.updated_at,
    data: {
      external_id: dunning.external_id,
      invoice_external_id: dunning.invoice_external_id,
      buyer_external_id: invoice.buyer_external_id,
      merchant_external_id: invoice.merchant_external_id,
      sequence: dunning.version,
      status: dunning.status,
      step: dunning.step,
      kind: dunning.kind,
      next_at: dunning.next_at,
      paused_by: dunning.paused_by,
      outstanding_amount: invoice.outstanding_amount,
      currency: invoice.currency,
    },
  };
}
