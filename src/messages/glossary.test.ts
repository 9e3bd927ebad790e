import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '#kernel/language';
import { catalogueOf } from '#messages';
import { faultsOfTerms, termGlossaryOf } from '#test/term-glossaries';

const english = { glossary: termGlossaryOf('EN'), catalogue: catalogueOf('EN') };
const german = { glossary: termGlossaryOf('DE'), catalogue: catalogueOf('DE') };

describe.each(LANGUAGES)('the glossary of %s', (language) => {
  it('has each term, and the words of the catalogue', () => {
    const glossary = termGlossaryOf(language);
    expect(faultsOfTerms(language, { glossary, catalogue: catalogueOf(language) }, english)).toEqual([]);
  });
});

describe('a text that says a term with another word', () => {
  it('is found in one formality', () => {
    const fees = { NEUTRAL: 'Gebühr: {amount}', FORMAL: 'Kosten: {amount}', INFORMAL: 'Gebühr: {amount}' };
    const catalogue = { ...german.catalogue, 'payment.fee': fees };
    expect(faultsOfTerms('DE', { ...german, catalogue }, english)).toEqual([
      'payment.fee: says “fee” without “Gebühr”',
    ]);
  });

  it('is allowed where the glossary says so, and only as long as it is needed', () => {
    const glossary = { ...german.glossary, without: { ...german.glossary.without, fee: ['payment.fee'] } };
    expect(faultsOfTerms('DE', { ...german, glossary } as typeof german, english)).toEqual([
      'without: payment.fee of fee is needless',
    ]);
  });
});

it('a glossary without a term is found', () => {
  const { fee, ...terms } = german.glossary.terms;
  expect(fee).toEqual(['Gebühr']);
  expect(faultsOfTerms('DE', { ...german, glossary: { ...german.glossary, terms } }, english)).toEqual([
    expect.stringMatching(/^must have the terms order, company, /),
  ]);
});
