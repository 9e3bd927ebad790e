import { operation } from '#operation/operation';
import { endLockedDispute } from '../decide-dispute.ts';
import { Dispute, DisputeParams, DisputeRejection } from '../dispute.schemas.ts';
import { toDispute } from '../dispute-view.ts';
import { lockVisibleDispute } from '../visible-dispute.ts';

export const rejectDispute = operation({
  id: 'rejectDispute',
  summary: 'Reject a dispute',
  description:
    'The disputed amount counts again from this day on. Interest for the days before it is not claimed.',
  tag: 'Invoices',
  scope: 'invoices:write',
  effect: 'transaction',
  params: DisputeParams,
  body: DisputeRejection,
  isVersioned: true,
  status: 200,
  response: Dispute,
  problems: ['NOT_FOUND', 'INVALID_STATUS_TRANSITION'],
  example: {
    params: { external_id: 'example-invoice', dispute_external_id: 'example-dispute-2' },
    body: { comment: 'The delivery note shows that all bags were whole.' },
  },
  async run(context, { params, body }) {
    const { invoice, dispute } = await lockVisibleDispute(context, params);
    const decided = await endLockedDispute(context, invoice, dispute, 'reject', body.comment);
    return { body: toDispute(decided, context.vault), version: decided.version };
  },
});
