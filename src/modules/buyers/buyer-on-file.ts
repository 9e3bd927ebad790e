/** The company, person and addresses stored for a buyer: for mails and for the checkout. */
import type { Db } from '#infra/database/database';
import type { PlatformVault } from '#infra/secrets/vault';
import type { Address } from '#kernel/address';
import { type BuyerKey, type BuyerRow, findBuyer, type KnownBuyer } from './buyer.queries.ts';
import { isKnown } from './buyer.rules.ts';
import { type BuyerPreferences, preferencesOf } from './buyer-locale.rules.ts';
import { openBuyerEmail } from './company.conversions.ts';
import { type ContactRow, findContactsOfBuyer, toContact } from './contact.queries.ts';
import type { Contact } from './contact.schemas.ts';

export interface BuyerOnFile extends BuyerPreferences {
  /** Null while the buyer is only invited. */
  company: KnownBuyer | null;
  /** The address to write to; null if none is known. */
  email: string | null;
  /** False if the buyer itself named its company in a checkout, or still has to. */
  isCompanyFromPlatform: boolean;
  /**
   * The addresses that the platform gave for the company: those of the order, the buyer and its contacts. Empty if the company
   * is not from the platform. Excludes addresses from before the last change of name or numbers, which were for another company.
   */
  companyEmails: string[];
  /** The contact with the address `email`, else the first one with a name and its own address. */
  person: Contact | null;
  deliveryAddress: Address | null;
}

/** An address that the platform gave. */
interface GivenEmail {
  email: string | null;
  /** Unix seconds. */
  givenAt: number;
  /** Whether a key that is restricted to a merchant gave it. */
  isFromMerchant: boolean;
}

/**
 * Finds what is stored for a buyer; undefined for an unknown one. The e-mail address is the order's, else the buyer's, else a
 * contact's: contacts assigned to all invoices first, then the oldest.
 */
export async function findBuyerOnFile(
  db: Db,
  vault: PlatformVault,
  key: BuyerKey,
  ofOrder?: GivenEmail,
): Promise<BuyerOnFile | undefined> {
  const [buyer, rows] = await Promise.all([
    findBuyer(db, key),
    findContactsOfBuyer(db, { platformId: key.platformId, buyerExternalId: key.externalId }),
  ]);
  return buyer && buyerOnFileOf(vault, buyer, rows, ofOrder);
}

/** Like `findBuyerOnFile`, but from rows that were already read. */
export function buyerOnFileOf(
  vault: PlatformVault,
  buyer: BuyerRow,
  rows: ContactRow[],
  ofOrder?: GivenEmail,
): BuyerOnFile {
  const contacts = rows.map((row) => toContact(row, vault)).sort(byImportance);
  const ofContact = contacts.find((contact) => contact.email !== null)?.email ?? null;
  const isCompanyFromPlatform = isKnown(buyer) && !buyer.is_company_entered;
  const email = ofOrder?.email ?? openBuyerEmail(vault, buyer) ?? ofContact;
  return {
    company: isKnown(buyer) ? buyer : null,
    email,
    isCompanyFromPlatform,
    companyEmails: isCompanyFromPlatform ? emailsForCompany(vault, buyer, rows, ofOrder) : [],
    person: contacts.find((contact) => isSameEmail(contact.email, email)) ?? contacts.find(isPerson) ?? null,
    deliveryAddress: buyer.delivery_address,
    ...preferencesOf(buyer),
  };
}

/** The addresses that the platform gave since it named the company as it is now. */
function emailsForCompany(
  vault: PlatformVault,
  buyer: BuyerRow,
  rows: ContactRow[],
  ofOrder: GivenEmail | undefined,
): string[] {
  const { identity_changed_at: namedAt } = buyer;
  const given: GivenEmail[] = [
    ...(ofOrder ? [ofOrder] : []),
    {
      email: openBuyerEmail(vault, buyer),
      givenAt: buyer.contact_email_changed_at ?? buyer.created_at,
      isFromMerchant: buyer.is_email_from_merchant,
    },
    ...rows
      .filter((row) => !row.is_from_checkout)
      .map((row) => ({
        email: toContact(row, vault).email,
        givenAt: row.email_changed_at ?? row.created_at,
        isFromMerchant: row.is_email_from_merchant,
      })),
  ];
  return given.flatMap(({ email, givenAt, isFromMerchant }) =>
    email !== null && !isFromMerchant && (namedAt === null || givenAt > namedAt) ? [email] : [],
  );
}

function byImportance(one: Contact, other: Contact): number {
  return (
    Number(other.assign_to_all_invoices) - Number(one.assign_to_all_invoices) ||
    one.created_at - other.created_at ||
    (one.external_id < other.external_id ? -1 : 1)
  );
}

/** Contacts can also be departments, or have a phone only. */
function isPerson({ first_name, last_name, email }: Contact): boolean {
  return [first_name, last_name, email].every((value) => value !== null && value !== '');
}

/** Ignores case: no provider distinguishes two addresses by it. */
export function isSameEmail(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one.toLowerCase() === other.toLowerCase();
}

/** All addresses of a buyer and its contacts, in clear. */
export function emailsOf(vault: PlatformVault, buyer: BuyerRow, contacts: ContactRow[]): string[] {
  const own = openBuyerEmail(vault, buyer);
  return [own, ...contacts.map((contact) => toContact(contact, vault).email)].filter(
    (email) => email != null,
  );
}
