/** What looks at invoices and mailings happen with. */
import type { Db } from '#infra/database/database';
import type { PlatformVault, Vault } from '#infra/secrets/vault';
import { findPlatform, type PlatformRow } from '#modules/platforms';

/** What reminders need besides the database. */
export interface DunningDeps {
  vault: Pick<Vault, 'forPlatform'>;
  /** Where buyers reach the service, for the link in mails; empty if that is not known. */
  baseUrl(): string;
  isSandbox: boolean;
}

export interface LookContext {
  /** The transaction. */
  db: Db;
  platform: PlatformRow;
  deps: DunningDeps;
  vault: PlatformVault;
  /** Who takes the steps: `service`, or the operator who prints them. */
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
