/** Payouts in the statements of banks: outgoing money, and its returns. */
import {
  confirmPayouts,
  findPayouts,
  findPayoutsByEndToEndId,
  type PayoutRow,
  returnPayouts,
} from '#modules/payouts';
import type { TransactionDetails } from './bank-details.ts';
import { type EntryTransaction, sumOfPayout } from './bank-transaction.queries.ts';
import type { MatchingContext } from './banking-context.ts';
import { bookedAt } from './suspense.ts';

/** The payout of a transaction, if their EndToEndId and amount are equal. Undefined otherwise. */
export async function findPayoutOf(
  { db, platformId }: MatchingContext,
  { amount, currency }: EntryTransaction,
  { endToEndId }: TransactionDetails,
): Promise<PayoutRow | undefined> {
  if (endToEndId === null) return undefined;
  const payout = (await findPayoutsByEndToEndId(db, platformId, [endToEndId])).get(endToEndId);
  return payout?.amount === Math.abs(amount) && payout.currency === currency ? payout : undefined;
}

/**
 * Confirms a payout with the locked transaction that paid it. If an operator has confirmed it before, the transaction is the evidence
 * and books nothing. Returns false if the payout was not to be paid, or the bank has already paid it.
 */
export async function confirmByTransaction(
  context: MatchingContext,
  transaction: EntryTransaction,
  { external_id: payout, status }: PayoutRow,
): Promise<boolean> {
  const { db, platformId } = context;
  if (status === 'PAID') return (await sumOfPayout(db, platformId, payout)) === 0;
  if (status !== 'INSTRUCTED') return false;
  const grounds = { bookedAt: bookedAt(transaction, context), bankAccount: transaction.bank_account };
  await confirmPayouts(context, [payout], grounds);
  return true;
}

/** Books the returned money of a payout, as of `effectiveAt`. Does nothing if an operator has returned it before. */
export async function takePayoutBack(
  context: MatchingContext,
  { bank_account: bankAccount }: EntryTransaction,
  payout: string,
  { effectiveAt, reason }: { effectiveAt: number; reason: string },
): Promise<void> {
  const [found] = await findPayouts(context.db, context.platformId, [payout]);
  if (found?.status !== 'PAID') return;
  await returnPayouts(context, [payout], { reason, bookedAt: effectiveAt, bankAccount });
}
