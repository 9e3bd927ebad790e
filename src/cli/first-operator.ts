/** The first operator of a sandbox, whose key every start shows. In production the first operator is added by command. */
import { inTransaction } from '#infra/database/transaction';
import { type ApiKeyText, deriveApiKey, formatOperatorKey, operatorKeyHash } from '#kernel/api-key';
import { addFirstOperator, auditKeyOf, findOperatorWithKey, operatorAdditionOf } from '#modules/operators';
import { findFirstPlatform } from '#modules/platforms';
import type { Installation } from '../installation.ts';

const FIRST = { operatorId: 'ada', email: 'ada@operators.example', role: 'ADMIN' };

/** Adds an ADMIN to the first platform of a sandbox, unless the platform has an operator. */
export async function ensureFirstOperator(installation: Installation): Promise<void> {
  const { settings, db, vault, clock } = installation;
  if (settings.environment === 'production') return;
  const platform = await findFirstPlatform(db);
  if (!platform) return;
  const keyHash = operatorKeyHash(sandboxKey(installation));
  const addition = operatorAdditionOf(vault, platform, { ...FIRST, keyHash }, settings.environment);
  const now = clock.now() + platform.clock_ahead_seconds;
  await inTransaction(db, (transaction) =>
    addFirstOperator(
      { db: transaction, platformId: platform.platform_id, now },
      auditKeyOf(vault, platform),
      addition,
      'The first start of the sandbox.',
    ),
  );
}

/** The key of the sandbox's first operator, if it works; null in production. */
export async function findShownOperatorKey(installation: Installation): Promise<string | null> {
  const { settings, db } = installation;
  if (settings.environment === 'production') return null;
  const platform = await findFirstPlatform(db);
  const key = sandboxKey(installation);
  const operator = platform && (await findOperatorWithKey(db, platform.platform_id, key));
  return operator?.disabled_at === null ? formatOperatorKey(key) : null;
}

/** Derived from the master key, so that every start can show it although only its hash is stored. */
function sandboxKey({ settings, vault }: Installation): ApiKeyText {
  return deriveApiKey(settings.environment, vault.derive('sandbox-operator-key', 128));
}
