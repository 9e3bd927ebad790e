/** The effect of an answer about a payment on our payouts. */
import type { PayoutRow } from '#modules/payouts';
import type { PaymentStatusRecord } from './formats/bank-document.ts';

/** Why a person must examine an answer, with a sentence for that person. */
export const ANSWER_REASONS = {
  NOT_OURS: 'It is about a payment or a file that did not come from this platform. Ask the bank.',
  OTHER_FILE:
    'It rejects a payout that has since been released again, in another file. Ask the bank which transfer it means.',
  PAID_BEFORE: 'It rejects a payout that is already paid. Check the bank statement.',
} as const;
export type AnswerReason = keyof typeof ANSWER_REASONS;

const REJECTED = 'RJCT';

export interface AnswerMeaning {
  /** Payouts that the answer rejects. */
  failed: PayoutRow[];
  /** Null if no person needs to examine it. */
  reason: AnswerReason | null;
}

/** The payouts that an answer is about. */
export interface AnsweredPayouts {
  /** Undefined for a payment or a file that is not ours. */
  payouts: readonly PayoutRow[] | undefined;
  /** Our file that the answer names; null if it names none. */
  fileExternalId: string | null;
}

/** Statements report paid payouts, so only rejections have an effect. */
export function meaningOf(
  { status }: Pick<PaymentStatusRecord, 'status'>,
  { payouts, fileExternalId }: AnsweredPayouts,
): AnswerMeaning {
  if (payouts === undefined) return { failed: [], reason: 'NOT_OURS' };
  if (status !== REJECTED) return { failed: [], reason: null };
  // A failed payout can be in a later file: an answer about the earlier file must not fail it again.
  const isOfFile = ({ file_external_id }: PayoutRow) =>
    file_external_id === null || file_external_id === fileExternalId;
  const instructed = payouts.filter((payout) => payout.status === 'INSTRUCTED');
  const failed = instructed.filter(isOfFile);
  if (failed.length < instructed.length) return { failed, reason: 'OTHER_FILE' };
  return { failed, reason: payouts.some(({ status: at }) => at === 'PAID') ? 'PAID_BEFORE' : null };
}
