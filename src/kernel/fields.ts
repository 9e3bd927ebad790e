/**
 * The field types of the API. Each is one JSON Schema that validates requests, types the code, serializes responses and is printed into
 * openapi.json.
 */
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { CURRENCIES, type Currency } from './currency.ts';
import { FORMALITIES, type Formality, LANGUAGES, type Language } from './language.ts';
import { PAYMENT_METHODS, PAYMENT_TERMS } from './payment-term.ts';

/**
 * An object that refuses unknown fields in a request. In responses openapi.json leaves it open, because fields may be
 * added. `title` makes it a named schema of openapi.json.
 */
export function closed<P extends TProperties>(properties: P, title?: string): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...(title && { title }) });
}

/** Key of an object whose issue for an unknown field lists the known ones. */
export const LISTS_FIELDS = Symbol('lists fields');

/** Key of the advice that an issue about the value adds: how to write it correctly. */
export const REMEDY = Symbol('remedy');

/** The schema, or null: a list of types instead of a union, so that an issue names the field once. */
export function nullable<S extends TSchema>(schema: S) {
  const { type, enum: values, ...rest } = schema as S & { type?: string; enum?: unknown[] };
  return Type.Unsafe<Static<S> | null>({
    ...rest,
    type: [type ?? 'string', 'null'],
    ...(values && { enum: [...values, null] }),
  });
}

/** A field that may be omitted or null: both mean empty. */
export function optional<S extends TSchema>(schema: S) {
  return Type.Optional(nullable(schema));
}

export function oneOf<const T extends readonly string[]>(values: T, description?: string) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...(description && { description }) });
}

/** Key of the description that a named schema has in openapi.json. */
export const OWN_DESCRIPTION = Symbol('own description');

/**
 * Makes a schema a named one of openapi.json. Each use can have another description or a default: `{ ...CurrencySchema,
 * description: 'Of the order' }`.
 */
export function named<S extends TSchema>(title: string, schema: S): S {
  return { ...schema, title, [OWN_DESCRIPTION]: (schema as { description?: string }).description };
}

/** One line of text that is not blank. */
export function line(lengthMax: number, description?: string) {
  return Type.String({
    minLength: 1,
    maxLength: lengthMax,
    pattern: '\\S',
    format: 'plain-line',
    ...(description && { description }),
  });
}

/** One line of text that may be empty. Blank text is empty. */
export function looseLine(lengthMax: number, description?: string) {
  return Type.String({ maxLength: lengthMax, format: 'plain-line', ...(description && { description }) });
}

/** Several lines of text that may be empty. */
export function looseText(lengthMax: number, description?: string) {
  return Type.String({ maxLength: lengthMax, format: 'plain-text', ...(description && { description }) });
}

/** `^[a-zA-Z0-9-_]+$` of the API description, in a spelling that every regular expression dialect accepts. */
export const EXTERNAL_ID_PATTERN = '^[a-zA-Z0-9_-]+$';

export function externalId(description: string) {
  return Type.String({ minLength: 1, maxLength: 100, pattern: EXTERNAL_ID_PATTERN, description });
}

/** 9999-12-31T23:59:59Z, the last second that common date types can hold. */
export const UNIX_SECONDS_MAX = 253_402_300_799;

export function unixSeconds(description: string) {
  return {
    ...Type.Integer({ minimum: 0, maximum: UNIX_SECONDS_MAX, description }),
    [REMEDY]: 'instants are unix seconds: 2026-01-01T00:00:00Z is 1767225600',
  };
}

/** Money is whole minor units, such as cents. 10^12 leaves room to sum 9,000 amounts exactly. */
export const MINOR_UNITS_MAX = 1_000_000_000_000;

/** Key of the schema of an amount in a request: its number has neither a fraction nor an exponent, not even `100.00`. */
export const IS_AMOUNT = Symbol('is amount');

/** An amount in a request: whole minor units of its currency. */
export function amountInput(minimum: number, description: string) {
  return {
    ...Type.Integer({ minimum, maximum: MINOR_UNITS_MAX, description }),
    [IS_AMOUNT]: true as const,
    [REMEDY]: 'amounts are whole minor units: 100.00 EUR is 10000',
  };
}

/** An amount in a response: whole minor units of its currency. */
export function minorUnits(description: string) {
  return Type.Integer({ description });
}

export const CountrySchema = named('Country', {
  ...Type.String({ pattern: '^[A-Z]{2}$', format: 'country', description: 'ISO 3166-1 alpha-2 code' }),
  [REMEDY]: 'Germany is DE, the United Kingdom is GB, Greece is GR',
});
export const CurrencySchema = named('Currency', oneOf(CURRENCIES as readonly Currency[], 'ISO 4217 code'));
export const LanguageSchema = named(
  'Language',
  oneOf(LANGUAGES as readonly Language[], 'ISO 639-1 code in upper case'),
);
export const FormalitySchema = named('Formality', oneOf(FORMALITIES as readonly Formality[]));
export const EmailSchema = Type.String({ minLength: 1, maxLength: 254, format: 'email' });
export const PhoneSchema = Type.String({
  format: 'e164',
  description: 'E.164: +, country code, number; no spaces',
});

/** With or without the spaces of its printed form. */
export const IbanSchema = Type.String({
  maxLength: 64,
  format: 'iban',
  description: 'IBAN, with or without spaces',
});

/** ISO 9362, in upper or lower case. */
export const BicSchema = Type.String({
  maxLength: 11,
  format: 'bic',
  description: 'BIC of 8 or 11 characters',
});

export const LEGAL_FORMS = [
  'LIMITED_COMPANY',
  'SOLE_TRADER',
  'PARTNERSHIP',
  'PUBLIC_COMPANY',
  'COOPERATIVE',
  'GOVERNMENT',
  'OTHER',
] as const;
export type LegalForm = (typeof LEGAL_FORMS)[number];
export const LegalFormSchema = named('LegalForm', oneOf(LEGAL_FORMS));

export const PaymentTermSchema = named('PaymentTerm', oneOf(PAYMENT_TERMS));
export const PaymentMethodSchema = named('PaymentMethod', oneOf(PAYMENT_METHODS));

/** Free-form metadata of the integrator, stored and returned as sent. */
export const CustomDataSchema = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  title: 'CustomData',
  description: 'Free-form integration metadata: at most 16 KiB as JSON, at most 8 levels deep.',
  'x-max-bytes': 16_384,
  'x-max-depth': 8,
});
