/**
 * Four eyes: one operator makes a change alone if it lowers what can be owed, and proposes it otherwise. Another operator
 * then approves it. Each command runs in the caller's transaction and returns what the audit log records.
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { transitionOf } from '#kernel/lifecycle';
import { StartRefused } from '#kernel/start-refused';
import { assertActiveOperator, assertRole, type OperatorContext } from './admit-operator.ts';
import { type ApprovalTrigger, approvalLifecycle } from './approval.lifecycle.ts';
import { type ApprovalRow, endApproval, insertApproval, lockApproval } from './approval.queries.ts';
import type { AuditRecord } from './audit.ts';
import type { ChangeKind } from './change-kind.ts';

/** Any kind of change. Its payload has the type of the kind that stored it. */
// biome-ignore lint/suspicious/noExplicitAny: a list of kinds forgets the types of their payloads.
export type AnyChangeKind = ChangeKind<any>;

export interface RequestedChange {
  /** Null if the change was made. */
  approvalId: string | null;
  audit: AuditRecord;
}

/** Makes the change, or proposes it if it takes two operators. Throws StartRefused. */
export async function requestChange<Payload extends object>(
  context: OperatorContext,
  kind: ChangeKind<Payload>,
  payload: Payload,
  reason: string,
): Promise<RequestedChange> {
  const { db, platformId, actor, now } = context;
  assertRole(context.operator, kind.role);
  const { subject, before, after, takesTwo, apply } = await kind.plan(context, payload);
  if (!takesTwo) {
    await apply({ actor, approvedBy: null, reason });
    const details = { before, after };
    return { approvalId: null, audit: { action: `${kind.name}_CHANGED`, subject, reason, details } };
  }
  const approvalId = randomUUID();
  await insertApproval(db, {
    ...{ platform_id: platformId, approval_id: approvalId, kind: kind.name },
    ...{ subject, payload, before: asStored(before), after: asStored(after) },
    ...{ proposed_at: now, proposed_by: actor, reason },
  });
  const details = { approval_id: approvalId, before, after };
  return { approvalId, audit: { action: `${kind.name}_PROPOSED`, subject, reason, details } };
}

export interface ApprovalDecision {
  approvalId: string;
  reason: string;
}

/**
 * Makes the proposed change, as the second operator. Throws StartRefused if what the change is based on has changed since the
 * proposal, or if the change can no longer be made. It then stays proposed.
 */
export async function approveChange(
  context: OperatorContext,
  kinds: readonly AnyChangeKind[],
  { approvalId, reason }: ApprovalDecision,
): Promise<{ approval: ApprovalRow; audit: AuditRecord }> {
  const { db, actor, now } = context;
  const approval = await lockFor(context, approvalId, 'approve');
  const kind = kindOf(kinds, approval);
  assertMayApprove(context, kind);
  if (approval.proposed_by === actor)
    throw new StartRefused('The operator who proposed a change cannot approve it: another one must.');
  await assertActiveOperator(context, approval.proposed_by, kind.role);
  const { before, after, apply } = await kind.plan(context, approval.payload);
  if (!isDeepStrictEqual([asStored(before), asStored(after)], [approval.before, approval.after]))
    throw new StartRefused(
      `The ${approval.subject} changed after ${approval.proposed_by} proposed the change: reject it and propose it again.`,
    );
  await apply({ actor: approval.proposed_by, approvedBy: actor, reason: approval.reason });
  await endApproval(db, approval, 'approve', { at: now, actor, reason });
  return { approval, audit: auditOf(approval, 'APPROVED', reason) };
}

/** Ends a proposal without the change: withdrawn by the operator who made it, or rejected by another one. */
export async function rejectChange(
  context: OperatorContext,
  kinds: readonly AnyChangeKind[],
  { approvalId, reason }: ApprovalDecision,
): Promise<{ approval: ApprovalRow; audit: AuditRecord }> {
  const { db, actor, now } = context;
  const approval = await lockFor(context, approvalId, 'reject');
  const isOwn = approval.proposed_by === actor;
  if (!isOwn) assertMayApprove(context, kindOf(kinds, approval));
  await endApproval(db, approval, isOwn ? 'withdraw' : 'reject', { at: now, actor, reason });
  return { approval, audit: auditOf(approval, isOwn ? 'WITHDRAWN' : 'REJECTED', reason) };
}

async function lockFor(
  { db, platformId }: OperatorContext,
  approvalId: string,
  trigger: ApprovalTrigger,
): Promise<ApprovalRow> {
  const approval = await lockApproval(db, platformId, approvalId);
  if (!approval) throw new StartRefused(`There is no approval ${approvalId}: see tradeline approval list.`);
  transitionOf(approvalLifecycle, approval.status, trigger);
  return approval;
}

function kindOf(kinds: readonly AnyChangeKind[], approval: ApprovalRow): AnyChangeKind {
  const kind = kinds.find(({ name }) => name === approval.kind);
  if (!kind) throw new Error(`There is no change of the kind ${approval.kind}.`);
  return kind;
}

function assertMayApprove({ operator }: OperatorContext, kind: AnyChangeKind): void {
  if (!kind.mayApprove(operator.role))
    throw new StartRefused(
      `The operator ${operator.operator_id} has the role ${operator.role}, which may not approve this.`,
    );
}

function auditOf(approval: ApprovalRow, end: string, reason: string): AuditRecord {
  const { approval_id, kind, subject, proposed_by, before, after } = approval;
  return {
    action: `${kind}_${end}`,
    subject,
    reason,
    details: { approval_id, proposed_by, before, after },
  };
}

/** The value as it is read back from the database. */
const asStored = (value: object | null): object | null => JSON.parse(JSON.stringify(value));
