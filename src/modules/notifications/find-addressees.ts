/** Who is written to about a buyer, and how: one function for every mail to buyers. */
import type { Formality, Language } from '#kernel/language';
import {
  type BuyerRow,
  type Contact,
  findBuyer,
  findContactsOfBuyer,
  isSameEmail,
  localeOfBuyer,
  openBuyerEmail,
  preferencesOf,
  toContact,
} from '#modules/buyers';
import type { EventMail, NotifierContext } from './notify-of-events.ts';
import { type Recipient, recipientsAmong } from './recipient.rules.ts';
import { isAddressRefused, macOfAddress } from './refused-address.queries.ts';

export interface Addressees {
  /** Empty where no address is known, or all were refused. */
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

/** Undefined for an unknown buyer. */
export async function findAddressees(
  { reads, platform, vault }: Pick<NotifierContext, 'reads' | 'platform' | 'vault'>,
  { buyerExternalId, orderEmails = [], contactExternalIds = [] }: AboutBuyer,
): Promise<Addressees | undefined> {
  const { platform_id: platformId } = platform;
  const [buyer, rows] = await Promise.all([
    findBuyer(reads, { platformId, externalId: buyerExternalId }),
    findContactsOfBuyer(reads, { platformId, buyerExternalId }),
  ]);
  if (!buyer) return undefined;
  const contacts = rows.map((row) => toContact(row, vault)).sort(byAge);
  const nameOf = (email: string) => {
    const person = contacts.find((contact) => isSameEmail(contact.email, email));
    return [person?.first_name, person?.last_name].filter((name) => name).join(' ') || null;
  };
  const recipientsOf = (emails: readonly (string | null)[]) =>
    emails.flatMap((to) => (to === null ? [] : [{ to, name: nameOf(to) }]));
  const isForInvoices = (contact: (typeof contacts)[number]) =>
    contact.assign_to_all_invoices || contactExternalIds.includes(contact.external_id);
  const addresses = {
    ofOrder: recipientsOf(orderEmails),
    ofInvoices: recipientsOf(contacts.filter(isForInvoices).map(({ email }) => email)),
    own: recipientsOf([openBuyerEmail(vault, buyer)]),
    ofOthers: recipientsOf(contacts.map(({ email }) => email)),
  };
  const all = [...new Set(Object.values(addresses).flatMap((each) => each.map(({ to }) => to)))];
  const areRefused = await Promise.all(
    all.map((to) => isAddressRefused(reads, { platformId, addressMac: macOfAddress(vault, to) })),
  );
  const refused = new Set(all.filter((_, nth) => areRefused[nth]));
  return {
    recipients: recipientsAmong(addresses, (address) => refused.has(address)),
    buyer,
    ...localeOfBuyer(preferencesOf(buyer), platform),
  };
}

type WithoutRecipient<Mail> = Mail extends EventMail ? Omit<Mail, 'to' | 'language' | 'formality'> : never;

/** The mail to each addressee. Only the first is copied to the platform: the others are the same. */
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
