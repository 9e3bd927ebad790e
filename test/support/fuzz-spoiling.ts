/** Ways to corrupt a valid request: values, bytes and paths that have broken servers before. */
import type { Json } from './api-document.ts';
import { literal } from './fields.ts';
import type { Random } from './random.ts';

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

const MALFORMED_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e15,
  2 ** 53,
  literal('-0'),
  literal('1e400'),
  literal('1e-400'),
  literal('9223372036854775808'),
  literal('10.0'),
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e\u0007',
  'x'.repeat(256),
  '5',
  'null',
  'DE',
  'EUR',
  'VAT_ID',
  'http://10.0.0.1/',
  'https://user:password@127.0.0.1/',
  'https://[::1]/',
  'javascript:alert(1)',
  "'; drop table buyers; --",
  '{{7*7}}',
  '%00',
  '../../etc/passwd',
  [],
  {},
  [[]],
  [null],
  { a: 1 },
  nested(31),
  nested(40),
];

/** Used rarely: each takes a while to send, and must be refused quickly. */
const LARGE_VALUES: readonly (() => unknown)[] = [
  () => 'x'.repeat(200_000),
  () => '\ud83d\ude00'.repeat(30_000),
  () => Array(60_000).fill(1),
  () => Array(40_000).fill({}),
  () => Object.fromEntries(Array.from({ length: 15_000 }, (_, index) => [`k${index}`, index])),
  () => literal(`1${'0'.repeat(100_000)}`),
  () => 'x'.repeat(300_000),
];

function malformedValue(random: Random): unknown {
  return random.below(200) === 0 ? random.pick(LARGE_VALUES)() : random.pick(MALFORMED_VALUES);
}

/** The value with one part changed, removed or added. */
export function spoiledValue(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.percent(15)) return malformedValue(random);
  const copy: Json = Array.isArray(value) ? [...value] : { ...value };
  const keys = Object.keys(copy);
  const key = keys.length > 0 ? random.pick(keys) : '0';
  switch (random.below(5)) {
    case 0:
      if (Array.isArray(copy)) copy.splice(Number(key), 1);
      else delete copy[key];
      return copy;
    case 1:
      if (Array.isArray(copy)) copy.push(malformedValue(random));
      else
        copy[random.pick(['id', 'external_id ', 'status', 'platform_id', 'constructor', ''])] =
          malformedValue(random);
      return copy;
    default:
      copy[key] = spoiledValue(copy[key], random);
      return copy;
  }
}

export function spoiledQuery(query: [string, string][], random: Random): [string, string][] {
  const value = random.pick([
    '',
    '-1',
    '0',
    '101',
    '1e3',
    '9223372036854775808',
    '\u0000',
    '%ff',
    '%',
    'a,b',
    ',',
    'null',
    '..',
    '1..',
    '%_',
    'x'.repeat(3_000),
    '-created_at',
    'contacts',
    'buyer',
  ]);
  const names = [
    'limit',
    'offset',
    'sort_by',
    'expand',
    'query',
    'status',
    'created_at',
    'amount_gross',
    'country',
    'currency',
    'external_id',
    'buyer_external_id',
    '__proto__',
    'constructor',
    '',
    'limit[]',
    '%ff',
  ];
  const name = query.length > 0 && random.percent(50) ? random.pick(query)[0] : random.pick(names);
  if (random.percent(10))
    return [...query, ...Array.from({ length: 300 }, () => [name, value] as [string, string])];
  return [...query.filter(([other]) => other !== name || random.percent(30)), [name, value]];
}

/** One segment of a path, as written in the request. */
export function spoiledPath(random: Random): string {
  return random.pick([
    '%00',
    '%ff',
    '%2f',
    '..',
    '%2e%2e',
    '%20',
    '%',
    'x'.repeat(101),
    'x'.repeat(9_000),
    '%C3%A9',
    '%ED%A0%80',
    'a.b',
    '*',
    'null',
    'search',
    'draft',
    '-',
    '%F0%9F%98%80',
    'BUYER.',
    '__proto__',
    'constructor',
    "';--",
  ]);
}

/** The text with corrupted bytes. */
export function spoiledBytes(json: string, random: Random): Buffer {
  const bytes = Buffer.from(json);
  const at = random.below(bytes.length + 1);
  const insert = (what: Buffer | string) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.from(what as string), bytes.subarray(at)]);
  switch (random.below(10)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return insert(Buffer.from([random.below(256)]));
    case 2:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    case 3:
      return Buffer.from(json.replace(/"(\w+)":/, '"$1":1,"$1":'));
    case 4:
      return Buffer.from(json.replace('{', '{"__proto__":{"a":1},'));
    case 5:
      return Buffer.from(json, 'utf16le');
    case 6:
      return Buffer.from(json.replaceAll('"', "'"));
    case 7:
      return Buffer.from(json.replace('{', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)},`));
    case 8:
      return insert(random.pick(['\\u0000', '\\ud800', ',', '}', ']', '"', 'NaN', '/**/', '1e999']));
    default:
      return Buffer.from(Array.from({ length: random.below(200) }, () => random.below(256)));
  }
}
