/** Answers of banks to our payments. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { namesOf, type RowOf, table, text } from '#infra/database/table';
import { unnestRows } from '#infra/database/unnest-rows';
import type { AnswerReason } from './payment-answer.rules.ts';

export const bankAnswersTable = table('bank_answers', {
  platform_id: 'int',
  answer_id: 'uuid',
  identity_mac: 'bytea',
  details_sealed: 'bytea',
  queue_reason: text<AnswerReason | null>(),
  created_at: 'bigint',
  actor: 'text',
  resolved_at: 'bigint',
  resolved_by: 'text',
  resolution: 'text',
});
export type BankAnswerRow = RowOf<typeof bankAnswersTable>;

const WRITTEN = [
  'answer_id',
  'identity_mac',
  'details_sealed',
  'queue_reason',
  'created_at',
  'actor',
] as const;
export type NewBankAnswer = Pick<BankAnswerRow, (typeof WRITTEN)[number]>;
const unnestAnswers = unnestRows<NewBankAnswer>('a', bankAnswersTable.list(...WRITTEN));

/** Inserts the answers that are new. Returns their ids. */
export async function insertBankAnswers(
  db: Db,
  platformId: number,
  answers: readonly NewBankAnswer[],
): Promise<Set<string>> {
  const { rows } = await sql<{ answer_id: string }>`
    insert into bank_answers (platform_id, ${namesOf(WRITTEN)})
    select ${platformId}::int, ${namesOf(WRITTEN)} from ${unnestAnswers(answers)} order by identity_mac
    on conflict (platform_id, identity_mac) do nothing
    returning answer_id`.execute(db);
  return new Set(rows.map(({ answer_id }) => answer_id));
}

/** Lists the answers that wait for a person, the oldest first. */
export async function listQueuedAnswers(
  db: Db,
  platformId: number,
  { countMax }: { countMax: number },
): Promise<BankAnswerRow[]> {
  return db
    .selectFrom('bank_answers')
    .select(bankAnswersTable.columns)
    .where('platform_id', '=', platformId)
    .where('queue_reason', 'is not', null)
    .where('resolved_at', 'is', null)
    .orderBy('created_at')
    .orderBy('answer_id')
    .limit(countMax)
    .$castTo<BankAnswerRow>()
    .execute();
}

/** False for an unknown answer, and for one that does not wait for a person. */
export async function resolveBankAnswer(
  db: Db,
  platformId: number,
  answerId: string,
  resolved: { at: number; by: string; resolution: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('bank_answers')
    .set({ resolved_at: resolved.at, resolved_by: resolved.by, resolution: resolved.resolution })
    .where('platform_id', '=', platformId)
    .where('answer_id', '=', answerId)
    .where('queue_reason', 'is not', null)
    .where('resolved_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
