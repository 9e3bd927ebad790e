import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { endLockedDispute } from '../decide-dispute.ts';
import { Dispute, DisputeParams, DisputeWithdrawal } from '../dispute.schemas.ts';
import { toDispute } from '../dispute-view.ts';
import { lockVisibleDispute } from '../visible-dispute.ts';

export const withdrawDispute = operation({
  id: 'withdrawDispute',
  summary: 'Withdraw a dispute',
  description:
    'Records that the buyer withdraws it. A key that is restricted to one merchant can only reject a dispute. The disputed ' +
    'amount counts again from this day on. Interest for the days before it is not claimed.',
  tag: 'Invoices',
  scope: 'invoices:write',
  effect: 'transaction',
  params: DisputeParams,
  body: DisputeWithdrawal,
  isBodyOptional: true,
  isVersioned: true,
  status: 200,
  response: Dispute,
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED', 'INVALID_STATUS_TRANSITION'],
  example: {
    params: { external_id: 'example-invoice', dispute_external_id: 'example-dispute-3' },
    body: { comment: 'The buyer found the missing bags.' },
  },
  async run(context, { params, body }) {
    const { invoice, dispute } = await lockVisibleDispute(context, params);
    assertPlatformWide(context.caller);
    const decided = await endLockedDispute(context, invoice, dispute, 'withdraw', body?.comment);
    return { body: toDispute(decided, context.vault), version: decided.version };
  },
});
