/** Adding operators: the first one by the person who installs the service, the second by the first, others by two. */

import type { Vault } from '#infra/secrets/vault';
import { type Environment, parseOperatorKeyHash } from '#kernel/api-key';
import { isEmail } from '#kernel/email';
import { StartRefused } from '#kernel/start-refused';
import { lockPlatform, type PlatformRow } from '#modules/platforms';
import type { ChangeContext } from '#operation/operation';
import { recordAudit } from './audit.ts';
import type { ChangeKind } from './change-kind.ts';
import { insertOperator, listOperators, type NewOperator } from './operator.queries.ts';
import { emailHashOf, isOperatorId, mayDecide, ROLES, type Role } from './operator.rules.ts';

/** A person to be added, with the hash of the key that the person made. */
export interface NewOperatorRequest {
  operatorId: string;
  email: string;
  role: string;
  /** The hash in the format of `operatorKeyHash`. */
  keyHash: string;
}

/** An operator to be added, as an approval stores it. The address is encrypted, in base64. */
export interface OperatorAddition {
  operatorId: string;
  role: Role;
  keyHash: string;
  emailSealed: string;
  emailHash: string;
}

const HASH_KEY_BYTES = 32;

/** Validates a request and encrypts its address. Throws StartRefused. */
export function operatorAdditionOf(
  vault: Vault,
  { code, data_key_wrapped: dataKey }: PlatformRow,
  { operatorId, email, role, keyHash }: NewOperatorRequest,
  environment: Environment,
): OperatorAddition {
  if (!isOperatorId(operatorId))
    throw new StartRefused(
      'The id of an operator has lower-case letters, digits, dots and hyphens, at most 50.',
    );
  const known = ROLES.find((each) => each === role);
  if (!known) throw new StartRefused(`--role must be one of ${ROLES.join(', ')}.`);
  if (!isEmail(email)) throw new StartRefused('--email must be an e-mail address.');
  if (parseOperatorKeyHash(keyHash)?.environment !== environment)
    throw new StartRefused(
      `--key-hash must be the hash of a ${environment} key, as \`tradeline operator new-key\` prints it.`,
    );
  const hashKey = vault.derive(`operator-email/${code}`, HASH_KEY_BYTES);
  const sealed = vault.forPlatform(code, dataKey).seal(boundTo(operatorId), email);
  return {
    operatorId,
    role: known,
    keyHash,
    emailSealed: sealed.toString('base64'),
    emailHash: emailHashOf(hashKey, email).toString('base64'),
  };
}

const boundTo = (operatorId: string) => `operators/${operatorId}`;

/** The address of the person whom an approval would add. */
export function emailOfAddition(
  vault: Vault,
  { code, data_key_wrapped: dataKey }: PlatformRow,
  { operatorId, emailSealed }: OperatorAddition,
): string {
  return vault.forPlatform(code, dataKey).open(boundTo(operatorId), Buffer.from(emailSealed, 'base64'));
}

/** The actor of changes before a platform has an operator: its creation, and the addition of the first one. */
export const INSTALLATION = 'installation';

/**
 * Adds the first operator of a platform, who must be an ADMIN, and records it. Returns false if the platform already has an
 * operator, even a disabled one.
 */
export async function addFirstOperator(
  where: Omit<ChangeContext, 'actor'>,
  auditKey: Uint8Array,
  addition: OperatorAddition,
  reason: string,
): Promise<boolean> {
  const context = { ...where, actor: INSTALLATION };
  const { db, platformId } = context;
  await lockPlatform(db, platformId);
  if ((await listOperators(db, platformId)).length > 0) return false;
  const { operatorId, role } = addition;
  if (role !== 'ADMIN') throw new StartRefused('The first operator of a platform must have the role ADMIN.');
  await insertOperator(db, { ...rowOf(context, addition), created_by: INSTALLATION });
  await recordAudit(context, auditKey, {
    action: 'OPERATOR_CHANGED',
    subject: `operator ${operatorId}`,
    reason,
    details: { before: null, after: afterOf(addition) },
  });
  return true;
}

/**
 * The addition of an operator. Takes two as soon as the platform has had two operators who can decide. Disabled ones count,
 * because otherwise one operator could disable the other and invent a person.
 */
export const operatorAddition: ChangeKind<OperatorAddition> = {
  name: 'OPERATOR',
  role: 'ADMIN',
  mayApprove: mayDecide,
  async plan(context, addition) {
    const { db, platformId } = context;
    await lockPlatform(db, platformId);
    const operators = await listOperators(db, platformId);
    if (operators.some((each) => each.operator_id === addition.operatorId))
      throw new StartRefused(
        `An operator ${addition.operatorId} already exists: an id cannot be used twice.`,
      );
    const hash = Buffer.from(addition.emailHash, 'base64');
    const same = operators.find((each) => each.disabled_at === null && each.email_hash.equals(hash));
    if (same)
      throw new StartRefused(
        `The e-mail address belongs to the operator ${same.operator_id}: a person can be only one operator.`,
      );
    const { keyId, secretHash } = keyOf(addition);
    const holder = operators.find((each) => each.key_id === keyId || each.secret_sha256.equals(secretHash));
    if (holder)
      throw new StartRefused(
        `The key belongs to the operator ${holder.operator_id}: each person needs a separate key.`,
      );
    return {
      subject: `operator ${addition.operatorId}`,
      before: null,
      after: afterOf(addition),
      takesTwo: operators.filter((each) => mayDecide(each.role)).length > 1,
      apply: ({ actor, approvedBy }) =>
        insertOperator(db, {
          ...rowOf(context, addition),
          created_by: actor,
          approved_by: approvedBy,
        }),
    };
  },
};

/** What approvals and the log show. The approver compares the hash with the one that the new operator has. */
const afterOf = ({ role, keyHash }: OperatorAddition) => ({ role, key_hash: keyHash });

function keyOf({ keyHash }: OperatorAddition) {
  const key = parseOperatorKeyHash(keyHash);
  if (!key) throw new Error(`${keyHash} is not the hash of an operator's key.`);
  return key;
}

function rowOf(
  { platformId, now }: Pick<ChangeContext, 'platformId' | 'now'>,
  addition: OperatorAddition,
): Omit<NewOperator, 'created_by'> {
  const { operatorId, role, emailSealed, emailHash } = addition;
  const { keyId, secretHash } = keyOf(addition);
  return {
    platform_id: platformId,
    operator_id: operatorId,
    role,
    key_id: keyId,
    secret_sha256: secretHash,
    email_sealed: Buffer.from(emailSealed, 'base64'),
    email_hash: Buffer.from(emailHash, 'base64'),
    created_at: now,
  };
}
