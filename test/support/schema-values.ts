/** Values that fit a schema of openapi.json or of the operations, which use the same language. */
import { EXTERNAL_ID_PATTERN } from '#kernel/fields';
import { postcodeExample } from '#kernel/postcode';
import { MANDATE_REFERENCE_PATTERN } from '../../src/modules/mandates/mandate.schemas.ts';
import { ScheduledOnFilter } from '../../src/modules/payouts/payout.schemas.ts';
import type { Json } from './api-document.ts';
import type { Random } from './random.ts';

export interface Making {
  random: Random;
  /** The schema, or the target of its `$ref`. */
  follow: (schema: Json) => Json;
  /** A value for a field that names an entity, by the name of the field: `buyer_external_id`. */
  idOf: (name: string) => string;
  /** The percentage of optional fields that are sent. */
  optionalShare: number;
  /** The value of a field with this name, to satisfy a rule beyond the schema. Such a field is always sent. */
  plausible?: Record<string, (random: Random) => unknown>;
}

/** Whether the field is the name of an entity. */
export function isId(schema: Json): boolean {
  return schema?.pattern === EXTERNAL_ID_PATTERN;
}

export function fittingValue(making: Making, schema: Json, name = ''): unknown {
  const { random, follow, plausible } = making;
  if (plausible?.[name]) return plausible[name](random);
  const known = follow(schema);
  if (known.anyOf) return fittingValue(making, random.pick(known.anyOf), name);
  if (known.enum) return random.pick(known.enum);
  const types = [known.type ?? 'object'].flat().filter((each) => each !== 'null');
  if ([known.type].flat().includes('null') && (types.length === 0 || random.percent(15))) return null;
  switch (types[0]) {
    case 'object':
      return fittingObject(making, known);
    case 'array':
      return fittingList(making, known, name);
    case 'string':
      return fittingText(making, known, name);
    case 'integer':
      return fittingInteger(random, known);
    case 'boolean':
      return random.percent(50);
    default:
      throw new Error(`No value is known for ${name} of the type ${known.type}.`);
  }
}

function fittingObject(making: Making, schema: Json): unknown {
  const { random, optionalShare, plausible } = making;
  if (schema.additionalProperties === true) return anyObject(random, 3);
  // Fields that are required only without others are always sent.
  const required = new Set<string>([...(schema.required ?? []), ...(schema.else?.required ?? [])]);
  // A read-only field may only be sent with its stored value, which the schema does not contain.
  const settable = Object.keys(schema.properties ?? {}).filter((name) => !schema.properties[name].readOnly);
  const sent = settable.filter(
    (name) => required.has(name) || plausible?.[name] || random.percent(optionalShare),
  );
  const names = schema.maxProperties === 1 ? [random.pick(Object.keys(schema.properties))] : sent;
  const value: Json = Object.fromEntries(
    names.map((name) => [name, fittingValue(making, schema.properties[name], name)]),
  );
  if (schema.allOf) return fittingVariant(making, schema, value);
  if (schema['x-gross-is-net-plus-tax']) {
    value.net = Math.min(value.net, 10 ** 11);
    if (value.tax) value.tax = Math.min(value.tax, 10 ** 11);
    value.gross = value.net + (value.tax ?? 0);
  }
  if (schema['x-vat-id-format'] && value.type === 'VAT_ID')
    return {
      ...value,
      ...random.pick([
        { country: 'DE', value: 'DE136695976' },
        { country: 'FR', value: 'FR40303265045' },
      ]),
    };
  if (schema['x-register-id-format'] && value.type === 'REGISTER_ID')
    return { ...value, country: 'DE', value: 'HRB 12345' };
  if (schema['x-postcode-format'] && value.country)
    return { ...value, postcode: postcodeExample(value.country) ?? '1' };
  return value;
}

