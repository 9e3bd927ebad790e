import { closed, externalId } from '#kernel/fields';
import { assertMerchantAllowed } from '#operation/caller';
import { filterByList, listOf, pageOf, paging } from '#operation/list';
import { operation } from '#operation/operation';
import { listPayoutInstructionRows, toPayoutInstruction } from '../payout-instruction.queries.ts';
import {
  PayoutInstruction,
  PayoutInstructionStatusSchema,
  PayoutTypeSchema,
} from '../payout-instruction.schemas.ts';

export const listPayoutInstructions = operation({
  id: 'listPayoutInstructions',
  summary: 'List payout instructions, newest first',
  tag: 'Payouts',
  scope: 'read',
  effect: 'read',
  query: closed({
    ...paging,
    merchant_external_id: filterByList(externalId('A merchant'), 'Only instructions of these merchants'),
    type: filterByList(PayoutTypeSchema, 'Only these types'),
    status: filterByList(PayoutInstructionStatusSchema, 'Only these statuses'),
  }),
  status: 200,
  response: listOf(PayoutInstruction, 'PayoutInstructionList'),
  problems: ['MERCHANT_NOT_ALLOWED'],
  example: { query: { type: 'SEPA,FPS,SWIFT' } },
  async run({ db, platformId, caller, vault }, { query }) {
    for (const merchant of query.merchant_external_id ?? []) assertMerchantAllowed(caller, merchant);
    const only = caller.merchantExternalId;
    const filter = only === null ? query : { ...query, merchant_external_id: [only] };
    const page = await listPayoutInstructionRows(db, platformId, filter, pageOf(query));
    return { body: { ...page, items: page.items.map((row) => toPayoutInstruction(row, vault)) } };
  },
});
