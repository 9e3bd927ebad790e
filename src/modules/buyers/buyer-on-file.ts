/** What is on file of a buyer, for whoever writes to it or asks it for what is missing. */
import type { Db } from '#infra/database/database';
import type { PlatformVault } from '#infra/secrets/vault';
import type { Address } from '#kernel/address';
import type { Formality, Language } from '#kernel/language';
import { type BuyerKey, type BuyerRow, findBuyer, type KnownBuyer } from './buyer.queries.ts';
import { isKnown } from './buyer.rules.ts';
import { openBuyerEmail } from './company.conversions.ts';
import { type ContactRow, findContactsOfBuyers, toContact } from './contact.queries.ts';
import type { Contact } from './contact.schemas.ts';

export interface BuyerOnFile {
  /** Null where the buyer is only invited. */
  company: KnownBuyer | null;
  /** Where one may write to; null where nobody has said. */
  email: string | null;
  /** Whose address that is. */
  person: Contact | null;
  deliveryAddress: Address | null;
  language: Language | null;
  formality: Formality | null;
}

/**
 * Undefined for an unknown buyer. The address is the one that is given (an order may have one of its own), else the buyer's
 * own, else that of a contact: of those who get all invoices before the others, and the oldest first.
 */
export async function findBuyerOnFile(
  db: Db,
  vault: PlatformVault,
  key: BuyerKey,
  preferredEmail: string | null = null,
): Promise<BuyerOnFile | undefined> {
  const [buyer, rows] = await Promise.all([
    findBuyer(db, key),
    findContactsOfBuyers(db, key.platformId, [key.externalId]),
  ]);
  return buyer && buyerOnFileOf(vault, buyer, rows, preferredEmail);
}

/** The same of rows that were read already. */
export function buyerOnFileOf(
  vault: PlatformVault,
  buyer: BuyerRow,
  rows: ContactRow[],
  preferredEmail: string | null = null,
): BuyerOnFile {
  const contacts = rows.map((row) => toContact(row, vault)).sort(byImportance);
  const ofContact = contacts.find((contact) => contact.email !== null)?.email ?? null;
  const email = preferredEmail ?? openBuyerEmail(vault, buyer) ?? ofContact;
  return {
    company: isKnown(buyer) ? buyer : null,
    email,
    person: contacts.find((contact) => isSameEmail(contact.email, email)) ?? null,
    deliveryAddress: buyer.delivery_address,
    language: buyer.language,
    formality: buyer.formality,
  };
}

function byImportance(one: Contact, other: Contact): number {
  return (
    Number(other.assign_to_all_invoices) - Number(one.assign_to_all_invoices) ||
    one.created_at - other.created_at ||
    (one.external_id < other.external_id ? -1 : 1)
  );
}

/** Case says nothing: no provider tells two addresses apart by it. */
export function isSameEmail(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one.toLowerCase() === other.toLowerCase();
}

/** The addresses to which one may write at a buyer, in clear. */
export function emailsOf(vault: PlatformVault, buyer: BuyerRow, contacts: ContactRow[]): string[] {
  const own = openBuyerEmail(vault, buyer);
  return [own, ...contacts.map((contact) => toContact(contact, vault).email)].filter(
    (email) => email != null,
  );
}
