/** A company as the checkout's form has it, and its conversions from the registry and the buyer, and to the API's input. */
import type { Address } from '#kernel/address';
import type { BusinessIdentifier } from '#kernel/business-identifier';
import type { LegalForm } from '#kernel/fields';
import type { BuyerInput, BuyerOnFile, KnownBuyer } from '#modules/buyers';
import { businessIdOf, type ClaimedCompany, type CompanyRow, legalFormOf } from '#modules/registry';
import type { CompanyEntry, PersonEntry } from './checkout.view.ts';

export type TypedCompany = Omit<CompanyEntry, 'businessId'>;

export function entryOfRegistered(company: CompanyRow): CompanyEntry {
  return {
    legalName: company.legal_name,
    legalForm: legalFormOf(company) ?? '',
    tradingName: company.trading_name ?? '',
    ...linesOf(company.address),
    ...numbersOf(company.identifiers),
    businessId: businessIdOf(company),
  };
}

function entryOfBuyer(buyer: KnownBuyer): CompanyEntry {
  return {
    legalName: buyer.legal_name,
    legalForm: buyer.legal_form,
    tradingName: buyer.trading_name ?? '',
    ...linesOf(buyer.business_address),
    ...numbersOf(buyer.business_identifiers),
    businessId: buyer.registry?.business_id ?? null,
  };
}

function linesOf(address: Address) {
  return {
    country: address.country ?? '',
    street: address.street ?? '',
    house: address.house ?? '',
    additional: address.additional ?? '',
    postcode: address.postcode ?? '',
    city: address.city ?? '',
  };
}

/** The first identifier of each type: the form has one field for each. */
function numbersOf(identifiers: readonly BusinessIdentifier[]) {
  const numberOf = (type: BusinessIdentifier['type']) =>
    identifiers.find((each) => each.type === type)?.value ?? '';
  return { vatId: numberOf('VAT_ID'), registerId: numberOf('REGISTER_ID') };
}

/**
 * What the buyer entered in addition to the registry's data. The other fields are left to the registry, and follow its changes.
 * @param known The registry's entry; null for a company that is not linked to one.
 */
export function buyerInputOf(typed: TypedCompany, known: TypedCompany | null): BuyerInput {
  const isGiven = (...fields: (keyof TypedCompany)[]) =>
    fields.some((field) => typed[field] !== known?.[field]);
  const isAddressGiven = isGiven('street', 'house', 'additional', 'postcode', 'city', 'country');
  const { legalForm } = typed;
  return {
    ...(isGiven('legalName') && { legal_name: typed.legalName }),
    ...(legalForm !== '' && isGiven('legalForm') && { legal_form: legalForm }),
    ...(isGiven('tradingName') && typed.tradingName !== '' && { trading_name: typed.tradingName }),
    ...(isAddressGiven && { business_address: addressOf(typed) }),
    business_identifiers: identifiersOf({
      ...typed,
      vatId: isGiven('vatId') ? typed.vatId : '',
      registerId: isGiven('registerId') ? typed.registerId : '',
    }),
  };
}

function addressOf({ street, house, additional, postcode, city, country }: TypedCompany) {
  const orNull = (text: string) => (text === '' ? null : text);
  return {
    street: orNull(street),
    house: orNull(house),
    postcode,
    city,
    country,
    additional: orNull(additional),
  };
}

function identifiersOf({ country, vatId, registerId }: TypedCompany): BusinessIdentifier[] {
  return [
    ...(vatId === '' ? [] : [{ type: 'VAT_ID' as const, value: vatId, country }]),
    ...(registerId === '' ? [] : [{ type: 'REGISTER_ID' as const, value: registerId, country }]),
  ];
}

/** What a buyer claims to be: its valid entry, with the numbers of the registry's company that it chose. */
export function claimOf(typed: TypedCompany, chosen: readonly BusinessIdentifier[] = []): ClaimedCompany {
  const { legalName, country, legalForm } = typed;
  const identifiers = [...identifiersOf(typed), ...chosen];
  return { legalName, country, legalForm: legalForm as LegalForm, identifiers };
}

/** The buyer on file, in the fields of the forms. */
export interface FiledBuyer
  extends Pick<
    BuyerOnFile,
    | 'email'
    | 'isCompanyFromPlatform'
    | 'companyEmails'
    | 'deliveryAddress'
    | 'country'
    | 'language'
    | 'formality'
    | 'checkout_language'
  > {
  /** Null for a buyer that is only invited. */
  company: CompanyEntry | null;
  address: Address | null;
  /** The person behind the e-mail address; null if unknown. */
  person: PersonEntry | null;
}

export function toFiledBuyer({ company, person, ...rest }: BuyerOnFile): FiledBuyer {
  return {
    ...rest,
    company: company && entryOfBuyer(company),
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
