/** `tradeline approval list|show|approve|reject` */
import { StartRefused } from '#kernel/start-refused';
import {
  type ApprovalRow,
  approvalLifecycle,
  approveChange,
  emailOfAddition,
  findApproval,
  findOperatorWithKey,
  listApprovals,
  type OperatorAddition,
  operatorAddition,
  rejectChange,
} from '#modules/operators';
import { readArguments, WrongUsage } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { changeKinds } from './change-kinds.ts';
import { commandOf } from './command.ts';
import { type OnPlatform, onPlatform } from './installation.ts';
import { oneOfStates, reasonText } from './options.ts';
import { printDone, printItems, printResult } from './result.ts';
import { instant, printTable } from './table.ts';

export const approvalCommand = commandOf('approval', {
  list,
  show,
  approve: (args) => decide(args, approveChange, 'approved, and the change was made'),
  reject: (args) => decide(args, rejectChange, 'closed without the change'),
});

const text = { type: 'string' } as const;
const SHOWN_MAX = 200;

async function list(args: string[]): Promise<void> {
  const { values } = readArguments({
    args,
    options: { platform: text, status: { ...text, default: 'PROPOSED' } },
  });
  const { states } = approvalLifecycle;
  const status = values.status.split(',').map((word) => oneOfStates(word, '--status', states));
  await onPlatform(values.platform, async ({ db, platform: { platform_id: platformId } }) => {
    const approvals = (await listApprovals(db, platformId, status, SHOWN_MAX)).map(fieldsOf);
    const whenEmpty =
      'No change waits for a second operator. Overrides of decisions: `tradeline review list`.';
    printItems(values.json, approvals, rowOf, whenEmpty);
  });
}

async function show(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { platform: text },
  });
  const approvalId = idOf(positionals, 'show');
  await onPlatform(values.platform, async (on) => {
    const approval = await findApproval(on.db, on.platform.platform_id, approvalId);
    if (!approval) throw new StartRefused(`There is no approval ${approvalId}: see tradeline approval list.`);
    const person = await personOf(on, approval);
    printResult(values.json, { ...fieldsOf(approval), ...person }, () => {
      const facts = { ...factsOf(approval), ...person };
      for (const [name, value] of Object.entries(facts)) console.log(`${name.padEnd(9)}  ${value}`);
      console.log('');
      printTable(differences(approval), 'Nothing differs.');
    });
  });
}

/** The person that an approval would add, for operators who may decide about it. */
async function personOf(
  { db, vault, platform, settings: { operatorKey } }: OnPlatform,
  { kind, payload }: ApprovalRow,
): Promise<Record<string, string>> {
  if (kind !== operatorAddition.name) return {};
  const reader =
    operatorKey === null ? undefined : await findOperatorWithKey(db, platform.platform_id, operatorKey);
  const mayRead = reader?.disabled_at === null && operatorAddition.mayApprove(reader.role);
  return {
    address: mayRead
      ? emailOfAddition(vault, platform, payload as OperatorAddition)
      : 'shown to operators who may decide: set TRADELINE_OPERATOR_KEY',
  };
}

/** Without the payload, which can contain data that only the change may read. */
function fieldsOf({ platform_id: _platformId, payload: _payload, ...approval }: ApprovalRow) {
  return approval;
}

const rowOf = (approval: ReturnType<typeof fieldsOf>) => ({
  approval: approval.approval_id,
  status: approval.status,
  kind: approval.kind,
  subject: approval.subject,
  proposed: instant(approval.proposed_at),
  by: approval.proposed_by,
  reason: approval.reason,
});

function factsOf(approval: ApprovalRow): Record<string, string> {
  const { decided_at: decidedAt, decided_by: decidedBy, decision_reason: why } = approval;
  return {
    approval: approval.approval_id,
    status: approval.status,
    change: `${approval.kind} of ${approval.subject}`,
    proposed: `${instant(approval.proposed_at)} by ${approval.proposed_by}: ${approval.reason}`,
    ...(decidedAt !== null && { decided: `${instant(decidedAt)} by ${decidedBy}: ${why}` }),
    ...(approval.used_at !== null && { used: instant(approval.used_at) }),
  };
}

/** One row for each field that the change sets to another value. */
function differences({ before, after }: ApprovalRow): Record<string, string>[] {
  const [old, changed] = [before, after].map((side) => (side ?? {}) as Record<string, unknown>);
  const shown = (value: unknown) => (value === undefined || value === null ? '-' : JSON.stringify(value));
  return [...new Set([...Object.keys(old ?? {}), ...Object.keys(changed ?? {})])]
    .map((field) => ({ field, before: shown(old?.[field]), after: shown(changed?.[field]) }))
    .filter((row) => row.before !== row.after);
}

async function decide(
  args: string[],
  command: typeof approveChange | typeof rejectChange,
  ending: string,
): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { platform: text, reason: text },
  });
  const approvalId = idOf(positionals, command === approveChange ? 'approve' : 'reject');
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    const approval = await asOperator(on, { role: 'VIEW' }, async (context) => {
      const { approval: answer, audit } = await command(context, changeKinds, { approvalId, reason });
      return { answer, audit };
    });
    printDone(
      values.json,
      { approval_id: approvalId, subject: approval.subject },
      `Approval ${approvalId} (${approval.subject}): ${ending}.`,
    );
  });
}

function idOf([approvalId = '', ...more]: string[], verb: string): string {
  const isId = (word: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(word);
  if (!isId(approvalId) || more.length > 0)
    throw new WrongUsage(`Name one approval: tradeline approval ${verb} ID, from tradeline approval list.`);
  return approvalId;
}
