/** Payouts as the statements of banks show them: money that went out, and money of theirs that came back. */
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

/** Of what a transaction is, if its EndToEndId and its amount are those of a payout. Undefined otherwise. */
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
 * Confirms a payout with the locked transaction that paid it. An operator may have confirmed it before: then the transaction
 * is the evidence and books nothing. Returns false for a payout that was not to be paid, or that the bank has paid already.
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

/** The money of a payout came back, as of an instant. Nothing is left to do where an operator has returned it before. */
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
