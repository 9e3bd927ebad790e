/** The recipients and the language of mails about a buyer: one function for every mail to buyers. */
import type { PlatformVault } from '#infra/secrets/vault';
import type { Formality, Language } from '#kernel/language';
import {
  type BuyerRow,
  type Contact,
  type ContactRow,
  isSameEmail,
  localeOfBuyer,
  openBuyerEmail,
  preferencesOf,
  readBuyers,
  readContactsOfBuyers,
  toContact,
} from '#modules/buyers';
import type { EventMail, NotifierContext } from './notify-of-events.ts';
import { type BuyerAddresses, type Recipient, recipientsAmong } from './recipient.rules.ts';
import { areAddressesRefused, macOfAddress } from './refused-address.queries.ts';

export interface Addressees {
  /** Empty if no address is known, or all were refused. */
  recipients: Recipient[];
  buyer: BuyerRow;
  language: Language;
  formality: Formality;
}

export interface AboutBuyer {
  buyerExternalId: string;
  /** Addresses given with the orders that the mail is about. */
  orderEmails?: readonly (string | null)[];
  /** The contacts that the invoices name. */
  contactExternalIds?: readonly (string | null)[];
}

type Reading = Pick<NotifierContext, 'reads' | 'platform' | 'vault'>;

/** Undefined for an unknown buyer. */
export async function findAddressees(reading: Reading, about: AboutBuyer): Promise<Addressees | undefined> {
  const [found] = await findAddresseesOfAll(reading, [about]);
  return found;
}

/** Returns in the order of `abouts`; undefined for an unknown buyer. */
export async function findAddresseesOfAll(
  { reads, platform, vault }: Reading,
  abouts: readonly AboutBuyer[],
): Promise<(Addressees | undefined)[]> {
  const { platform_id: platformId } = platform;
  const ids = [...new Set(abouts.map(({ buyerExternalId }) => buyerExternalId))];
  const [buyers, contacts] = await Promise.all([
    readBuyers(
      reads,
      ids.map((externalId) => ({ platformId, externalId })),
    ),
    readContactsOfBuyers(
      reads,
      ids.map((buyerExternalId) => ({ platformId, buyerExternalId })),
    ),
  ]);
  const known = new Map(
    ids.map((id, nth): [string, KnownToUs] => [id, knownOf(vault, buyers[nth], contacts[nth] ?? [])]),
  );
  const addresses = abouts.map((about) => addressesOf(known.get(about.buyerExternalId) as KnownToUs, about));
  const isRefused = await readRefused({ reads, platform, vault }, addresses);
  return abouts.map(({ buyerExternalId }, nth) => {
    const buyer = known.get(buyerExternalId)?.buyer;
    if (!buyer) return undefined;
    const recipients = recipientsAmong(addresses[nth] as BuyerAddresses, isRefused);
    return { recipients, buyer, ...localeOfBuyer(preferencesOf(buyer), platform) };
  });
}

/** A buyer with its addresses, decrypted once for all mails about it. */
interface KnownToUs {
  buyer: BuyerRow | undefined;
  email: string | null;
  /** The oldest first. */
  contacts: readonly Contact[];
}

function knownOf(vault: PlatformVault, buyer: BuyerRow | undefined, rows: readonly ContactRow[]): KnownToUs {
  const contacts = rows.map((row) => toContact(row, vault)).sort(byAge);
  return { buyer, contacts, email: buyer ? openBuyerEmail(vault, buyer) : null };
}

function addressesOf(
  { email, contacts }: KnownToUs,
  { orderEmails = [], contactExternalIds = [] }: AboutBuyer,
): BuyerAddresses {
  const nameOf = (address: string) => {
    const person = contacts.find((contact) => isSameEmail(contact.email, address));
    return [person?.first_name, person?.last_name].filter((name) => name).join(' ') || null;
  };
  const recipientsOf = (emails: readonly (string | null)[]) =>
    emails.flatMap((to) => (to === null ? [] : [{ to, name: nameOf(to) }]));
  const isForInvoices = (contact: Contact) =>
    contact.assign_to_all_invoices || contactExternalIds.includes(contact.external_id);
  return {
    ofOrder: recipientsOf(orderEmails),
    ofInvoices: recipientsOf(contacts.filter(isForInvoices).map((each) => each.email)),
    own: recipientsOf([email]),
    ofOthers: recipientsOf(contacts.map((each) => each.email)),
  };
}

/** Returns a function that checks whether an address among these was refused. */
async function readRefused(
  { reads, platform: { platform_id: platformId }, vault }: Reading,
  addresses: readonly BuyerAddresses[],
): Promise<(address: string) => boolean> {
  const named = addresses.flatMap((each) => Object.values(each).flat() as Recipient[]);
  const all = [...new Set(named.map(({ to }) => to))];
  const areRefused = await areAddressesRefused(
    reads,
    all.map((to) => ({ platformId, addressMac: macOfAddress(vault, to) })),
  );
  const refused = new Set(all.filter((_, nth) => areRefused[nth]));
  return (address) => refused.has(address);
}

type WithoutRecipient<Mail> = Mail extends EventMail ? Omit<Mail, 'to' | 'language' | 'formality'> : never;

/** The mail to each addressee. Only the first is copied to the platform, because all are the same. */
export function mailsTo(
  { recipients, buyer, language, formality }: Addressees,
  mailOf: (recipient: Recipient) => WithoutRecipient<EventMail>,
): EventMail[] {
  return recipients.map((recipient, nth) => {
    const mail = mailOf(recipient);
    const more = nth === 0 ? {} : { cause: `${mail.cause}/to/${nth}`, isCopied: false };
    return {
      ...mail,
      ...more,
      ...{ to: recipient.to, buyer: buyer.external_id, language, formality },
    } as EventMail;
  });
}

function byAge(one: Contact, other: Contact): number {
  return one.created_at - other.created_at || (one.external_id < other.external_id ? -1 : 1);
}
