/** Validates what a buyer types, by the rules of the API's requests. Trims values, and returns all errors together. */
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { Address } from '#kernel/address';
import { isCountry } from '#kernel/country';
import { isEmail } from '#kernel/email';
import { LEGAL_FORMS } from '#kernel/fields';
import { isPhone } from '#kernel/phone';
import { isPostcode, postcodeExample } from '#kernel/postcode';
import { isRegisterId, registerIdExample } from '#kernel/register-id';
import { isBlank, isPlainLine } from '#kernel/text';
import { isVatId } from '#kernel/vat-id';
import { PURCHASE_ORDER_LENGTH_MAX } from '#modules/orders';
import { isFormOfCountry } from '#modules/registry';
import type {
  DeliveryEntry,
  FieldError,
  InvoiceEntry,
  PersonEntry,
  TypedInvoice,
} from '../state/checkout.view.ts';
import type { TypedCompany } from '../state/company-entry.ts';

type Entered<T> = { entry: T; errors: FieldError[] };

/** In characters, as in the API's requests. */
const LENGTHS = {
  legalName: 255,
  tradingName: 255,
  street: 140,
  house: 20,
  additional: 140,
  postcode: 16,
  city: 100,
  vatId: 48,
  registerId: 48,
  firstName: 100,
  lastName: 100,
  email: 254,
  phone: 40,
  purchaseOrder: PURCHASE_ORDER_LENGTH_MAX,
} as const;
type Line = keyof typeof LENGTHS;

const SALUTATIONS = ['MR', 'MS', 'OTHER'] as const;
const ADDRESS_LINES = ['street', 'house', 'additional', 'postcode', 'city'] as const;

/** Collects errors, at most one for each field. */
function collector(prefix = '') {
  const errors: FieldError[] = [];
  const refuse = (field: string, error: FieldError['error'], values?: FieldError['values']) => {
    const name = prefix + field;
    if (!errors.some((each) => each.field === name))
      errors.push({ field: name, error, ...(values && { values }) });
  };
  return {
    errors,
    refuse,
    /** Invisible text counts as empty. Control characters are refused, never removed. */
    line(field: Line, text: unknown, isRequired: boolean): string {
      const trimmed = typeof text === 'string' ? text.trim() : '';
      if (!isPlainLine(trimmed)) refuse(field, 'error.characters');
      if ([...trimmed].length > LENGTHS[field]) refuse(field, 'error.too_long', { max: LENGTHS[field] });
      const isEmpty = isBlank(trimmed);
      if (isEmpty && isRequired) refuse(field, 'error.required');
      return isEmpty ? '' : trimmed;
    },
  };
}

/** @param registered The registry's entry, or one accepted before: its postcode and numbers are valid in any format. */
export function readCompanyEntry(
  typed: TypedCompany,
  registered: TypedCompany | null = null,
): Entered<TypedCompany> {
  const { errors, line, refuse } = collector();
  const legalName = line('legalName', typed.legalName, true);
  const legalForm = LEGAL_FORMS.find((form) => form === typed.legalForm) ?? '';
  if (legalForm === '') refuse('legalForm', 'error.choose');
  const tradingName = line('tradingName', typed.tradingName, false);
  const country = readCountry(typed.country, refuse);
  if (legalForm !== '' && !isFormOfCountry(legalForm, country)) refuse('legalForm', 'error.choose');
  const address = readLines(typed, line, refuse);
  const vatId = line('vatId', typed.vatId, false);
  const registerId = line('registerId', typed.registerId, false);
  const isChecked = (field: 'postcode' | 'vatId' | 'registerId', value: string) =>
    value !== '' && (value !== registered?.[field] || country !== registered.country);
  if (isChecked('postcode', address.postcode)) checkPostcode(address.postcode, country, refuse);
  if (isChecked('vatId', vatId) && country !== '' && !isVatId(vatId, country))
    refuse('vatId', 'error.vat_id');
  if (isChecked('registerId', registerId) && !isRegisterId(registerId, country))
    refuse('registerId', 'error.register_id', { example: registerIdExample(country) ?? '' });
  return { entry: { legalName, legalForm, tradingName, country, ...address, vatId, registerId }, errors };
}

