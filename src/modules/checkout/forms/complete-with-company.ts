/** Completes an invited buyer with the company that was entered. From then on, the checkout can no longer change it. */
import type { Db } from '#infra/database/database';
import { type BuyerRow, completeInvitedBuyer } from '#modules/buyers';
import { followCompanyChosen } from '#modules/registry';
import type { CompanyEntry } from '../state/checkout.view.ts';
import { buyerInputOf, entryOfRegistered } from '../state/company-entry.ts';
import type { Snapshot } from '../state/snapshot.ts';
import { readCompanyEntry } from './entry.rules.ts';

/** Throws INVALID_STATUS_TRANSITION if the platform has since completed the buyer. Runs in a transaction. */
export async function completeWithCompany(
  db: Db,
  snapshot: Snapshot,
  company: CompanyEntry,
): Promise<BuyerRow> {
  const { key, vault, now, order } = snapshot;
  const context = { db, platformId: key.platformId, vault, now };
  const { businessId, ...typed } = company;
  // If the registry has removed the company, the buyer gets what the form showed.
  const chosen = businessId === null ? undefined : await followCompanyChosen(db, businessId);
  const registered = chosen ? entryOfRegistered(chosen) : null;
  const known = registered && readCompanyEntry(registered, registered).entry;
  return completeInvitedBuyer(context, order.buyer_external_id, buyerInputOf(typed, known), chosen);
}
