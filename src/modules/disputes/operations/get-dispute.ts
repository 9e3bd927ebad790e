import { operation } from '#operation/operation';
import { Dispute, DisputeParams } from '../dispute.schemas.ts';
import { toDispute } from '../dispute-view.ts';
import { findVisibleDispute } from '../visible-dispute.ts';

export const getDispute = operation({
  id: 'getDispute',
  summary: 'Retrieve a dispute',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  params: DisputeParams,
  isVersioned: true,
  status: 200,
  response: Dispute,
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice', dispute_external_id: 'example-dispute' } },
  async run(context, { params }) {
    const { dispute } = await findVisibleDispute(context, params);
    return { body: toDispute(dispute, context.vault), version: dispute.version };
  },
});
