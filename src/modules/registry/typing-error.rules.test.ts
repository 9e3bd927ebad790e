import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNear, variantsOf } from './typing-error.rules.ts';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
const body = fc.constantFrom(...LETTERS);
const word = fc.array(body, { minLength: 3, maxLength: 40 }).map((letters) => letters.join(''));
const at = fc.nat({ max: 39 });

/** One letter too few, too many, another, or two neighbours swapped. */
const errors: Record<string, (word: string, at: number, body: string) => string> = {
  'a letter left out': (text, at) => text.slice(0, at) + text.slice(at + 1),
  'a letter put in': (text, at, extra) => text.slice(0, at) + extra + text.slice(at),
  'another letter': (text, at, other) => text.slice(0, at) + other + text.slice(at + 1),
  'two letters swapped': (text, at) =>
    text.slice(0, at) +
    text
      .slice(at, at + 2)
      .split('')
      .reverse()
      .join('') +
    text.slice(at + 2),
};

const share = (a: string, b: string) => {
  const variants = new Set(variantsOf('DE', a));
  return variantsOf('DE', b).some((variant) => variants.has(variant));
};

describe('a word', () => {
  for (const [title, err] of Object.entries(errors)) {
    it(`is near to itself with ${title}, and shares a variant with it`, () => {
      fc.assert(
        fc.property(word, at, body, (right, index, other) => {
          const wrong = err(right, index % right.length, other);
          // Words of two letters are compared exactly.
          if (wrong.length < 3) return;
          expect(isNear(right, wrong)).toBe(true);
          expect(isNear(wrong, right)).toBe(true);
          expect(share(right, wrong)).toBe(true);
        }),
      );
    });
  }

  it('is not near to one two errors away', () => {
    for (const [a, b] of [
      ['morgenrot', 'margenrat'],
      ['morgenrot', 'morgen'],
      ['morgenrot', 'omrgenrto'],
      ['abcd', 'badc'],
      ['abc', 'cab'],
      ['ab', 'ba'],
      ['ab', 'ac'],
      ['a', 'b'],
      ['', 'a'],
    ] as const) {
      expect(isNear(a, b), `${a} ${b}`).toBe(false);
      expect(isNear(b, a), `${b} ${a}`).toBe(false);
    }
  });

  it('shares no variant with itself in another country', () => {
    const abroad = new Set(variantsOf('AT', 'morgenrot'));
    expect(variantsOf('DE', 'morgenrot').filter((variant) => abroad.has(variant))).toEqual([]);
  });

  it('has a variant for each letter and one for itself, all of PostgreSQL’s int4', () => {
    const variants = variantsOf('DE', 'morgenrt');
    expect(new Set(variants).size).toBe(9);
    for (const variant of variants) expect(variant).toBe(variant | 0);
    expect(variantsOf('DE', 'ag')).toHaveLength(1);
  });
});
