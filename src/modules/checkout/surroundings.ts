import type { Clock } from '#infra/clock';
import type { Db } from '#infra/database';
import type { PlatformClocks } from '#infra/platform-clocks';
import type { Vault } from '#infra/vault';
import type { CompanyRegisters } from '#kernel/company-registers';
import type { Formality, Language } from '#kernel/language';
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
  /** Queues the mail with a one-time code, in the transaction that writes the code. */
  mailCode(db: Db, mail: CodeMail): Promise<void>;
}

export interface CodeMail {
  platformId: number;
  /** Never the same for two codes. */
  cause: string;
  to: string;
  language: Language;
  formality: Formality;
  values: { code: string; number: string; minutes: number };
  /** Unix seconds, by the platform's clock. */
  now: number;
}
