/** The context that a command passes to the operations that it runs. */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import { createFileStore } from '#infra/files/file-store';
import type { Vault } from '#infra/secrets/vault';
import { systemClock } from '#infra/time/clock';
import { createPlatformClocks } from '#infra/time/platform-clocks';
import { SCOPES } from '#kernel/api-key';
import type { PlatformRow } from '#modules/platforms';
import { localRiskSource } from '#modules/underwriting';
import type { Context } from '#operation/operation';

/** The actor, the platform and the instant of a change. */
export interface ActorOptions {
  platform: PlatformRow;
  /** As history and ledger record it: `operator:anna`. */
  actor: string;
  /** Unix seconds. */
  now: number;
  /** The base URL of the service. Without it, links to the service are paths. */
  baseUrl?: string;
}

/** The context of an operator, who has every scope. No external system is called. */
export function contextOf(
  { db, vault }: { db: Db; vault: Vault },
  { platform, actor, now, baseUrl = '' }: ActorOptions,
): Context {
  const platformVault = vault.forPlatform(platform.code, platform.data_key_wrapped);
  return {
    db,
    platformId: platform.platform_id,
    caller: {
      platformId: platform.platform_id,
      platformCode: platform.code,
      timeZone: platform.time_zone,
      keyId: actor,
      scopes: new Set(SCOPES),
      merchantExternalId: null,
      vault: platformVault,
    },
    actor,
    now,
    timeZone: platform.time_zone,
    clocks: createPlatformClocks({ now: () => now }, false),
    vault: platformVault,
    files: createFileStore(null),
    outbound: { vet: async () => {} },
    registries: { lookUp: async () => false },
    risk: { source: localRiskSource, onFailure: 'refer', elapsedMs: systemClock.elapsedMs },
    isSandbox: false,
    baseUrl,
    stopping: new AbortController().signal,
    assertVersion: () => {},
  };
}

/** Runs the command in the transaction of the context, or in a new one. */
export function inTransactionOf<Result>(
  context: Context,
  command: (within: Context) => Promise<Result>,
): Promise<Result> {
  return context.db.isTransaction
    ? command(context)
    : inTransaction(context.db, (db) => command({ ...context, db }));
}
