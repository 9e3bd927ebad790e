import { notFound } from '#kernel/problem';
import { assertVisible } from '#operation/caller';
import { operation } from '#operation/operation';
import { findPayout } from '../payout.queries.ts';
import { PayoutDetail, PayoutParams } from '../payout.schemas.ts';
import { showPayoutDetail } from '../payout-detail.ts';

export const getPayout = operation({
  id: 'getPayout',
  summary: 'Retrieve a payout with what it pays',
  description: 'The services and invoices for which the merchant is paid, their fees, and the deductions.',
  tag: 'Payouts',
  scope: 'read',
  effect: 'read',
  params: PayoutParams,
  isVersioned: true,
  status: 200,
  response: PayoutDetail,
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-payout' } },
  async run(context, { params }) {
    const { db, platformId, caller } = context;
    const payout = await findPayout(db, { platformId, externalId: params.external_id });
    if (!payout) throw notFound();
    assertVisible(payout, caller);
    return { body: await showPayoutDetail(context, payout), version: payout.version };
  },
});
