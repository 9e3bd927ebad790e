/** Tables of the values that each kind of field accepts and refuses, and the tests that use them. */
import { expect, it } from 'vitest';
import { LEGAL_FORMS, UNIX_SECONDS_MAX } from '#kernel/fields';
import type { IssueCode } from '#kernel/problem-codes';
import type { Reply } from './world.ts';

/** A value that the field accepts; `shown` is the value in the answer if it differs. Undefined omits the field. */
export interface Fitting {
  what: string;
  sent: unknown;
  shown?: unknown;
}

/** A value the field refuses with this one issue; `at` is its place below the field. */
export interface Offending {
  what: string;
  sent: unknown;
  code: IssueCode;
  at?: string;
}

export interface Kind {
  fitting: readonly Fitting[];
  offending: readonly Offending[];
}

/** `path` without its root: `business_address.city`, `business_identifiers.0.value`. */
export interface Field extends Kind {
  path: string;
}

export type Body = Record<string, unknown>;
export type Change = (body: Body) => Body;

/** Every accepted value is returned as sent, or as the table says. */
export function itTakes(fields: readonly Field[], status: number, send: (change: Change) => Promise<Reply>) {
  const rows = fields.flatMap(({ path, fitting }) => fitting.map((value) => ({ path, ...value })));
  it.each(rows)('takes $path as $what', async ({ path, ...value }) => {
    const reply = await send((body) => withField(body, path, value.sent));
    expect(reply).toMatchObject({ status });
    expect(fieldAt(reply.body, path)).toEqual('shown' in value ? value.shown : value.sent);
  });
}

