import { notFound } from '#kernel/problem';
import type { Caller } from '#operation/caller';
import type { PayoutInstructionRow } from './payout-instruction.queries.ts';

/** Throws NOT_FOUND for a missing instruction. For a key restricted to a merchant, those of others do not exist. */
export function visiblePayoutInstruction(
  row: PayoutInstructionRow | undefined,
  { merchantExternalId }: Caller,
): PayoutInstructionRow {
  if (!row || (merchantExternalId ?? row.merchant_external_id) !== row.merchant_external_id) throw notFound();
  return row;
}
