export {
  admitOperator,
  assertActiveOperator,
  findOperatorWithKey,
  type OperatorContext,
} from './admit-operator.ts';
export { type AnyChangeKind, approveChange, rejectChange, requestChange } from './approval.commands.ts';
export { approvalLifecycle } from './approval.lifecycle.ts';
export {
  type ApprovalRow,
  endPermission,
  findApproval,
  findPermission,
  listApprovals,
} from './approval.queries.ts';
export { listAuditEntriesAfter } from './audit.queries.ts';
export { type AuditRecord, auditKeyOf, recordAudit, verifyAudit } from './audit.ts';
export type { ChangeKind, PlannedChange } from './change-kind.ts';
export { disableOperator, replaceOwnKey } from './operator.commands.ts';
export { listOperators } from './operator.queries.ts';
export { mayAct, mayDecide, operatorActor, type Role } from './operator.rules.ts';
export {
  addFirstOperator,
  emailOfAddition,
  INSTALLATION,
  type OperatorAddition,
  operatorAddition,
  operatorAdditionOf,
} from './operator-addition.ts';
export { platformControlsChange, platformEnabling, platformSettingsChange } from './platform-changes.ts';
