/** Outcome scripts of the sandbox that say how a buyer pays: stored with each of its invoices when that is created. */
import { type BuyerRow, emailsOf, findContactsOfBuyer } from '#modules/buyers';
import { scriptOf } from '#modules/underwriting';
import type { Context } from '#operation/operation';

const PAYMENT_SCRIPTS = ['pays-late', 'never-pays', 'payout-fails'] as const;
export type PaymentScript = (typeof PAYMENT_SCRIPTS)[number];

/** The script by the name of the buyer, its own address, or that of one of its contacts. Null outside a sandbox. */
export async function paymentScriptOf(
  { db, platformId, vault, isSandbox }: Context,
  buyer: BuyerRow,
): Promise<PaymentScript | null> {
  if (!isSandbox) return null;
  const contacts = await findContactsOfBuyer(db, { platformId, buyerExternalId: buyer.external_id });
  const script = scriptOf(buyer.external_id, emailsOf(vault, buyer, contacts));
  return PAYMENT_SCRIPTS.find((each) => each === script) ?? null;
}
