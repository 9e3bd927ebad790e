/** Identifies the operator who acts by the key, in the transaction of the change. */
import type { Db } from '#infra/database/database';
import { type ApiKeyText, secretMatches } from '#kernel/api-key';
import { StartRefused } from '#kernel/start-refused';
import type { PlatformRow } from '#modules/platforms';
import type { ChangeContext } from '#operation/operation';
import type { PlanContext } from './change-kind.ts';
import { lockOperator, type OperatorRow } from './operator.queries.ts';
import { mayAct, operatorIdOf, type Role } from './operator.rules.ts';

/** The context of an operator's change. */
export interface OperatorContext extends PlanContext {
  operator: OperatorRow;
}

/** The operator with this key, even a disabled one; undefined for an unknown key or a wrong secret. */
export async function findOperatorWithKey(
  db: Db,
  platformId: number,
  key: ApiKeyText,
): Promise<OperatorRow | undefined> {
  const operator = await lockOperator(db, platformId, { key_id: key.keyId });
  return operator && secretMatches(key.secret, operator.secret_sha256) ? operator : undefined;
}

/**
 * The operator with this key. The row stays locked, so that an operator cannot be disabled while the command changes
 * something. Throws StartRefused for a key of another platform, a disabled operator, and an insufficient role.
 */
export async function admitOperator(
  db: Db,
  { platform_id: platformId, code }: Pick<PlatformRow, 'platform_id' | 'code'>,
  key: ApiKeyText,
  role: Role,
): Promise<OperatorRow> {
  const operator = await findOperatorWithKey(db, platformId, key);
  if (!operator)
    throw new StartRefused(
      `The operator key is not valid for ${code}: it was replaced, or it belongs to another platform.`,
    );
  const { operator_id: id } = operator;
  if (operator.disabled_at !== null) throw new StartRefused(`The operator ${id} of ${code} is disabled.`);
  assertRole(operator, role);
  return operator;
}

/** Throws StartRefused for an operator without the role. */
export function assertRole({ operator_id: id, role }: OperatorRow, needed: Role): void {
  if (!mayAct(role, needed))
    throw new StartRefused(`The operator ${id} has the role ${role}, but this requires ${needed}.`);
}

/**
 * Asserts that the actor who proposed a change is still an active operator with the role, until the transaction ends.
 * Throws StartRefused.
 */
export async function assertActiveOperator(
  { db, platformId }: Pick<ChangeContext, 'db' | 'platformId'>,
  proposedBy: string,
  role: Role,
): Promise<void> {
  const id = operatorIdOf(proposedBy);
  const proposer = id === null ? undefined : await lockOperator(db, platformId, { operator_id: id });
  if (!proposer || proposer.disabled_at !== null || !mayAct(proposer.role, role))
    throw new StartRefused(
      `${proposedBy}, who proposed the change, is not an active operator with the role ${role}: reject the change.`,
    );
}
