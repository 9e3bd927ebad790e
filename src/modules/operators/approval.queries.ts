/** Approvals. The status comes from the lifecycle. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { jsonb, type NewRowOf, type RowOf, table, text } from '#infra/database/table';
import { transitionOf } from '#kernel/lifecycle';
import { type ApprovalStatus, type ApprovalTrigger, approvalLifecycle } from './approval.lifecycle.ts';

export const approvalsTable = table('approvals', {
  platform_id: 'int',
  approval_id: 'uuid',
  status: text<ApprovalStatus>(),
  kind: 'text',
  subject: 'text',
  payload: jsonb<object>(),
  before: jsonb<object | null>(),
  after: jsonb<object | null>(),
  proposed_at: 'bigint',
  proposed_by: 'text',
  reason: 'text',
  decided_at: 'bigint',
  decided_by: 'text',
  decision_reason: 'text',
  used_at: 'bigint',
});

export type ApprovalRow = RowOf<typeof approvalsTable>;
export type NewApproval = Omit<
  NewRowOf<typeof approvalsTable>,
  'status' | 'decided_at' | 'decided_by' | 'decision_reason' | 'used_at'
>;

export async function insertApproval(db: Db, approval: NewApproval): Promise<void> {
  const { to } = transitionOf(approvalLifecycle, null, 'propose');
  await db
    .insertInto('approvals')
    .values(approvalsTable.insertable({ ...approval, status: to }))
    .execute();
}

const approvalWithId = (db: Db, platformId: number, approvalId: string) =>
  db
    .selectFrom('approvals')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('approval_id', '=', approvalId)
    .$castTo<ApprovalRow>();

export async function findApproval(
  db: Db,
  platformId: number,
  approvalId: string,
): Promise<ApprovalRow | undefined> {
  return approvalWithId(db, platformId, approvalId).executeTakeFirst();
}

/** Locks an approval until the transaction ends. Undefined for an unknown one. */
export async function lockApproval(
  db: Db,
  platformId: number,
  approvalId: string,
): Promise<ApprovalRow | undefined> {
  return approvalWithId(db, platformId, approvalId).forUpdate().executeTakeFirst();
}

/** Writes how a locked approval ended. Throws INVALID_STATUS_TRANSITION with the allowed triggers. */
export async function endApproval(
  db: Db,
  approval: ApprovalRow,
  trigger: Exclude<ApprovalTrigger, 'propose'>,
  by: { at: number; actor: string; reason: string },
): Promise<void> {
  const { to } = transitionOf(approvalLifecycle, approval.status, trigger);
  await db
    .updateTable('approvals')
    .set({ status: to, decided_at: by.at, decided_by: by.actor, decision_reason: by.reason })
    .where('platform_id', '=', approval.platform_id)
    .where('approval_id', '=', approval.approval_id)
    .execute();
}

/** At most `countMax` approvals, the newest first. */
export async function listApprovals(
  db: Db,
  platformId: number,
  status: readonly ApprovalStatus[],
  countMax: number,
): Promise<ApprovalRow[]> {
  return db
    .selectFrom('approvals')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('status', 'in', status)
    .orderBy('proposed_at', 'desc')
    .orderBy('approval_id')
    .limit(countMax)
    .$castTo<ApprovalRow>()
    .execute();
}

/**
 * The newest approval of the kind, with these fields in its payload, that is approved and not used yet, or else proposed. For
 * changes that an approval permits instead of making them. Undefined without one.
 */
export async function findPermission(
  db: Db,
  platformId: number,
  kind: string,
  payload: object,
): Promise<ApprovalRow | undefined> {
  return (
    db
      .selectFrom('approvals')
      .selectAll()
      .where('platform_id', '=', platformId)
      .where('kind', '=', kind)
      .where('status', 'in', ['PROPOSED', 'APPROVED'] satisfies ApprovalStatus[])
      .where('used_at', 'is', null)
      .where(sql<boolean>`payload @> ${JSON.stringify(payload)}::jsonb`)
      // APPROVED before PROPOSED.
      .orderBy('status')
      .orderBy('proposed_at', 'desc')
      .limit(1)
      .$castTo<ApprovalRow>()
      .executeTakeFirst()
  );
}

/** Records that the permitted change was made at `at` (unix seconds), so that the approval permits no other one. */
export async function endPermission(
  db: Db,
  platformId: number,
  approvalId: string,
  at: number,
): Promise<void> {
  await db
    .updateTable('approvals')
    .set({ used_at: at })
    .where('platform_id', '=', platformId)
    .where('approval_id', '=', approvalId)
    .execute();
}
