import { operation } from '#operation/operation';
import { findPayoutInstruction, toPayoutInstruction } from '../payout-instruction.queries.ts';
import { PayoutInstruction, PayoutInstructionParams } from '../payout-instruction.schemas.ts';
import { visiblePayoutInstruction } from '../visible-payout-instruction.ts';

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
    const found = await findPayoutInstruction(db, { platformId, externalId: params.external_id });
    const row = visiblePayoutInstruction(found, caller);
    return { body: toPayoutInstruction(row, vault), version: row.version };
  },
});
