/** The choice among a buyer's addresses. */
import { isSameEmail } from '#modules/buyers';

/** A person or department that gets a mail. */
export interface Recipient {
  /** One address without a name. */
  to: string;
  /** The name for the greeting; null if unknown. */
  name: string | null;
}

/** The addresses of a buyer, each list in order of preference. */
export interface BuyerAddresses {
  /** Given with the orders that the mail is about. */
  ofOrder: readonly Recipient[];
  /** Contacts that are assigned to all invoices, and those that the invoices name. */
  ofInvoices: readonly Recipient[];
  own: readonly Recipient[];
  ofOthers: readonly Recipient[];
}

/**
 * All addresses of the order, else every contact for invoices, else the buyer's own address, else one other contact. Leaves out
 * addresses that a mail server refused. Empty if none is left.
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
