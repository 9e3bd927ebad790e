import { describe, expect, it } from 'vitest';
import type { Formality, Language } from '#kernel/language';
import { localeOfBuyer } from './buyer-locale.rules.ts';

const NONE = { language: null, formality: null, checkout_language: null, country: null };
const platform = (language: Language | null, formality: Formality = 'NEUTRAL') => ({
  language,
  formality,
  country: 'PL',
});

/** service.md, Buyer settings: "They control the language and formality of automated e-mails sent to the buyer". */
describe('how a buyer is written to', () => {
  it.each([
    [
      'in the language of its settings',
      { language: 'SV', checkout_language: 'FR', country: 'DE' },
      'IT',
      'SV',
    ],
    ['else in the one it chose in the checkout', { checkout_language: 'FR', country: 'DE' }, 'IT', 'FR'],
    ['else in that of its country', { country: 'DE' }, 'IT', 'DE'],
    ['else, as in a country whose language is not ours, in the platform’s', { country: 'TH' }, 'IT', 'IT'],
    ['else in the platform’s', {}, 'IT', 'IT'],
    ['else in that of the platform’s country', {}, null, 'PL'],
  ] as const)('%s', (_, buyer, ofPlatform, expected) => {
    expect(localeOfBuyer({ ...NONE, ...buyer }, platform(ofPlatform)).language).toBe(expected);
  });

  it('with the formality of its settings, else the platform’s', () => {
    expect(localeOfBuyer({ ...NONE, formality: 'INFORMAL' }, platform(null, 'FORMAL')).formality).toBe(
      'INFORMAL',
    );
    expect(localeOfBuyer(NONE, platform(null, 'FORMAL')).formality).toBe('FORMAL');
  });
});
