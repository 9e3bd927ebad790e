/** Applies a bank's answers to payment files: rejected payouts fail, and answers for a person wait in the queue. */
import { randomUUID } from 'node:crypto';
import { StartRefused } from '#kernel/start-refused';
import { isUuid } from '#kernel/uuid';
import {
  failPayouts,
  fileIdOfMessage,
  findPayoutsByEndToEndId,
  findPayoutsByMessage,
  type PayoutRow,
} from '#modules/payouts';
import {
  type BankAnswerRow,
  insertBankAnswers,
  listQueuedAnswers,
  type NewBankAnswer,
  resolveBankAnswer,
} from './bank-answer.queries.ts';
import type { BankingContext } from './banking-context.ts';
import type { PaymentStatusRecord } from './formats/bank-document.ts';
import { ANSWER_REASONS, type AnswerReason, meaningOf } from './payment-answer.rules.ts';

const REJECTED_BY_BANK = 'Rejected by the bank.';

export interface AppliedAnswers {
  /** The payouts that the answers failed. */
  failed: string[];
  /** The number of answers that wait in the queue. */
  queued: number;
}

/** Applies answers. An answer that was imported before changes nothing. */
export async function applyAnswers(
  context: BankingContext,
  answers: readonly PaymentStatusRecord[],
): Promise<AppliedAnswers> {
  const { db, platformId } = context;
  const payoutsOf = await findAnswered(context, answers);
  const relevant = answers
    .map((answer) => {
      const fileExternalId = answer.messageId === null ? null : fileIdOfMessage(answer.messageId);
      const meaning = meaningOf(answer, { payouts: payoutsOf(answer), fileExternalId });
      return { answer, meaning, row: rowOf(context, answer, meaning.reason) };
    })
    .filter(({ meaning }) => meaning.failed.length > 0 || meaning.reason !== null);
  if (relevant.length === 0) return { failed: [], queued: 0 };
  const inserted = await insertBankAnswers(
    db,
    platformId,
    relevant.map(({ row }) => row),
  );
  const fresh = relevant.filter(({ row }) => inserted.has(row.answer_id));
  // A payout can be named both by its file and on its own: the first reason counts.
  const reasons = new Map<string, string>();
  for (const { answer, meaning } of fresh)
    for (const { external_id } of meaning.failed)
      if (!reasons.has(external_id)) reasons.set(external_id, answer.reason ?? REJECTED_BY_BANK);
  for (const [reason, group] of Map.groupBy(reasons, ([, because]) => because))
    await failPayouts(
      context,
      group.map(([externalId]) => externalId),
      { reason },
    );
  return {
    failed: [...reasons.keys()],
    queued: fresh.filter(({ meaning }) => meaning.reason !== null).length,
  };
}

const detailsOf = ({ about, messageId, batchId, endToEndId, status, reason }: PaymentStatusRecord) =>
  JSON.stringify({ about, messageId, batchId, endToEndId, status, reason });

function rowOf(
  { vault, now, actor }: BankingContext,
  answer: PaymentStatusRecord,
  reason: AnswerReason | null,
): NewBankAnswer {
  const answerId = randomUUID();
  const details = detailsOf(answer);
  return {
    answer_id: answerId,
    identity_mac: vault.mac('bank_answers/identity', details),
    details_sealed: vault.seal(placeOf(answerId), details),
    queue_reason: reason,
    created_at: now,
    actor,
  };
}

const placeOf = (answerId: string) => `bank_answers/${answerId}`;

/** The payouts that an answer is about; undefined for a payment or a file that is not ours. */
async function findAnswered(
  { db, platformId }: BankingContext,
  answers: readonly PaymentStatusRecord[],
): Promise<(answer: PaymentStatusRecord) => readonly PayoutRow[] | undefined> {
  const named = (of: (answer: PaymentStatusRecord) => string | null) => [
    ...new Set(answers.flatMap((answer) => of(answer) ?? [])),
  ];
  const ofPayments = named(({ about, endToEndId }) => (about === 'PAYMENT' ? endToEndId : null));
  const ofFiles = named(({ about, messageId }) => (about === 'PAYMENT' ? null : messageId));
  const byEndToEndId = await findPayoutsByEndToEndId(db, platformId, ofPayments);
  const byMessage = await findPayoutsByMessage(db, platformId, ofFiles);
  return ({ about, endToEndId, messageId }) => {
    if (about !== 'PAYMENT') return byMessage.get(messageId ?? '');
    const payout = byEndToEndId.get(endToEndId ?? '');
    return payout && [payout];
  };
}

/** An answer in the queue. */
export interface QueuedAnswer {
  answer_id: string;
  /** Unix seconds. */
  received_at: number;
  about: PaymentStatusRecord['about'];
  message_id: string | null;
  end_to_end_id: string | null;
  /** The bank's status, with its reason. */
  status: string;
  status_reason: string | null;
  reason: AnswerReason;
  meaning: string;
}

/** Lists the oldest first. */
export async function listAnswers(
  { db, platformId, vault }: Pick<BankingContext, 'db' | 'platformId' | 'vault'>,
  page: { countMax: number },
): Promise<QueuedAnswer[]> {
  const waiting = await listQueuedAnswers(db, platformId, page);
  return waiting.map(({ answer_id, created_at, queue_reason, details_sealed }: BankAnswerRow) => {
    const opened: PaymentStatusRecord = JSON.parse(vault.open(placeOf(answer_id), details_sealed));
    const reason = queue_reason as AnswerReason;
    return {
      ...{ answer_id, received_at: created_at, about: opened.about, message_id: opened.messageId },
      ...{ end_to_end_id: opened.endToEndId, status: opened.status, status_reason: opened.reason },
      ...{ reason, meaning: ANSWER_REASONS[reason] },
    };
  });
}

/** Records what an operator has found out about an answer. Throws StartRefused if it does not wait. */
export async function resolveAnswer(
  { db, platformId, actor, now }: BankingContext,
  answerId: string,
  resolution: string,
): Promise<void> {
  const isResolved =
    isUuid(answerId) &&
    (await resolveBankAnswer(db, platformId, answerId, { at: now, by: actor, resolution }));
  if (!isResolved)
    throw new StartRefused(`There is no answer ${answerId} in the queue: see tradeline bank queue.`);
}
