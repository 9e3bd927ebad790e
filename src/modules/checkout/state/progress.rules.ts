/** What a buyer has entered, as it is stored. */
import type { PlatformVault } from '#infra/secrets/vault';
import type { PaymentTerm } from '#kernel/payment-term';
import type { CheckoutRow } from './checkout.queries.ts';
import type { CompanyEntry, DeliveryEntry, InvoiceEntry, PersonEntry } from './checkout.view.ts';

/** Personal data: stored sealed, as one value. */
export interface Progress {
  /** The hash of the session that entered it last. Other sessions see it only after the code. */
  enteredBy: string;
  company: CompanyEntry | null;
  /** The company on file is the one that the buyer entered here. */
  isBuyerCompleted: boolean;
  person: PersonEntry | null;
  delivery: DeliveryEntry | null;
  invoice: InvoiceEntry | null;
  choice: PaymentChoice | null;
}

export interface PaymentChoice {
  term: PaymentTerm;
  /** The fee that the page showed, minor units. The buyer never pays more. */
  feeGrossMinor: number;
}

export const NO_ENTRIES: Omit<Progress, 'enteredBy'> = {
  company: null,
  isBuyerCompleted: false,
  person: null,
  delivery: null,
  invoice: null,
  choice: null,
};

const vaultPathOf = (orderExternalId: string) => `checkouts/${orderExternalId}`;

export function sealProgress(vault: PlatformVault, orderExternalId: string, progress: Progress): Buffer {
  return vault.seal(vaultPathOf(orderExternalId), JSON.stringify(progress));
}

export function openProgress(vault: PlatformVault, row: CheckoutRow | null): Progress | null {
  if (!row?.progress_sealed) return null;
  // Progress stored by an earlier version lacks fields that were added later.
  return {
    ...NO_ENTRIES,
    ...JSON.parse(vault.open(vaultPathOf(row.order_external_id), row.progress_sealed)),
  };
}
