import { operation } from '#operation/operation';
import { toCreditNote } from '../credit-note.queries.ts';
import { CreditNote, CreditNoteCreation } from '../credit-note.schemas.ts';
import { issueCreditNote } from '../issue-credit-note.ts';

export const createCreditNote = operation({
  id: 'createCreditNote',
  summary: 'Create a credit note',
  description:
    'Reduces what the buyer owes for an invoice, from the latest instalment backwards, and releases the credit that this used. ' +
    'Money already paid for it belongs to the buyer again, as unapplied cash if the platform received it. Credit notes ' +
    'for the full invoice amount cancel the invoice, together with its part of the term fee.',
  tag: 'Invoices',
  scope: 'invoices:write',
  effect: 'transaction',
  body: CreditNoteCreation,
  isVersioned: true,
  status: 201,
  response: CreditNote,
  problems: [
    'EXTERNAL_ID_ALREADY_EXISTS',
    'REFERENCED_ENTITY_NOT_FOUND',
    'INVOICE_NOT_CREDITABLE',
    'CREDIT_NOTE_EXCEEDS_INVOICE',
  ],
  example: {
    body: {
      external_id: 'example-credit-note',
      invoice_external_id: 'example-invoice',
      reason_code: 'RETURN',
      amount: { net: 2500, tax: 475, gross: 2975 },
      line_items: [{ name: 'Espresso beans, 1 kg', category: 'Coffee', price: 2500, quantity: 1 }],
    },
  },
  async run(context, { body }) {
    const note = await issueCreditNote(context, body);
    return { body: toCreditNote(note), version: note.version };
  },
});
