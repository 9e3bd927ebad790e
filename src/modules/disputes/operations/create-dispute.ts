import { InvoiceParams, lockVisibleInvoice } from '#modules/invoices';
import { operation } from '#operation/operation';
import { Dispute, DisputeCreation } from '../dispute.schemas.ts';
import { toDispute } from '../dispute-view.ts';
import { openDispute } from '../open-dispute.ts';

export const createDispute = operation({
  id: 'createDispute',
  summary: 'Dispute an invoice, a line of it, or an amount',
  description:
    'While the dispute is open, its amount bears no late charges and does not count as overdue, unless `disputes_pause` of the ' +
    'platform is off. Status and due date of the invoice stay. Money that comes first lowers the disputed amount: it counts up to what ' +
    'the invoice owes. A line has one open dispute at a time.',
  tag: 'Invoices',
  scope: 'invoices:write',
  effect: 'transaction',
  params: InvoiceParams,
  body: DisputeCreation,
  isVersioned: true,
  status: 201,
  response: Dispute,
  problems: [
    'NOT_FOUND',
    'EXTERNAL_ID_ALREADY_EXISTS',
    'REFERENCED_ENTITY_NOT_FOUND',
    'INVOICE_NOT_DISPUTABLE',
    'LINE_ALREADY_DISPUTED',
    'DISPUTE_EXCEEDS_OUTSTANDING',
  ],
  example: {
    params: { external_id: 'example-invoice' },
    body: {
      external_id: 'example-dispute',
      reason: 'DAMAGED',
      amount: 1190,
      comment: 'Two bags were torn open.',
    },
  },
  async run(context, { params, body }) {
    const invoice = await lockVisibleInvoice(context, params.external_id);
    const dispute = await openDispute(context, invoice, body);
    return { body: toDispute(dispute, context.vault), version: dispute.version };
  },
});
