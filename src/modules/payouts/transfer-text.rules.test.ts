import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { transferReference, transferText } from './transfer-text.rules.ts';

describe('transferText', () => {
  it.each([
    ['Nordlicht Kaffeerösterei GmbH', 'Nordlicht Kaffeerosterei GmbH'],
    ['Straße & Söhne', 'Strasse + Sohne'],
    ['Łódź Żółw sp. z o.o.', 'Lodz Zolw sp. z o.o.'],
    ['Ελληνικά', 'Ellinika'],
    ['«Quoted» <tag> "x"', 'Quoted tag x'],
    ['a   b', 'a b'],
    ['  ', ''],
    ["O'Neill (London), Ltd: 1/2 + 3?", "O'Neill (London), Ltd: 1/2 + 3?"],
    ['e\u0301clair', 'eclair'],
  ])('writes %j as %j', (text, written) => expect(transferText(text, 70)).toBe(written));

  it('cuts to a length, without a space at the end', () => {
    expect(transferText('abcd efgh', 6)).toBe('abcd e');
    expect(transferText('abcd efgh', 5)).toBe('abcd');
    expect(transferText('ß'.repeat(40), 70)).toBe('s'.repeat(70));
  });

  it('writes any text in the characters of SEPA, within its length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 140 }), (text, length) => {
        const written = transferText(text, length);
        expect(written).toMatch(/^[A-Za-z0-9/\-?:().,'+ ]*$/);
        expect(written.length).toBeLessThanOrEqual(length);
        expect(written).toBe(written.trim());
      }),
    );
  });
});

describe('transferReference', () => {
  it.each([
    ['/a//b/', 'a/b'],
    ['Payout 12-ab', 'Payout 12-ab'],
    ['//', ''],
  ])('writes %j as %j', (text, written) => expect(transferReference(text, 35)).toBe(written));
});
