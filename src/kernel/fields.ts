/**
 * The words of the wire contract: each field type once, as a JSON Schema that validates requests, types the code,
 * serializes answers and is printed into openapi.json.
 */
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { CURRENCIES, type Currency } from './currency.ts';
import { FORMALITIES, type Formality, LANGUAGES, type Language } from './language.ts';

/** An object that refuses fields it does not know. `title` makes it a named schema of openapi.json. */
export function closed<P extends TProperties>(properties: P, title?: string): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...(title && { title }) });
}

/** The same schema, or null. Written as a type list rather than a union, so that an issue names the field once. */
export function nullable<S extends TSchema>(schema: S) {
  const { type, enum: values, ...rest } = schema as S & { type?: string; enum?: unknown[] };
  return Type.Unsafe<Static<S> | null>({
    ...rest,
    type: [type ?? 'string', 'null'],
    ...(values && { enum: [...values, null] }),
  });
}

/** A field that may be left out or null: both mean empty. */
export function optional<S extends TSchema>(schema: S) {
  return Type.Optional(nullable(schema));
}

function oneOf<const T extends readonly string[]>(values: T, description?: string) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...(description && { description }) });
}

export { oneOf };

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

/** One line of text that may be empty; blank is empty. */
export function looseLine(lengthMax: number, description?: string) {
  return Type.String({ maxLength: lengthMax, format: 'plain-line', ...(description && { description }) });
}

/** Text of several lines that may be empty. */
export function looseText(lengthMax: number, description?: string) {
  return Type.String({ maxLength: lengthMax, format: 'plain-text', ...(description && { description }) });
}

/** `^[a-zA-Z0-9-_]+$` of the service description, in the spelling that every regular expression dialect accepts. */
export const EXTERNAL_ID_PATTERN = '^[a-zA-Z0-9_-]+$';

export function externalId(description: string) {
  return Type.String({ minLength: 1, maxLength: 100, pattern: EXTERNAL_ID_PATTERN, description });
}

/** 9999-12-31T23:59:59Z: the last second that every date type on the way can hold. */
export const UNIX_SECONDS_MAX = 253_402_300_799;

export function unixSeconds(description: string) {
  return Type.Integer({ minimum: 0, maximum: UNIX_SECONDS_MAX, description });
}

/** Money is whole minor units everywhere: cents, or yen. 10^12 leaves room to sum 9,000 of them exactly. */
export const MINOR_UNITS_MAX = 1_000_000_000_000;

/** An amount as an answer shows it: whole minor units of its currency. */
export function minorUnits(description: string) {
  return Type.Integer({ description });
}

export const CountrySchema = Type.String({
  pattern: '^[A-Z]{2}$',
  format: 'country',
  description: 'ISO 3166-1 alpha-2 code',
});
export const CurrencySchema = oneOf(CURRENCIES as readonly Currency[]);
export const LanguageSchema = oneOf(LANGUAGES as readonly Language[]);
export const FormalitySchema = oneOf(FORMALITIES as readonly Formality[]);
export const EmailSchema = Type.String({ minLength: 1, maxLength: 254, format: 'email' });
export const PhoneSchema = Type.String({
  format: 'e164',
  description: 'E.164: +, country code, number; no spaces',
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
export const LegalFormSchema = oneOf(LEGAL_FORMS);

/** Free-form metadata of the integrator, kept and returned as sent. */
export const CustomDataSchema = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'Free-form integration metadata: at most 16 KiB as JSON, at most 8 levels deep.',
  'x-max-bytes': 16_384,
  'x-max-depth': 8,
});
