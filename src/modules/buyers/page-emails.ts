import type { PlatformVault } from '#infra/secrets/vault';
import type { BuyerRow } from './buyer.queries.ts';
import { buyerOnFileOf } from './buyer-on-file.ts';
import { openBuyerEmail } from './company.conversions.ts';
import { type ContactRow, toContact } from './contact.queries.ts';

/**
 * The addresses whose owners may see all that the buyer owes, the buyer's own first. If the platform named the company, they
 * are the addresses that the platform gave for it; if it named itself in a checkout, also those of its checkouts. Addresses
 * from a merchant do not count, because the page shows what is owed to other merchants too.
 */
export function pageEmailsOf(vault: PlatformVault, buyer: BuyerRow, contacts: ContactRow[]): string[] {
  const { isCompanyFromPlatform, companyEmails } = buyerOnFileOf(vault, buyer, contacts);
  if (isCompanyFromPlatform) return distinct(companyEmails);
  const own = buyer.is_email_from_merchant ? null : openBuyerEmail(vault, buyer);
  const ofContacts = contacts
    .filter((contact) => !contact.is_email_from_merchant)
    .map((contact) => toContact(contact, vault).email);
  return distinct([own, ...ofContacts].filter((email) => email !== null));
}

function distinct(emails: string[]): string[] {
  return [...new Map(emails.map((email) => [email.toLowerCase(), email])).values()];
}
