/** What is on file of the buyer of an order, as somebody would have typed it. */
import type { Address } from '#kernel/address';
import type { BusinessIdentifier } from '#kernel/business-identifier';
import type { BuyerOnFile, KnownBuyer } from '#modules/buyers';
import type { CompanyEntry, PersonEntry } from './checkout.view.ts';

export interface FiledBuyer
  extends Pick<BuyerOnFile, 'email' | 'deliveryAddress' | 'language' | 'formality'> {
  /** Null of a buyer that is only invited. */
  company: CompanyEntry | null;
  address: Address | null;
  /** Whose the e-mail address is; null where nobody knows. */
  person: PersonEntry | null;
}

export function toFiledBuyer({ company, person, ...rest }: BuyerOnFile): FiledBuyer {
  return {
    ...rest,
    company: company && companyOf(company),
    address: company?.business_address ?? null,
    person: person && {
      salutation: person.salutation ?? '',
      firstName: person.first_name ?? '',
      lastName: person.last_name ?? '',
      email: person.email ?? '',
      phone: person.phone ?? '',
    },
  };
}

function companyOf(buyer: KnownBuyer): CompanyEntry {
  return {
    legalName: buyer.legal_name,
    legalForm: buyer.legal_form,
    tradingName: buyer.trading_name ?? '',
    ...linesOf(buyer.business_address),
    ...numbersOf(buyer.business_identifiers),
    businessId: buyer.registry?.business_id ?? null,
  };
}

export function linesOf(address: Address) {
  return {
    country: address.country ?? '',
    street: address.street ?? '',
    house: address.house ?? '',
    additional: address.additional ?? '',
    postcode: address.postcode ?? '',
    city: address.city ?? '',
  };
}

/** The first of each kind: a company may have more of them than anybody would type. */
export function numbersOf(identifiers: readonly BusinessIdentifier[]) {
  const numberOf = (type: BusinessIdentifier['type']) =>
    identifiers.find((each) => each.type === type)?.value ?? '';
  return { vatId: numberOf('VAT_ID'), registerId: numberOf('REGISTER_ID') };
}
