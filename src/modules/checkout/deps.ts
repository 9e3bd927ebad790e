import type { Db } from '#infra/database/database';
import type { Vault } from '#infra/secrets/vault';
import type { Clock } from '#infra/time/clock';
import type { PlatformClocks } from '#infra/time/platform-clocks';
import type { CompanyRegistries } from '#kernel/company-registries';
import type { Risk } from '#kernel/risk-source';

/** What the forms work on. */
export interface CheckoutDeps {
  /** The database itself, no transaction. */
  db: Db;
  vault: Vault;
  clock: Pick<Clock, 'elapsedMs'>;
  clocks: PlatformClocks;
  registries: CompanyRegistries;
  risk: Risk;
  isSandbox: boolean;
  /** Called after each commit by which something may have become due: events, mails. */
  onCommitted(): void;
  /** Where the service is reached, for the logo in mails; null: not known, and it is left out. */
  baseUrl(): string | null;
}
