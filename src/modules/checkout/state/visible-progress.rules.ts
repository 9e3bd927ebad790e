/** The progress that one browser sees: its entries, completed with the buyer on file. */
import type { Access } from '../access/access.rules.ts';
import { readCompanyEntry } from '../forms/entry.rules.ts';
import type { CompanyEntry, DeliveryEntry, InvoiceEntry, PersonEntry } from './checkout.view.ts';
import type { FiledBuyer } from './company-entry.ts';
import type { Offered } from './offered-terms.ts';
import type { PaymentChoice, Progress } from './progress.rules.ts';

export type VisibleProgress = Pick<Progress, 'company' | 'person' | 'delivery' | 'choice'> & {
  invoice: InvoiceEntry;
};

/** @param sent The invoice details that the platform sent with the draft. */
export function visibleProgressOf(
  { filed, sent }: { filed: FiledBuyer; sent: InvoiceEntry },
  { mine, maySeeFile, isBuyerOnFile }: Access,
  offered: Offered,
): VisibleProgress {
  const filedCompany = maySeeFile ? filed.company : null;
  const filedPerson = maySeeFile && isReachable(filed.person) ? filed.person : null;
  return {
    company: isBuyerOnFile ? filedCompany : (mine?.company ?? null),
    person: mine?.person ?? filedPerson,
    delivery: mine?.delivery ?? (filedPerson && usualDelivery(filed)),
    invoice: mine?.invoice ?? (maySeeFile ? sent : { ...sent, email: '', address: null }),
    choice: stillOffered(mine?.choice ?? null, offered),
  };
}

/** Whether the company would be accepted if it were typed. A registry may lack required fields. */
export function isCompanyComplete(company: CompanyEntry | null): company is CompanyEntry {
  return company !== null && readCompanyEntry(company, company).errors.length === 0;
}

function isReachable(person: PersonEntry | null): boolean {
  return person !== null && [person.firstName, person.lastName, person.email].every((value) => value !== '');
}

function usualDelivery({ deliveryAddress }: FiledBuyer): DeliveryEntry {
  return deliveryAddress ? { to: 'OTHER', address: deliveryAddress } : { to: 'COMPANY', address: null };
}

/** Null if the term is no longer offered, or its fee has risen since it was chosen. */
function stillOffered(choice: PaymentChoice | null, { offers }: Offered): PaymentChoice | null {
  const offer = offers.find((each) => each.payment_term === choice?.term);
  return choice !== null && offer && offer.fee.gross <= choice.feeGrossMinor ? choice : null;
}