/** The value with the fields of its type: with those that the type requires, and without those of other types. */
function fittingVariant(making: Making, schema: Json, value: Json): Json {
  const { then } = schema.allOf.find(({ if: { properties } }: Json) => properties.type.const === value.type);
  for (const name of Object.keys(then.properties)) if (then.properties[name] === false) delete value[name];
  for (const name of then.required)
    value[name] = fittingValue(making, { ...schema.properties[name], ...then.properties[name] }, name);
  // The bank is in the country of the account.
  return value.iban ? { ...value, iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' } : value;
}

function fittingList(making: Making, schema: Json, name: string): unknown[] {
  const lengthMax = Math.min(schema.maxItems ?? 3, 3);
  const length = Math.max(schema.minItems ?? 0, making.random.below(lengthMax + 1));
  return Array.from({ length }, () => fittingValue(making, schema.items, name));
}

/** Valid values for formats, which require more than their pattern, and for some patterns. */
const TEXTS: Record<string, readonly string[]> = {
  '^\\d{1,12}-\\d{1,15}-\\d{1,9}$': ['0-0-0', '1763640000-12-1', '253402300799-1-1'],
  '^(\\d{4}-\\d{2}-\\d{2}|\\d{4}-\\d{2}-\\d{2}\\.\\.|(\\d{4}-\\d{2}-\\d{2})?\\.\\.\\d{4}-\\d{2}-\\d{2})$': [
    ...['2025-11-20', '2025-11-20..', '..2025-11-20', '2025-11-01..2025-11-30', '2025-02-30'],
  ],
  [MANDATE_REFERENCE_PATTERN]: ['A-1', 'A/2', "b:(3).'", 'C?4'],
  // A day, or a range of days.
  [(ScheduledOnFilter as { pattern?: string }).pattern ?? '']: [
    '2026-01-31',
    '2026-01-01..',
    '..2026-01-31',
    '2026-01-01..2026-01-31',
  ],
  bic: ['COBADEFFXXX', 'chasus33'],
  '^[0-9]{6}$': ['601613', '000000'],
  '^[0-9]{8}$': ['31926819', '00000001'],
  '^[A-Za-z0-9]+$': ['000123456789', 'A1'],
  country: ['DE', 'FR', 'GB', 'PL', 'US', 'JP'],
  iban: ['DE89370400440532013000', 'GB29 NWBK 6016 1331 9268 19', 'NO9386011117947'],
  email: ['a@b.example', 'first.last+tag@mail.example', `${'x'.repeat(60)}@example.org`],
  e164: ['+493012345678', '+33142685300', '+442079460018'],
  // Nothing listens there, and no name must be looked up.
  uri: ['http://127.0.0.1:9/hook', 'http://127.0.0.1:9/?a=b&c=%20', 'http://[::1]:9/'],
  'plain-line': [
    'Café Morgenrot eG',
    'a',
    ' b ',
    '東京 株式会社',
    '😀',
    "O'Neill & Söhne; -- \\",
    '100 % _wild*',
    'ß'.repeat(16),
  ],
  'plain-text': ['One line', 'Two\nlines', 'Two\r\nlines', '😀 "quoted" \\'],
  'seconds-range': ['0', '1700000000', '..1800000000', '1700000000..', '1..253402300799', '9..5'],
  'amount-range': ['0', '11900', '..100', '100..', '1..1000000000000'],
  'days-range': ['0', '30', '..30', '1..', '1..253402300799', '9..5'],
};

function fittingText(making: Making, schema: Json, name: string): string {
  if (isId(schema)) return making.idOf(name);
  if (name === 'type') return making.idOf(name);
  const texts = TEXTS[schema.format ?? schema.pattern];
  if (!texts) throw new Error(`No text is known for ${name} of the format ${schema.format}.`);
  const short = texts.filter((text) => [...text].length <= (schema.maxLength ?? Number.POSITIVE_INFINITY));
  return making.random.pick(short);
}

function fittingInteger(random: Random, { minimum = -(2 ** 53) + 1, maximum = 2 ** 53 - 1 }: Json): number {
  const near = Math.min(maximum, Math.max(minimum, 0) + random.below(1_000));
  return random.pick([minimum, maximum, near, near, near, near]);
}

/** Custom data of an integrator. */
function anyObject(random: Random, depth: number): Record<string, unknown> {
  const value = (): unknown => {
    const kinds = [null, true, 0, -1.5, '', 'text', '\u2028', 1e21 / 1e6];
    if (depth === 0 || random.percent(60)) return random.pick(kinds);
    return random.percent(50)
      ? anyObject(random, depth - 1)
      : [anyObject(random, depth - 1), random.pick(kinds)];
  };
  const keys = ['a', 'b c', 'constructor', '😀', ''].filter(() => random.percent(40));
  return Object.fromEntries(keys.map((key) => [key, value()]));
}
