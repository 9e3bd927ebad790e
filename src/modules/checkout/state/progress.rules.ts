import type { PlatformVault } from '#infra/secrets/vault';
import type { PaymentTerm } from '#kernel/payment-term';
import type { CheckoutRow } from './checkout.queries.ts';
import type { CompanyEntry, DeliveryEntry, PersonEntry } from './checkout.view.ts';

/** What was entered so far. It concerns persons: sealed as one piece. */
export interface Progress {
  /** The hash of the session that entered it last. Others see it only after the code. */
  enteredBy: string;
  company: CompanyEntry | null;
  /** The company on file is the one that was entered here. */
  isBuyerCompleted: boolean;
  person: PersonEntry | null;
  delivery: DeliveryEntry | null;
  choice: PaymentChoice | null;
}

export interface PaymentChoice {
  term: PaymentTerm;
  /** What the page said that it costs, minor units: the buyer never pays more than that. */
  feeGrossMinor: number;
}

export const NO_ENTRIES: Omit<Progress, 'enteredBy'> = {
  company: null,
  isBuyerCompleted: false,
  person: null,
  delivery: null,
  choice: null,
};

const placeOf = (orderExternalId: string) => `checkouts/${orderExternalId}`;

export function sealProgress(vault: PlatformVault, orderExternalId: string, progress: Progress): Buffer {
  return vault.seal(placeOf(orderExternalId), JSON.stringify(progress));
}

export function openProgress(vault: PlatformVault, row: CheckoutRow | null): Progress | null {
  if (!row?.progress_sealed) return null;
  return JSON.parse(vault.open(placeOf(row.order_external_id), row.progress_sealed));
}
