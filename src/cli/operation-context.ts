/** Operations called by commands, as the API calls them: prepared outside, then in one transaction where they need one. */
import type { TSchema } from 'typebox';
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import type { Vault } from '#infra/secrets/vault';
import { createPlatformClocks } from '#infra/time/platform-clocks';
import { SCOPES } from '#kernel/api-key';
import type { PlatformRow } from '#modules/platforms';
import { localRiskSource } from '#modules/underwriting';
import type { Context, Operation } from '#operation/operation';

/** Who acts on which platform, and when. */
export interface OperatorContext {
  platform: PlatformRow;
  /** As it is written down: `operator:anna`. */
  actor: string;
  /** Unix seconds. */
  now: number;
  /** Where the service is reached; left out, links to it are paths. */
  baseUrl?: string;
}

/** What a command hands to an operation. Nobody outside is asked. */
export function contextOf(
  { db, vault }: { db: Db; vault: Vault },
  { platform, actor, now, baseUrl = '' }: OperatorContext,
): Context {
  const platformVault = vault.forPlatform(platform.code, platform.data_key_wrapped);
  return {
    db,
    platformId: platform.platform_id,
    caller: {
      platformId: platform.platform_id,
      platformCode: platform.code,
      keyId: actor,
      scopes: new Set(SCOPES),
      merchantExternalId: null,
      vault: platformVault,
    },
    actor,
    now,
    clocks: createPlatformClocks({ now: () => now }, false),
    vault: platformVault,
    outbound: { vet: async () => {} },
    registries: { lookUp: async () => false },
    risk: { source: localRiskSource, onFailure: 'refer' },
    isSandbox: false,
    baseUrl,
    assertVersion: () => {},
  };
}

export interface Input {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** Answers the operation's body; throws what it refuses. The input is not validated: what came from a person is before. */
export async function runOperation<R extends TSchema>(
  // biome-ignore lint/suspicious/noExplicitAny: what it takes is the caller's to know, who has its schemas at hand.
  operation: Pick<Operation<any, any, any, R, any>, 'effect' | 'prepare' | 'run'>,
  context: Context,
  { params = {}, query = {}, body }: Input,
) {
  const input = { params, query, body } as never;
  const prepared = await operation.prepare?.(context, input);
  const run = (db: Db) => operation.run({ ...context, db }, input, prepared);
  // The caller may have opened the transaction that all of its operations share.
  const needsOwn = operation.effect === 'transaction' && !context.db.isTransaction;
  const outcome = await (needsOwn ? inTransaction(context.db, run) : run(context.db));
  return outcome.body;
}
