/** A change by an operator: the check of the key, the change and its audit entry in one transaction. */
import { inTransaction } from '#infra/database/transaction';
import { StartRefused } from '#kernel/start-refused';
import {
  type AuditRecord,
  admitOperator,
  auditKeyOf,
  listOperators,
  type OperatorContext,
  operatorActor,
  type Role,
  recordAudit,
} from '#modules/operators';
import { assertStays, nowOn, type OnPlatform } from './installation.ts';
import { refusalOf } from './run-as.ts';

/** The answer of a change to its command, and its audit entry; null if nothing was changed. */
export interface MadeChange<Answer> {
  answer: Answer;
  audit: AuditRecord | null;
}

/**
 * Makes a change as the operator whose key is set. Returns the answer. Throws StartRefused unless the key belongs to an active operator of
 * the platform with the role. Also throws while the platform moves to another database, unless the change `isOfRelocation`.
 */
export async function asOperator<Answer>(
  on: OnPlatform,
  { role, isOfRelocation = false }: { role: Role; isOfRelocation?: boolean },
  change: (context: OperatorContext) => Promise<MadeChange<Answer>>,
): Promise<Answer> {
  const { db, vault, platform } = on;
  const { operatorKey } = on.settings;
  if (!isOfRelocation) assertStays(platform);
  if (operatorKey === null) throw await withoutKey(on);
  return inTransaction(db, async (transaction) => {
    const operator = await admitOperator(transaction, platform, operatorKey, role);
    const context = {
      db: transaction,
      platformId: platform.platform_id,
      actor: operatorActor(operator.operator_id),
      now: nowOn(on),
      vault: vault.forPlatform(platform.code, platform.data_key_wrapped),
      operator,
    };
    const { answer, audit } = await change(context);
    if (audit) await recordAudit(context, auditKeyOf(vault, platform), audit);
    return answer;
  }).catch((error: unknown) => {
    throw refusalOf(error);
  });
}

async function withoutKey({ db, platform: { platform_id: platformId, code } }: OnPlatform) {
  const operators = await listOperators(db, platformId);
  return new StartRefused(
    operators.length === 0
      ? `${code} has no operator yet: add the first one with \`tradeline operator add\`.`
      : 'Set TRADELINE_OPERATOR_KEY to your operator key, or TRADELINE_OPERATOR_KEY_FILE to a file with it.',
  );
}
