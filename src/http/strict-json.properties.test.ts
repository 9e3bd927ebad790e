import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { examineJson } from './json-examiner.ts';
import { readStrictJson } from './strict-json.ts';

const read = (text: string) => readStrictJson(Buffer.from(text));

describe('readStrictJson, compared with JSON.parse', () => {
  it('accepts whatever it would not change, in any spelling, and reads the same value', () => {
    fc.assert(
      fc.property(cleanValue, fc.gen(), (value, draw) => {
        const text = spell(value, draw);
        const reading = read(text);
        const { ok, value: result } = reading as { ok: boolean; value?: unknown };
        deepStrictEqual({ ok, value: result }, { ok: true, value: JSON.parse(text) });
        deepStrictEqual(result, value);
      }),
      { numRuns: 500 },
    );
  });

  it('refuses each culprit at its place, wherever it is planted', () => {
    const step = fc.oneof(fc.nat(3), fc.stringMatching(/^[a-z_]{1,8}$/));
    const culprits = [
      ['1e400', 'TOO_BIG', ''],
      ['9007199254740993', 'TOO_BIG', ''],
      ['1e-400', 'INVALID_VALUE', ''],
      ['"\\udfff"', 'INVALID_VALUE', ''],
      ['"\\u0000"', 'INVALID_VALUE', ''],
      ['{"__pr\\u006fto__":[]}', 'INVALID_VALUE', '.__proto__'],
      ['{"k":{"l":[]},"z":0,"\\u006b":0}', 'INVALID_JSON', '.k'],
    ] as const;
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 31 }),
        fc.constantFrom(...culprits),
        (steps, [culprit, code, suffix]) => {
          const text = steps.reduceRight<string>(
            (inner, at) =>
              typeof at === 'number' ? `[${'0,'.repeat(at)}${inner}]` : `{"!":{"!":0},"${at}":${inner}}`,
            culprit,
          );
          expect(read(text)).toMatchObject({
            issue: { code, path: ['body', ...steps].join('.') + suffix },
          });
        },
      ),
    );
  });

  it('never accepts what it refuses, nor calls a syntax error what it takes', () => {
    const edit = fc.record({
      at: fc.nat(),
      remove: fc.nat(2),
      insert: fc.constantFrom(
        '',
        '"',
        ':',
        ',',
        '{',
        '}',
        '[',
        ']',
        '\\',
        '\\u00',
        '-',
        '0',
        '1',
        '.',
        'e',
        't',
        '\n',
        '\0',
        '"a":1,',
        ',""',
        'é',
      ),
    });
    fc.assert(
      fc.property(cleanValue, fc.gen(), fc.array(edit, { maxLength: 4 }), (value, draw, edits) => {
        let text = spell(value, draw);
        for (const { at, remove, insert } of edits) {
          const start = at % (text.length + 1);
          text = text.slice(0, start) + insert + text.slice(start + remove);
        }
        const reading = read(text);
        const expected = parsed(Buffer.from(text).toString());
        if (reading.ok) deepStrictEqual(reading.value, expected?.value);
        else if (/^Line|^The body/.test(reading.issue.message)) expect(expected).toBeUndefined();
        // A body that looks clean never reaches the examiner, so the fast pass must not miss anything.
        const { value: _, ...rest } = reading as { value?: unknown };
        expect(rest).toEqual(examineJson(Buffer.from(text).toString()));
      }),
      { numRuns: 2000 },
    );
  });
});

/** JSON values without anything that is refused. */
const cleanText = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''));
const cleanKey = cleanText.filter((key) => key !== '__proto__');
const cleanNumber = fc.oneof(
  fc.maxSafeInteger(),
  fc.double({ min: -(2 ** 53) + 1, max: 2 ** 53 - 1, noNaN: true }),
);
const cleanValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(cleanText, cleanNumber, fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(cleanKey, tie('value'), { maxKeys: 8, noNullPrototype: true }),
  ),
})).value;

/** The value as JSON in one of its many spellings: white space, escapes, exponents. */
function spell(value: unknown, draw: fc.GeneratorValue): string {
  // By index: fast-check keeps every distinct call of an arbitrary, and looks through all of them at each draw.
  const one = (of: string[]) => of[draw(fc.nat, of.length - 1)] as string;
  const space = () => one(['', '', ' ', '\n', '\r\n\t']);
  const quoted = (text: string) => {
    const escaped = [...text].map((character) =>
      draw(fc.nat, 4) === 0
        ? character.replaceAll(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        : JSON.stringify(character).slice(1, -1),
    );
    return `"${escaped.join('')}"`;
  };
  const spelled = (part: unknown): string => {
    const entries = Array.isArray(part)
      ? part.map((item) => word(item))
      : Object.entries(part as object).map(
          ([key, item]) => `${space()}${quoted(key)}${space()}:${word(item)}`,
        );
    return Array.isArray(part) ? `[${entries.join(',') || space()}]` : `{${entries.join(',') || space()}}`;
  };
  const word = (part: unknown): string => {
    let text: string;
    if (typeof part === 'string') text = quoted(part);
    else if (typeof part === 'number') {
      const plain = Object.is(part, -0) ? '-0' : String(part);
      text = one([plain, part.toExponential().replace('e', 'E'), /[.e]/.test(plain) ? plain : `${plain}.0`]);
      if (Object.is(part, -0)) text = '-0.0e-7';
    } else text = typeof part === 'object' && part !== null ? spelled(part) : String(part);
    return space() + text + space();
  };
  return word(value);
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
