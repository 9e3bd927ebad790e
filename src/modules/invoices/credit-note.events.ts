import { type Static, Type } from 'typebox';
import { Amount } from '#kernel/amount';
import { defineEvents, type EventOf, SequenceSchema } from '#kernel/event';
import { externalId, minorUnits } from '#kernel/fields';
import type { NewEvent } from '#modules/webhooks';
import type { CreditNoteRow } from './credit-note.queries.ts';
import { CreditReasonSchema } from './credit-note.schemas.ts';
import type { InvoiceColumns } from './invoice.queries.ts';
import { InvoiceStatusSchema } from './invoice.schemas.ts';

const CreditNoteEventData = Type.Object(
  {
    external_id: externalId('The credit note'),
    invoice_external_id: externalId('The invoice that the credit note reduces'),
    buyer_external_id: externalId('The buyer'),
    merchant_external_id: externalId('The merchant'),
    sequence: SequenceSchema,
    reason_code: CreditReasonSchema,
    amount: Amount,
    invoice_status: {
      ...InvoiceStatusSchema,
      description: 'The status of the invoice after the credit note',
    },
    outstanding_amount: minorUnits('The outstanding amount of the invoice after the credit note'),
  },
  { title: 'CreditNoteEventData' },
);
type CreditNoteEventData = Static<typeof CreditNoteEventData>;

const EXAMPLE: CreditNoteEventData = {
  external_id: 'credit-note-77',
  invoice_external_id: 'invoice-1011',
  buyer_external_id: 'cafe-morgenrot',
  merchant_external_id: 'roastery-north',
  sequence: 1,
  reason_code: 'RETURN',
  amount: { net: 2_500, tax: 475, gross: 2_975, currency: 'EUR' },
  invoice_status: 'OPEN',
  outstanding_amount: 8_925,
};

export const creditNoteEvents = defineEvents(CreditNoteEventData, {
  'CREDIT_NOTE.CREATED': { when: 'a credit note reduced an invoice', example: EXAMPLE },
});
type CreditNoteEvent = EventOf<typeof creditNoteEvents>;

/** The event of a new credit note. `invoice` is the invoice after the credit note. */
export function creditNoteCreated(
  note: CreditNoteRow,
  invoice: Pick<InvoiceColumns, 'status' | 'outstanding_amount'>,
): NewEvent<CreditNoteEvent> {
  const { amount_net: net, amount_tax: tax, amount_gross: gross, currency } = note;
  return {
    platformId: note.platform_id,
    type: 'CREDIT_NOTE.CREATED',
    occurredAt: note.created_at,
    data: {
      external_id: note.external_id,
      invoice_external_id: note.invoice_external_id,
      buyer_external_id: note.buyer_external_id,
      merchant_external_id: note.merchant_external_id,
      sequence: note.version,
      reason_code: note.reason_code,
      amount: { net, tax, gross, currency },
      invoice_status: invoice.status,
      outstanding_amount: invoice.outstanding_amount,
    },
  };
}