/** @param country The company's country: phone numbers without a country code are read as numbers of this country. */
export function readPersonEntry(typed: PersonEntry, country: string | null): Entered<PersonEntry> {
  const { errors, line, refuse } = collector();
  const salutation = SALUTATIONS.find((each) => each === typed.salutation) ?? '';
  const firstName = line('firstName', typed.firstName, true);
  const lastName = line('lastName', typed.lastName, true);
  const email = line('email', typed.email, true);
  if (email !== '' && !isEmail(email)) refuse('email', 'error.email');
  const written = line('phone', typed.phone, false);
  const phone = written === '' ? '' : toE164(written, country);
  if (phone === null) refuse('phone', 'error.phone');
  return { entry: { salutation, firstName, lastName, email, phone: phone ?? written }, errors };
}

/** Errors name the fields of the address `delivery.street` and so on, and the choice itself `delivery.to`. */
export function readDeliveryEntry(typed: {
  to: string;
  address: Partial<Record<keyof Address, string>>;
}): Entered<DeliveryEntry> {
  const { errors, line, refuse } = collector('delivery.');
  if (typed.to === 'COMPANY' || typed.to === 'NOWHERE')
    return { entry: { to: typed.to, address: null }, errors };
  if (typed.to !== 'OTHER') {
    refuse('to', 'error.choose');
    return { entry: { to: 'COMPANY', address: null }, errors };
  }
  return { entry: { to: 'OTHER', address: readAddressLines(typed.address, line, refuse) }, errors };
}

/** Errors name the fields of the address `billing_street` and so on. */
export function readInvoiceEntry(typed: TypedInvoice): Entered<InvoiceEntry> {
  const { errors, line, refuse } = collector();
  const purchaseOrder = line('purchaseOrder', typed.purchaseOrder, false);
  const email = line('email', typed.email, false);
  if (email !== '' && !isEmail(email)) refuse('email', 'error.email');
  const billing = collector('billing_');
  const address = typed.isBilledElsewhere
    ? readAddressLines(typed.address, billing.line, billing.refuse)
    : null;
  const named = errors.map((error) => ({
    ...error,
    field: INVOICE_FIELDS[error.field ?? ''] ?? error.field,
  }));
  return { entry: { purchaseOrder, email, address }, errors: [...named, ...billing.errors] };
}

/** The person's address is a field of the same form. */
const INVOICE_FIELDS: Record<string, string> = { email: 'invoice_email' };

function readAddressLines(
  typed: Partial<Record<keyof Address, string>>,
  line: ReadLine,
  refuse: Refuse,
): Address {
  const country = readCountry(typed.country, refuse);
  const { street, house, additional, postcode, city } = readLines(typed, line, refuse);
  if (postcode !== '') checkPostcode(postcode, country, refuse);
  const orNull = (text: string) => (text === '' ? null : text);
  return {
    street: orNull(street),
    house: orNull(house),
    postcode: orNull(postcode),
    city: orNull(city),
    country: orNull(country),
    additional: orNull(additional),
  };
}

type Refuse = ReturnType<typeof collector>['refuse'];
type ReadLine = ReturnType<typeof collector>['line'];

/** An address needs a street, or an additional line that replaces it. */
function readLines(
  typed: Partial<Record<(typeof ADDRESS_LINES)[number], string | null>>,
  line: ReadLine,
  refuse: Refuse,
) {
  const street = line('street', typed.street, false);
  const house = line('house', typed.house, false);
  const additional = line('additional', typed.additional, false);
  const postcode = line('postcode', typed.postcode, true);
  const city = line('city', typed.city, true);
  if (street === '' && additional === '') refuse('street', 'error.required');
  return { street, house, additional, postcode, city };
}

function checkPostcode(postcode: string, country: string, refuse: Refuse): void {
  if (!isPostcode(postcode, country))
    refuse('postcode', 'error.postcode', { example: postcodeExample(country) ?? '' });
}

function readCountry(typed: unknown, refuse: Refuse): string {
  const country = typeof typed === 'string' ? typed.trim() : '';
  if (isCountry(country)) return country;
  refuse('country', 'error.country');
  return '';
}

/** Reads a national number of the country, or an international one; null for anything else. */
function toE164(written: string, country: string | null): string | null {
  // Japanese keyboards type full-width digits.
  const phone = parsePhoneNumberFromString(written.normalize('NFKC'), {
    extract: false,
    ...(isCallable(country) && { defaultCountry: country }),
  });
  if (!phone || phone.ext !== undefined || !isPhone(phone.number)) return null;
  return phone.number;
}

function isCallable(country: string | null): country is CountryCode {
  return country !== null && isSupportedCountry(country);
}
