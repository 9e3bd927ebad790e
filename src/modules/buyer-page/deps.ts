import type { FileStore } from '#infra/files/file-store';
import type { Vault } from '#infra/secrets/vault';
import type { Clock } from '#infra/time/clock';
import type { Context } from '#operation/operation';

/** What the buyer's page depends on. */
export interface BuyerPageDeps
  extends Pick<Context, 'db' | 'clocks' | 'outbound' | 'registries' | 'risk' | 'isSandbox' | 'stopping'> {
  vault: Vault;
  files: FileStore;
  clock: Pick<Clock, 'elapsedMs'>;
  /** Codes per hour for one mailbox follow from it; 0 for no limit. */
  companyApplicationsPerHour: number;
  /** Called after each commit that may have made events or mails due. */
  onCommitted(): void;
  /** The address of the service, for the logo in mails; null if unknown: mails then have no logo. */
  baseUrl(): string | null;
}
