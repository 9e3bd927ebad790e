/** What a bank answers to a file of payments: payouts that it rejects fail. What it has paid, its statements say. */
import { failPayouts, findPayoutsByEndToEndId, listInstructedOfFile, type PayoutRow } from '#modules/payouts';
import type { BankingContext } from './banking-context.ts';
import type { PaymentStatusRecord } from './formats/bank-document.ts';

const REJECTED = 'RJCT';

export interface AppliedAnswer {
  /** The payouts that it failed. */
  failed: string[];
  /** The payment, or the file, that is not ours; null for one that is. */
  unknown: string | null;
}

/** Applies an answer. One that is given again, or that came too late, changes nothing. */
export async function applyAnswer(
  context: BankingContext,
  { about, messageId, endToEndId, status, reason }: PaymentStatusRecord,
): Promise<AppliedAnswer> {
  const named = about === 'PAYMENT' ? endToEndId : messageId;
  const known = named === null ? [] : await payoutsOf(context, about, named);
  if (known.length === 0) return { failed: [], unknown: about === 'PAYMENT' ? (named ?? '') : null };
  if (status !== REJECTED) return { failed: [], unknown: null };
  const rejected = known.filter((payout) => payout.status === 'INSTRUCTED');
  const failed = rejected.map(({ external_id }) => external_id);
  if (failed.length > 0) await failPayouts(context, failed, { reason: reason ?? 'Rejected by the bank.' });
  return { failed, unknown: null };
}

async function payoutsOf(
  { db, platformId }: BankingContext,
  about: PaymentStatusRecord['about'],
  named: string,
): Promise<PayoutRow[]> {
  if (about !== 'PAYMENT') return listInstructedOfFile(db, platformId, named);
  return [...(await findPayoutsByEndToEndId(db, platformId, [named])).values()];
}
