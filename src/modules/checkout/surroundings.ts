import type { Clock } from '#infra/clock';
import type { Db } from '#infra/database';
import type { PlatformClocks } from '#infra/platform-clocks';
import type { Vault } from '#infra/vault';
import type { CompanyRegisters } from '#kernel/company-registers';
import type { Risk } from '#kernel/risk-source';

/** What the forms work on. */
export interface CheckoutSurroundings {
  /** The database itself, no transaction. */
  db: Db;
  vault: Vault;
  clock: Pick<Clock, 'elapsedMs'>;
  clocks: PlatformClocks;
  registers: CompanyRegisters;
  risk: Risk;
  isSandbox: boolean;
  /** Called after each commit by which something may have become due: events, mails. */
  onCommitted(): void;
  /** Where the service is reached, for the logo in mails; null: not known, and it is left out. */
  baseUrl(): string | null;
}
