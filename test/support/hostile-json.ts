/** Request bodies of up to 256 KiB that are expensive to read, for the test and the bench of the JSON reader. */

export const BODY_BYTES_MAX = 256 * 1024;

export const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

const filled = (before: string, unit: string, after: string) =>
  before + unit.repeat((BODY_BYTES_MAX - before.length - after.length) / Buffer.byteLength(unit)) + after;

export const ORDINARY_BODY = Buffer.from(filled('[', '{"id":"a","amount":1000},', '0]'));

const keys = Array.from({ length: 10_000 }, (_, index) => `"key ${index}":0`).join(',');

/** Each with the code of the expected issue; undefined if it is accepted. */
export const HOSTILE_BODIES: readonly [name: string, body: string | Buffer, code: string | undefined][] = [
  ['10,000 levels', nested(10_000), 'TOO_BIG'],
  ['100,000 levels', nested(100_000), 'TOO_BIG'],
  ['100,000 levels never closed', '['.repeat(100_000), 'TOO_BIG'],
  ['objects all the way down', filled('', '{"a":', ''), 'TOO_BIG'],
  ['10,000 distinct keys', `{${keys}}`, undefined],
  ['10,000 keys, the last a duplicate', `{${keys},"key 0":0}`, 'INVALID_JSON'],
  ['two keys of 128 KiB', `{"${'k'.repeat(130_000)}":1,"${'k'.repeat(130_000)}":2}`, 'INVALID_JSON'],
  ['a number of 256 Ki digits', '9'.repeat(BODY_BYTES_MAX), 'TOO_BIG'],
  ['a fraction of 256 Ki zeros', filled('0.', '0', '1'), 'INVALID_VALUE'],
  ['digits that end in a letter', filled('1.', '1', 'x'), 'INVALID_JSON'],
  ['a string never closed', filled('"', 'a', ''), 'INVALID_JSON'],
  ['a string of escapes never closed', filled('"', '\\u0061', ''), 'INVALID_JSON'],
  ['backslashes', filled('"', '\\\\', ''), 'INVALID_JSON'],
  ['escaped surrogate pairs', filled('"', '\\ud83d\\ude00', '"'), undefined],
  ['empty objects', filled('[', '{},', '{"__proto__":0}]'), 'INVALID_VALUE'],
  ['small objects', filled('[', '{"a":0},', '{"__proto__":0}]'), 'INVALID_VALUE'],
  ['zeros', filled('[', '0,', '1e-400]'), 'INVALID_VALUE'],
  ['numbers with a fraction', filled('[', '1.0,', '0]'), undefined],
  ['numbers with a fraction, deep down', filled('['.repeat(31), '1.0,', `0${']'.repeat(31)}`), undefined],
  ['line breaks', filled('', '\n', 'x'), 'INVALID_JSON'],
  ['bytes that are no UTF-8', Buffer.alloc(BODY_BYTES_MAX, 0xc3), 'INVALID_JSON'],
  [
    'no UTF-8 in the last byte only',
    Buffer.concat([Buffer.alloc(BODY_BYTES_MAX - 1, 0x20), Buffer.of(0xff)]),
    'INVALID_JSON',
  ],
];
