import type { Db } from '#infra/database/database';
import type { Vault } from '#infra/secrets/vault';
import type { Clock } from '#infra/time/clock';
import type { PlatformClocks } from '#infra/time/platform-clocks';
import type { CompanyRegistries } from '#kernel/company-registries';
import type { Risk } from '#kernel/risk-source';

/** What the forms depend on. */
export interface CheckoutDeps {
  /** The database, not a transaction. */
  db: Db;
  vault: Vault;
  clock: Pick<Clock, 'elapsedMs'>;
  clocks: PlatformClocks;
  registries: CompanyRegistries;
  risk: Risk;
  isSandbox: boolean;
  /** Codes, and applications for credit, per hour for one company; 0 for no limit. */
  companyApplicationsPerHour: number;
  /** Called after each commit that may have made events or mails due. */
  onCommitted(): void;
  /** The address of the service, for the logo in mails; null if unknown: mails then have no logo. */
  baseUrl(): string | null;
}
