/** To which of its addresses a buyer is written. */
import { isSameEmail } from '#modules/buyers';

/** A person or department that gets a mail. */
export interface Recipient {
  /** One address without a name. */
  to: string;
  /** Who is greeted; null if the person is not known. */
  name: string | null;
}

/** The addresses of a buyer, those to prefer first in each list. */
export interface BuyerAddresses {
  /** Given with the orders that the mail is about. */
  ofOrder: readonly Recipient[];
  /** Contacts that are assigned to all invoices, and those that the invoices name. */
  ofInvoices: readonly Recipient[];
  own: readonly Recipient[];
  ofOthers: readonly Recipient[];
}

/**
 * Everybody with an address of the order, else every contact for invoices, else the buyer's own address, else one other
 * contact. Addresses that a mail server refused do not count. Empty if there is none left.
 */
export function recipientsAmong(
  { ofOrder, ofInvoices, own, ofOthers }: BuyerAddresses,
  isRefused: (address: string) => boolean,
): Recipient[] {
  const usable = (recipients: readonly Recipient[]) =>
    recipients.filter(
      ({ to }, nth) => !isRefused(to) && recipients.findIndex((each) => isSameEmail(each.to, to)) === nth,
    );
  const preferred = [ofOrder, ofInvoices, own].map(usable).find((recipients) => recipients.length > 0);
  return preferred ?? usable(ofOthers).slice(0, 1);
}
