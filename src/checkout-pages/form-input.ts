/** Reads the fields of a form as they were typed. */
import { typedIn } from '#http/form-body';
import type { Address } from '#kernel/address';
import { LEGAL_FORMS, type LegalForm } from '#kernel/fields';
import type { CompanyEntry, PersonEntry, TypedInvoice } from '#modules/checkout';

export function readCompanyInput(form: URLSearchParams): Omit<CompanyEntry, 'businessId'> {
  return {
    legalName: typedIn(form, 'legalName'),
    legalForm: oneOf<LegalForm>(LEGAL_FORMS, typedIn(form, 'legalForm')),
    tradingName: typedIn(form, 'tradingName'),
    country: typedIn(form, 'country'),
    street: typedIn(form, 'street'),
    house: typedIn(form, 'house'),
    additional: typedIn(form, 'additional'),
    postcode: typedIn(form, 'postcode'),
    city: typedIn(form, 'city'),
    vatId: typedIn(form, 'vatId'),
    registerId: typedIn(form, 'registerId'),
  };
}

export function readPersonInput(form: URLSearchParams): PersonEntry {
  return {
    salutation: oneOf(['MR', 'MS', 'OTHER'], typedIn(form, 'salutation')),
    firstName: typedIn(form, 'firstName'),
    lastName: typedIn(form, 'lastName'),
    email: typedIn(form, 'email'),
    phone: typedIn(form, 'phone'),
  };
}

export function readDeliveryInput(form: URLSearchParams): {
  to: string;
  address: Record<keyof Address, string>;
} {
  return {
    to: typedIn(form, 'to'),
    address: {
      street: typedIn(form, 'street'),
      house: typedIn(form, 'house'),
      additional: typedIn(form, 'additional'),
      postcode: typedIn(form, 'postcode'),
      city: typedIn(form, 'city'),
      country: typedIn(form, 'country'),
    },
  };
}

export function readInvoiceInput(form: URLSearchParams): TypedInvoice {
  return {
    purchaseOrder: typedIn(form, 'purchaseOrder'),
    email: typedIn(form, 'invoiceEmail'),
    isBilledElsewhere: typedIn(form, 'billedElsewhere') === 'yes',
    address: {
      street: typedIn(form, 'billingStreet'),
      house: typedIn(form, 'billingHouse'),
      additional: typedIn(form, 'billingAdditional'),
      postcode: typedIn(form, 'billingPostcode'),
      city: typedIn(form, 'billingCity'),
      country: typedIn(form, 'billingCountry'),
    },
  };
}

/** The version that the form's page was rendered from. */
export function readVersionInput(form: URLSearchParams): number | null {
  const text = typedIn(form, 'version');
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** The value if it is one of the choices; else empty, because our forms send no other values. */
function oneOf<T extends string>(choices: readonly T[], typed: string): T | '' {
  return choices.find((choice) => choice === typed) ?? '';
}
