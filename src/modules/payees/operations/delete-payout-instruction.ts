import { Type } from 'typebox';
import { notFound, refusal } from '#kernel/problem';
import { assertVisible } from '#operation/caller';
import { operation } from '#operation/operation';
import { lockPayoutInstruction } from '../payout-instruction.queries.ts';
import { PayoutInstructionParams } from '../payout-instruction.schemas.ts';
import { transitionPayoutInstruction } from '../transition-payout-instruction.ts';

export const deletePayoutInstruction = operation({
  id: 'deletePayoutInstruction',
  summary: 'Remove a payout instruction',
  description:
    'A merchant needs a verified instruction to be paid: register a replacement before you remove the last one. The ' +
    'external_id cannot be used again.',
  tag: 'Payouts',
  scope: 'payouts:write',
  effect: 'transaction',
  params: PayoutInstructionParams,
  isConditional: true,
  status: 200,
  response: Type.Null(),
  problems: ['NOT_FOUND', 'PAYOUT_SCHEDULED'],
  example: { params: { external_id: 'fromagerie-account' } },
  async run(context, { params }) {
    const { db, platformId, caller, assertVersion } = context;
    const key = { platformId, externalId: params.external_id };
    const row = await lockPayoutInstruction(db, key);
    if (!row) throw notFound();
    assertVisible(row, caller);
    assertVersion(row.version);
    if (row.payouts_under_way > 0)
      throw refusal('PAYOUT_SCHEDULED', 'A payout to this account is under way', {
        payouts: row.payouts_under_way,
      });
    await transitionPayoutInstruction(context, row, 'delete');
    return { body: null };
  },
});