/** Every other value is refused with one issue, at the path of the value. */
export function itRefuses(fields: readonly Field[], send: (change: Change) => Promise<Reply>) {
  const rows = fields.flatMap(({ path, offending }) => offending.map((value) => ({ path, ...value })));
  it.each(rows)('refuses $path as $what with $code', async ({ path, sent, code, at = '' }) => {
    const reply = await send((body) => withField(body, path, sent));
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({
      error: '1 validation issue',
      code: 'BAD_REQUEST',
      issues: [{ code, path: `body.${path}${at}`, message: expect.stringMatching(/^(?!.*undefined)./s) }],
      details: { docs: expect.stringMatching(/#BAD_REQUEST$/) },
    });
  });
}

/** A copy with the value at the path; undefined removes the field. */
export function withField<T extends object>(body: T, path: string, value: unknown): T {
  const [step = '', ...rest] = path.split('.');
  const copy = (Array.isArray(body) ? [...body] : { ...body }) as Body;
  if (rest.length > 0) copy[step] = withField(copy[step] as Body, rest.join('.'), value);
  else if (value === undefined) delete copy[step];
  else copy[step] = value;
  return copy as T;
}

export function fieldAt(body: unknown, path: string): unknown {
  const steps = path.split('.').filter((step) => step !== '');
  return steps.reduce((value, step) => (value as Body)[step], body);
}

/** A number with its exact text in the request, such as `10.0`, which JSON.stringify would write as 10. */
export function literal(text: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}

/** A character outside the basic plane: one code point, two UTF-16 units, four bytes. Lengths count code points. */
const WIDE = '😀';

export function required(kind: Kind): Kind {
  return {
    fitting: kind.fitting,
    offending: [
      ...kind.offending,
      { what: 'nothing at all', sent: undefined, code: 'REQUIRED' },
      { what: 'null', sent: null, code: 'INVALID_TYPE' },
    ],
  };
}

/** A field that is empty if omitted or null. */
export function optional(kind: Kind): Kind {
  return {
    fitting: [
      ...kind.fitting,
      { what: 'nothing at all', sent: undefined, shown: null },
      { what: 'null', sent: null, shown: null },
    ],
    offending: kind.offending,
  };
}

/** A field that has this value if omitted; null is refused as another type. */
export function defaulted(kind: Kind, shown: unknown): Kind {
  return {
    fitting: [...kind.fitting, { what: 'nothing at all', sent: undefined, shown }],
    offending: [...kind.offending, { what: 'null', sent: null, code: 'INVALID_TYPE' }],
  };
}

const OF_EACH_TYPE = {
  'a text': 'text',
  'a number': 5,
  'a boolean': true,
  'a list': [],
  'an object': {},
};

/** A value of each JSON type except these. Null is covered by the presence of the field. */
export function otherTypes(...own: (keyof typeof OF_EACH_TYPE)[]): Offending[] {
  return Object.entries(OF_EACH_TYPE)
    .filter(([type]) => !own.some((each) => each === type))
    .map(([what, sent]) => ({ what, sent, code: 'INVALID_TYPE' }));
}

/** Characters that no text may contain, because of PostgreSQL, UTF-8 or terminals. */
const UNPRINTABLE: Offending[] = [
  ['NUL', 'a\0b'],
  ['a tab', 'a\tb'],
  ['a line feed', 'a\nb'],
  ['a carriage return', 'a\rb'],
  ['an escape', 'a\u001bb'],
  ['a delete', 'a\u007fb'],
  ['a C1 control', 'a\u0085b'],
  ['the first half of a surrogate pair', 'a\ud83d'],
  ['the second half of a surrogate pair', '\ude00b'],
  ['a surrogate pair the wrong way round', '\ude00\ud83d'],
].map(([what = '', sent]) => ({ what, sent, code: 'INVALID_VALUE' }));

const BLANK = [
  ['an empty text', ''],
  ['spaces', '   '],
  ['no-break and ideographic spaces', '\u00a0\u3000'],
  ['characters that show nothing', '\u200b\u2060\u00ad'],
].map(([what = '', sent]) => ({ what, sent }));

function text(lengthMax: number): Kind {
  return {
    fitting: [
      { what: 'one character', sent: 'a' },
      { what: `${lengthMax} characters`, sent: WIDE.repeat(lengthMax) },
      { what: 'text with spaces around it', sent: ' a b ' },
      { what: 'text that means something to SQL', sent: `'--%_\\"`.slice(0, lengthMax) },
      { what: 'letters of many scripts', sent: 'Ж語 عé\u0301'.slice(0, lengthMax) },
    ],
    offending: [
      ...otherTypes('a text'),
      ...UNPRINTABLE,
      { what: `${lengthMax + 1} characters`, sent: WIDE.repeat(lengthMax + 1), code: 'TOO_LONG' },
    ],
  };
}

/** One line that must not be blank. */
export function filledLine(lengthMax: number): Kind {
  const { fitting, offending } = text(lengthMax);
  const blank: Offending[] = BLANK.map((value) => ({ ...value, code: 'TOO_SHORT' }));
  return { fitting, offending: [...offending, ...blank] };
}

/** One line that may be blank, which is shown as null. */
export function looseLine(lengthMax: number): Kind {
  const { fitting, offending } = text(lengthMax);
  return { fitting: [...fitting, ...BLANK.map((value) => ({ ...value, shown: null }))], offending };
}

export function oneOf(values: readonly string[]): Kind {
  const [first = ''] = values;
  return {
    fitting: values.map((value) => ({ what: value, sent: value })),
    offending: [
      ...otherTypes('a text'),
      { what: 'lower case', sent: first.toLowerCase(), code: 'INVALID_ENUM' },
      { what: 'a value with a space', sent: `${first} `, code: 'INVALID_ENUM' },
      { what: 'a value of no list', sent: 'NO_SUCH_VALUE', code: 'INVALID_ENUM' },
      { what: 'an empty text', sent: '', code: 'INVALID_ENUM' },
    ],
  };
}

export const legalForm = oneOf(LEGAL_FORMS);

export const yesOrNo: Kind = {
  fitting: [
    { what: 'true', sent: true },
    { what: 'false', sent: false },
  ],
  offending: otherTypes('a boolean'),
};

export const seconds: Kind = {
  fitting: [
    { what: 'the first second', sent: 0 },
    { what: 'the last second', sent: UNIX_SECONDS_MAX },
    { what: '10.0', sent: literal('10.0'), shown: 10 },
    { what: '1e3', sent: literal('1e3'), shown: 1000 },
    { what: '-0', sent: literal('-0'), shown: 0 },
  ],
  offending: [
    ...otherTypes('a number'),
    { what: 'a number in quotes', sent: '1700000000', code: 'INVALID_TYPE' },
    { what: '10.5', sent: 10.5, code: 'INVALID_TYPE' },
    { what: 'a second before 1970', sent: -1, code: 'TOO_SMALL' },
    { what: 'one second more', sent: UNIX_SECONDS_MAX + 1, code: 'TOO_BIG' },
    { what: 'milliseconds of the year 9999', sent: 253_402_300_799_000, code: 'TOO_BIG' },
    { what: '2^53', sent: literal('9007199254740992'), code: 'TOO_BIG' },
    { what: '2^63', sent: literal('9223372036854775808'), code: 'TOO_BIG' },
    { what: '1e400', sent: literal('1e400'), code: 'TOO_BIG' },
    { what: '1e-400', sent: literal('1e-400'), code: 'INVALID_VALUE' },
  ],
};

export const externalId: Kind = {
  fitting: [
    { what: 'one character', sent: 'x' },
    { what: '100 characters', sent: 'x'.repeat(100) },
    { what: 'every kind of character it may have', sent: '-_azAZ09' },
    { what: 'a hyphen alone', sent: '-' },
    { what: 'the name of a property of every object', sent: 'constructor' },
  ],
  offending: [
    ...otherTypes('a text'),
    { what: 'an empty text', sent: '', code: 'TOO_SHORT' },
    { what: '101 characters', sent: 'x'.repeat(101), code: 'TOO_LONG' },
    ...['a b', 'a.b', 'a/b', 'a:b', 'a\n', 'ä', 'ａ', '../a', WIDE].map(
      (sent): Offending => ({ what: JSON.stringify(sent), sent, code: 'INVALID_FORMAT' }),
    ),
    { what: 'a text with NUL', sent: 'a\0', code: 'INVALID_VALUE' },
  ],
};
