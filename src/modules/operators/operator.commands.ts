/** Changes of operators by operators, apart from adding them. Each command runs in the caller's transaction. */
import { type ApiKeyText, hashSecret } from '#kernel/api-key';
import { StartRefused } from '#kernel/start-refused';
import { lockPlatform } from '#modules/platforms';
import type { OperatorContext } from './admit-operator.ts';
import { listOperators, updateOperator } from './operator.queries.ts';

/**
 * Disables an operator, immediately and permanently. Throws StartRefused for an unknown or disabled operator, and for the
 * last active ADMIN, without whom operators could no longer be added.
 */
export async function disableOperator(context: OperatorContext, operatorId: string): Promise<void> {
  const { db, platformId, actor, now } = context;
  await lockPlatform(db, platformId);
  const operators = await listOperators(db, platformId);
  const operator = operators.find((each) => each.operator_id === operatorId);
  if (!operator) throw new StartRefused(`There is no operator ${operatorId}: see tradeline operator list.`);
  if (operator.disabled_at !== null)
    throw new StartRefused(`The operator ${operatorId} is already disabled.`);
  const admins = operators.filter(({ role, disabled_at: at }) => role === 'ADMIN' && at === null);
  if (admins.length === 1 && admins[0] === operator)
    throw new StartRefused(`${operatorId} is the last active ADMIN: add another one first.`);
  await updateOperator(db, operator, { disabled_at: now, disabled_by: actor });
}

/** Replaces the operator's own key. The old one stops working immediately. */
export async function replaceOwnKey({ db, operator }: OperatorContext, key: ApiKeyText): Promise<void> {
  await updateOperator(db, operator, {
    key_id: key.keyId,
    secret_sha256: hashSecret(key.secret),
  });
}
