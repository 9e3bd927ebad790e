import { describe, expect, it } from 'vitest';
import { HOSTILE_BODIES, nested, ORDINARY_BODY } from '#test/hostile-json';
import { readStrictJson } from './strict-json.ts';

const read = (body: string | Buffer) => readStrictJson(Buffer.from(body as string));

describe('readStrictJson', () => {
  describe('accepts', () => {
    it.each([
      ['a scalar', ' null '],
      ['the empty key', '{"":1}'],
      ['equal keys in different objects', '{"a":{"a":1},"b":[{"a":2},{"a":3}]}'],
      ['a key that looks like syntax', '{"a\\":1,\\"a":1}'],
      ['constructor and prototype as keys', '{"constructor":{"prototype":{"x":1}}}'],
      ['32 levels', nested(32)],
      ['brackets inside a string', `{"a":"${'['.repeat(100)}"}`],
      [
        'the largest integers',
        '[9007199254740991,-9007199254740991,9.007199254740991e15,9007199254740991.0]',
      ],
      ['the smallest fraction', '[5e-324,1e-300,0.1e-3]'],
      ['every spelling of zero', '[0,-0,0.0,0e-400,0.000E-999,0e999]'],
      ['a surrogate pair, raw and escaped', '{"😀":"\\ud83d\\ude00"}'],
      ['text that speaks of escapes', '["\\\\ud800","\\\\u0000","\\u00e9","\\ud7ff","\\ue000"]'],
      ['control characters but NUL', '"\\u0001\\n\\u007f"'],
      ['a byte order mark that is not at the start', '"\ufeff"'],
    ])('%s', (_, text) => {
      expect(read(text)).toMatchObject({ ok: true, value: JSON.parse(text) });
    });
  });

  it.each([
    ['[1,-1,0]', []],
    ['["100.00","1E2"]', []],
    ['{"a":[1.5,0.25,1e-3]}', []],
    ['{"a":{"b":[1,100.00]},"c":1E2}', [['a', 'b', 1], ['c']]],
    ['[1e+2,-2.50e1,0.0,0e7]', [[0], [1], [2], [3]]],
    ['{"a.b":{"\\u0063":5.0}}', [['a.b', 'c']]],
    ['7.0', [[]]],
  ])('tells which integers of %s have a fraction or an exponent', (text, decimals) => {
    expect(read(text)).toEqual({ ok: true, value: JSON.parse(text), decimals });
  });

  describe('refuses, with the place', () => {
    it.each([
      [
        'a duplicate key',
        '{"a":1,"a":1}',
        'INVALID_JSON',
        'body.a',
        'The key "a" appears twice in one object.',
      ],
      [
        'a duplicate by escapes',
        '{"x":[{"a":1,"\\u0061":2}]}',
        'INVALID_JSON',
        'body.x.0.a',
        'The key "a" appears twice in one object.',
      ],
      [
        'a duplicate whose first value is dropped',
        '{"a":{"b":1},"a":2}',
        'INVALID_JSON',
        'body.a',
        'The key "a" appears twice in one object.',
      ],
      [
        '__proto__',
        '{"__proto__":{}}',
        'INVALID_VALUE',
        'body.__proto__',
        'The key "__proto__" is not allowed.',
      ],
      [
        '__proto__ by escapes',
        '[{"\\u005f_proto__":1}]',
        'INVALID_VALUE',
        'body.0.__proto__',
        'The key "__proto__" is not allowed.',
      ],
      [
        '33 levels',
        `{"a":${nested(32)}}`,
        'TOO_BIG',
        `body.a${'.0'.repeat(31)}`,
        'Objects and arrays may be nested at most 32 levels deep.',
      ],
      [
        'overflow',
        '[1,1e400]',
        'TOO_BIG',
        'body.1',
        '1e400 is beyond ±9007199254740991 (2^53 - 1), the largest exact integer.',
      ],
      [
        'negative overflow',
        '{"a":-1e400}',
        'TOO_BIG',
        'body.a',
        '-1e400 is beyond ±9007199254740991 (2^53 - 1), the largest exact integer.',
      ],
      [
        'an integer that would round',
        '{"line_items":[{"price":9007199254740993}]}',
        'TOO_BIG',
        'body.line_items.0.price',
        '9007199254740993 is beyond ±9007199254740991 (2^53 - 1), the largest exact integer.',
      ],
      [
        'underflow',
        '{"a":0,"b":-1e-400}',
        'INVALID_VALUE',
        'body.b',
        '-1e-400 is too close to 0 to be distinguished from it.',
      ],
      [
        'a lone surrogate',
        '{"a":"x\\uDC00"}',
        'INVALID_VALUE',
        'body.a',
        'The text contains half of a surrogate pair (\\ud800 to \\udfff).',
      ],
      [
        'a lone surrogate in a key',
        '{"\\ud800":1}',
        'INVALID_VALUE',
        'body.\ufffd',
        'The key contains half of a surrogate pair (\\ud800 to \\udfff).',
      ],
      ['NUL', '["\\u0000"]', 'INVALID_VALUE', 'body.0', 'The text contains NUL (\\u0000).'],
      [
        'NUL in a key',
        '{"a\\u0000b":1}',
        'INVALID_VALUE',
        'body.a\ufffdb',
        'The key contains NUL (\\u0000).',
      ],
    ])('%s', (_, text, code, path, message) => {
      expect(read(text)).toEqual({ ok: false, issue: { code, path, message } });
    });

    it.each([
      '1e300',
      '9007199254740992',
      '-9007199254740992',
      '9007199254740992.0',
      '1.7976931348623157e308',
      '9'.repeat(400),
    ])('the integer %s', (literal) =>
      expect(read(literal)).toMatchObject({ issue: { code: 'TOO_BIG', path: 'body' } }),
    );

    it.each(['1e-324', '-2E-400', `0.${'0'.repeat(400)}1`, `1${'0'.repeat(20)}e-999`])(
      'the vanishing %s',
      (literal) =>
        expect(read(`[${literal}]`)).toMatchObject({ issue: { code: 'INVALID_VALUE', path: 'body.0' } }),
    );
  });

  describe('refuses what is not JSON, with line and column', () => {
    it.each([
      ['', 'The body is empty.'],
      [' \n', 'The body is empty.'],
      ['\ufeff{}', 'The body starts with a byte order mark. Send it without one.'],
      [Buffer.of(0x7b, 0x22, 0xc3, 0x28), 'The body is not valid UTF-8 (see the byte at offset 3).'],
      [Buffer.of(0x22, 0xed, 0xa0, 0x80, 0x22), 'The body is not valid UTF-8 (see the byte at offset 2).'],
      [Buffer.of(0x22, 0xe2, 0x82), 'The body is not valid UTF-8 (its last character is incomplete).'],
      [Buffer.from('\ufeff{}', 'utf16le'), 'The body is not valid UTF-8 (see the byte at offset 0).'],
      ['{"a":1,\n "b" 2}', 'Line 2, column 6: expected ":" after the key, but found "2".'],
      ['{"a":1\r\n"b":2}', 'Line 2, column 1: expected "," or "}", but found a double quote.'],
      ['["😀",]', 'Line 1, column 6: expected another entry after the comma, but found "]".'],
      [
        "{'a':1}",
        `Line 1, column 2: expected a key in double quotes, but found "'". JSON strings use double quotes.`,
      ],
      ['{a:1}', 'Line 1, column 2: expected a key in double quotes, but found "a".'],
      [
        '[1] // done',
        'Line 1, column 5: expected nothing after the value, but found "/". JSON has no comments.',
      ],
      ['{"a":True}', 'Line 1, column 6: expected a value, but found "True".'],
      ['[NaN]', 'Line 1, column 2: expected a value, but found "NaN".'],
      ['[01]', 'Line 1, column 2: expected a value, but found "01".'],
      ['[1.]', 'Line 1, column 2: expected a value, but found "1.".'],
      ['{"a":', 'Line 1, column 6: expected a value, but the body ends.'],
      [
        '{"a":"b',
        'Line 1, column 8: expected the rest of a string and its closing quote, but the body ends.',
      ],
      [
        '"a\nb"',
        'Line 1, column 3: expected the rest of a string and its closing quote, but found a line break. Write it as \\n.',
      ],
      ['"\\x41"', 'Line 1, column 2: expected an escape such as \\n, \\" or \\u00e9, but found "\\".'],
      ['{\u00a0}', 'Line 1, column 2: expected a key in double quotes, but found U+00A0.'],
      ['"\0"', 'Line 1, column 2: expected the rest of a string and its closing quote, but found U+0000.'],
    ])('%j', (body, message) => {
      expect(read(body)).toEqual({ ok: false, issue: { code: 'INVALID_JSON', path: 'body', message } });
    });
  });

  it('keeps what it repeats of the body short and printable', () => {
    const reading = read(`{"${'k'.repeat(1000)}":{"\\u202e\\n":${'9'.repeat(1000)}}}`);
    expect(reading).toMatchObject({ issue: { path: `body.${'k'.repeat(100)}….\ufffd\ufffd` } });
    expect(reading).toMatchObject({ issue: { message: expect.stringMatching(/^9{100}… is beyond/) } });
  });

  describe('answers 256 KiB of malice in time that grows with the length, not with its square', () => {
    const milliseconds = (bytes: Buffer) => {
      const startedAtMs = performance.now();
      const reading = readStrictJson(bytes);
      return { reading, ms: performance.now() - startedAtMs };
    };
    it.each(HOSTILE_BODIES)('%s', (_, body, code) => {
      const bytes = Buffer.from(body as string);
      let fastestMs = Number.POSITIVE_INFINITY;
      let ordinaryMs = Number.POSITIVE_INFINITY;
      // The best of three runs, in turns: the test measures the work, not the load of the machine.
      for (let run = 0; run < 3; run += 1) {
        ordinaryMs = Math.min(ordinaryMs, milliseconds(ORDINARY_BODY).ms);
        const { reading, ms } = milliseconds(bytes);
        fastestMs = Math.min(fastestMs, ms);
        expect(reading.ok ? undefined : reading.issue.code).toBe(code);
      }
      // The slowest takes thirty times as long as an ordinary body. The square of the length would be 100,000 times.
      expect(fastestMs).toBeLessThan(100 * ordinaryMs);
    });
  });
});
