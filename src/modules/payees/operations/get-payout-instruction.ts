import { notFound } from '#kernel/problem';
import { assertVisible } from '#operation/caller';
import { operation } from '#operation/operation';
import { findPayoutInstruction, toPayoutInstruction } from '../payout-instruction.queries.ts';
import { PayoutInstruction, PayoutInstructionParams } from '../payout-instruction.schemas.ts';

export const getPayoutInstruction = operation({
  id: 'getPayoutInstruction',
  summary: 'Retrieve a payout instruction',
  tag: 'Payouts',
  scope: 'read',
  effect: 'read',
  params: PayoutInstructionParams,
  isVersioned: true,
  status: 200,
  response: PayoutInstruction,
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'nordlicht-account' } },
  async run({ db, platformId, caller, vault }, { params }) {
    const row = await findPayoutInstruction(db, { platformId, externalId: params.external_id });
    if (!row) throw notFound();
    assertVisible(row, caller);
    return { body: toPayoutInstruction(row, vault), version: row.version };
  },
});
