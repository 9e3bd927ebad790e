import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { notFound } from '#kernel/problem';
import { assertVisible } from '#operation/caller';
import { operation } from '#operation/operation';
import { findPayout } from '../payout.queries.ts';
import { PayoutParams } from '../payout.schemas.ts';
import { showPayoutDetail } from '../payout-detail.ts';
import { reconciliationCsv } from '../reconciliation.rules.ts';

export const getPayoutReconciliation = operation({
  id: 'getPayoutReconciliation',
  summary: 'Retrieve the reconciliation of a payout as CSV',
  description:
    'A row for each advance with its invoice, service, fee, tax and set-off, for each invoice that a buyer paid to ' +
    'the platform, and for the debt of the merchant. Amounts are minor units; the sum of `amount` is what is paid. RFC 4180, UTF-8.',
  tag: 'Payouts',
  scope: 'read',
  effect: 'read',
  params: PayoutParams,
  status: 200,
  answersFile: ['text/csv'],
  response: Type.Null(),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-payout' } },
  async run(context, { params }) {
    const { db, platformId, caller } = context;
    const payout = await findPayout(db, { platformId, externalId: params.external_id });
    if (!payout) throw notFound();
    assertVisible(payout, caller);
    const bytes = Buffer.from(reconciliationCsv(await showPayoutDetail(context, payout)));
    return {
      body: null,
      file: {
        name: `payout-${payout.external_id}.csv`,
        type: 'text/csv',
        sizeBytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest(),
        chunks: whole(bytes),
      },
    };
  },
});

async function* whole(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
