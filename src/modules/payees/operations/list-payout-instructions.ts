import { closed, externalId } from '#kernel/fields';
import { assertMerchantAllowed } from '#operation/caller';
import { cursorListOf, cursorPageOf, cursorPaging, filterByList } from '#operation/list';
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
    ...cursorPaging,
    merchant_external_id: filterByList(externalId('A merchant'), 'Only instructions of these merchants'),
    type: filterByList(PayoutTypeSchema, 'Only these types'),
    status: filterByList(PayoutInstructionStatusSchema, 'Only these statuses'),
  }),
  status: 200,
  response: cursorListOf(PayoutInstruction, 'PayoutInstructionList'),
  problems: ['MERCHANT_NOT_ALLOWED'],
  example: { query: { type: 'SEPA,FPS,SWIFT' } },
  async run(context, { query }) {
    const { caller, vault } = context;
    for (const merchant of query.merchant_external_id ?? []) assertMerchantAllowed(caller, merchant);
    const only = caller.merchantExternalId;
    const filter = only === null ? query : { ...query, merchant_external_id: [only] };
    const { rows, listed } = await listPayoutInstructionRows(context, filter, cursorPageOf(query));
    return { body: { items: rows.map((row) => toPayoutInstruction(row, vault)), ...listed } };
  },
});
