import { operation } from '#operation/operation';
import { acceptLockedDispute } from '../decide-dispute.ts';
import { Dispute, DisputeAcceptance, DisputeParams } from '../dispute.schemas.ts';
import { toDispute } from '../dispute-view.ts';
import { lockVisibleDispute } from '../visible-dispute.ts';

export const acceptDispute = operation({
  id: 'acceptDispute',
  summary: 'Accept a dispute',
  description:
    'A credit note takes the accepted amount off the invoice, from the latest instalment backwards. The rest counts again ' +
    'from this day on. Without an amount, all of the dispute is accepted, as far as it can be credited, with tax in the proportion of ' +
    'the invoice. For a dispute PAID_ALREADY, record its payment first; it creates no credit note.',
  tag: 'Invoices',
  scope: 'invoices:write',
  effect: 'transaction',
  params: DisputeParams,
  body: DisputeAcceptance,
  isBodyOptional: true,
  isVersioned: true,
  status: 200,
  response: Dispute,
  problems: [
    'NOT_FOUND',
    'INVALID_STATUS_TRANSITION',
    'ACCEPTED_AMOUNT_EXCEEDS_DISPUTE',
    'DISPUTED_PAYMENT_NOT_RECORDED',
    'EXTERNAL_ID_ALREADY_EXISTS',
    'INVOICE_NOT_CREDITABLE',
    'CREDIT_NOTE_EXCEEDS_INVOICE',
  ],
  example: {
    params: { external_id: 'example-invoice', dispute_external_id: 'example-dispute' },
    body: {
      amount: { net: 1000, tax: 190, gross: 1190 },
      credit_note_external_id: 'example-dispute-note',
      comment: 'We are sorry, and credit both bags.',
    },
  },
  async run(context, { params, body }) {
    const { invoice, dispute } = await lockVisibleDispute(context, params);
    const decided = await acceptLockedDispute(context, invoice, dispute, body ?? {});
    return { body: toDispute(decided, context.vault), version: decided.version };
  },
});
