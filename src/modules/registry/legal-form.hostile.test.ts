import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patience } from '#test/patience';
import { readLegalForm, stripLegalForm } from './legal-form.rules.ts';
import { LOCAL_FORMS } from './legal-forms/local-forms.ts';

const HOSTILE = [
  'a.',
  '& ',
  ' & co ',
  'gmbh ',
  's. ',
  'sp. z o.o. ',
  'gesellschaft mit ',
  'societe a responsabilite ',
  '(',
  ')',
  '()',
  '株式会社',
  '㈱',
  '"',
  '-',
  ' ',
  '\u0000',
  '\u0301',
  '.*+?^$',
  '🦊',
  'x',
  'ﷺ',
];
const LENGTH = 10_000;

/** A search that takes the square of the length would take minutes. */
const MILLISECONDS_MAX = patience(1);

function milliseconds(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

describe('10,000 characters of nothing but', () => {
  it.each(HOSTILE)('%j are done with at once', (text) => {
    const long = text.repeat(Math.ceil(LENGTH / text.length));
    const taken = milliseconds(() => {
      for (const country of ['DE', 'JP', undefined]) {
        stripLegalForm(long, country);
        stripLegalForm(`AB ${long} GmbH`, country);
        readLegalForm(long, country ?? '');
      }
    });
    expect(taken).toBeLessThan(MILLISECONDS_MAX);
  });
});

const country = fc.constantFrom(undefined, 'XX', ...LOCAL_FORMS.keys());
const affix = fc.constantFrom(...[...LOCAL_FORMS.values()].flat().flatMap(({ affixes }) => affixes));
const name = fc
  .array(
    fc.oneof(
      affix,
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.constantFrom('&', ' Co. ', ' ', '-', '(', ')'),
    ),
    {
      maxLength: 6,
    },
  )
  .map((parts) => parts.join(' '));

describe('whatever the name', () => {
  it('the stem is a part of it, and never empty where it is not', () => {
    fc.assert(
      fc.property(name, country, (text, of) => {
        const { stem, form } = stripLegalForm(text, of);
        expect(text).toContain(stem);
        expect(stem === text).toBe(form === null);
        if (text.trim() !== '') expect(stem.trim()).not.toBe('');
      }),
      { numRuns: 2_000 },
    );
  });

  it('reading it as a registry answers one of the seven values', () => {
    fc.assert(
      fc.property(name, country, (text, of) => {
        expect(readLegalForm(text, of ?? '').legal_form).toMatch(/^[A-Z_]+$/);
      }),
    );
  });
});
