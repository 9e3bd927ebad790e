/** Outcome scripts of the sandbox that determine how a buyer pays. Each new invoice stores the script of its buyer. */
import { type BuyerRow, emailsOf, findContactsOfBuyer } from '#modules/buyers';
import { scriptOf } from '#modules/underwriting';
import type { Context } from '#operation/operation';

const PAYMENT_SCRIPTS = ['pays-late', 'never-pays', 'payout-fails'] as const;
export type PaymentScript = (typeof PAYMENT_SCRIPTS)[number];

/** The script named by the buyer's name, its own address, or the address of one of its contacts. Null outside a sandbox. */
export async function paymentScriptOf(
  { db, platformId, vault, isSandbox }: Context,
  buyer: BuyerRow,
): Promise<PaymentScript | null> {
  if (!isSandbox) return null;
  const contacts = await findContactsOfBuyer(db, { platformId, buyerExternalId: buyer.external_id });
  const script = scriptOf(buyer.external_id, emailsOf(vault, buyer, contacts));
  return PAYMENT_SCRIPTS.find((each) => each === script) ?? null;
}
