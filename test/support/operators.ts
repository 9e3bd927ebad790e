/** Operators of a platform of a world, each with a key. */

import { inTransaction } from '#infra/database/transaction';
import { formatOperatorKey, hashSecret, operatorKeyHash, randomApiKey } from '#kernel/api-key';
import { type OperatorContext, operatorActor, operatorAdditionOf, type Role } from '#modules/operators';
import type { PlatformRow } from '#modules/platforms';
import { insertOperator, listOperators, lockOperator } from '../../src/modules/operators/operator.queries.ts';
import type { World } from './world.ts';

interface OperatorOptions {
  role?: Role;
  platform?: PlatformRow;
  /** The platform's time, by default that of the world. */
  now?: number;
}

const known = new WeakMap<World, Map<string, Promise<string>>>();

/** Adds the operator at the first call, and returns the key. */
export function ensureOperator(
  world: World,
  operatorId: string,
  { role = 'CREDIT', platform = world.platform }: OperatorOptions = {},
): Promise<string> {
  const keys = known.get(world) ?? new Map<string, Promise<string>>();
  known.set(world, keys);
  const name = `${platform.code}/${operatorId}`;
  const key = keys.get(name) ?? add(world, operatorId, role, platform);
  keys.set(name, key);
  return key;
}

async function add(world: World, operatorId: string, role: Role, platform: PlatformRow): Promise<string> {
  const { db, vault, settings } = world.installation;
  const stored = await listOperators(db, platform.platform_id);
  // The test has added this operator itself, and knows the key if it needs it.
  if (stored.some((each) => each.operator_id === operatorId)) return '';
  const key = randomApiKey(settings.environment);
  const person = {
    operatorId,
    role,
    email: `${operatorId}@operators.example`,
    keyHash: operatorKeyHash(key),
  };
  const { emailSealed, emailHash } = operatorAdditionOf(vault, platform, person, settings.environment);
  await insertOperator(db, {
    ...{ platform_id: platform.platform_id, operator_id: operatorId, role },
    ...{ key_id: key.keyId, secret_sha256: hashSecret(key.secret) },
    email_sealed: Buffer.from(emailSealed, 'base64'),
    email_hash: Buffer.from(emailHash, 'base64'),
    ...{ created_at: 0, created_by: 'installation' },
  });
  return formatOperatorKey(key);
}

/** Runs work as the operator, who is added if necessary, in a transaction. */
export async function actAs<Answer>(
  world: World,
  operatorId: string,
  work: (context: OperatorContext) => Promise<Answer>,
  options: OperatorOptions = {},
): Promise<Answer> {
  const { platform = world.platform, now = world.clock.now() } = options;
  await ensureOperator(world, operatorId, options);
  const platformId = platform.platform_id;
  return inTransaction(world.installation.db, async (db) => {
    const operator = await lockOperator(db, platformId, { operator_id: operatorId });
    if (!operator) throw new Error(`There is no operator ${operatorId}.`);
    const { vault } = world.installation;
    const actor = operatorActor(operatorId);
    const platformVault = vault.forPlatform(platform.code, platform.data_key_wrapped);
    return work({ db, platformId, actor, now, vault: platformVault, operator });
  });
}
