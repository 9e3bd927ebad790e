/** The context of looks at invoices and mailings. */
import type { Db } from '#infra/database/database';
import type { PlatformVault, Vault } from '#infra/secrets/vault';
import type { GiveWay } from '#infra/time/give-way';
import { findPlatform, type PlatformRow } from '#modules/platforms';

/** What reminders need in addition to the database. */
export interface DunningDeps {
  vault: Pick<Vault, 'forPlatform'>;
  /** The address at which buyers reach the service, for the link in mails; empty if unknown. */
  baseUrl(): string;
  isSandbox: boolean;
  /** Only in the worker: elsewhere, mails are composed for one request. */
  giveWay?: GiveWay;
}

export interface LookContext {
  /** The transaction. */
  db: Db;
  platform: PlatformRow;
  deps: DunningDeps;
  vault: PlatformVault;
  /** The actor who takes the steps: `service`, or the operator who prints them. */
  actor: string;
  /** Unix seconds. */
  now: number;
}

export async function lookContextOf(
  db: Db,
  platformId: number,
  deps: DunningDeps,
  now: number,
): Promise<LookContext> {
  const platform = (await findPlatform(db, platformId)) as PlatformRow;
  const vault = deps.vault.forPlatform(platform.code, platform.data_key_wrapped);
  return { db, platform, deps, vault, actor: 'service', now };
}
