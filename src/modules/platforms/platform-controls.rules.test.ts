import { describe, expect, it } from 'vitest';
import { loosenedControls, type PlatformControls } from './platform-controls.rules.ts';
import { PLATFORM_CONTROLS } from './platform-settings.rules.ts';

const BEFORE: PlatformControls = {
  max_payment_term: 60,
  financing_currencies: ['EUR'],
  collection_currencies: ['EUR', 'GBP'],
  payout_term: 7,
  min_payout_business_day: 2,
  financing_default_days: 90,
  financing_review: 'ALWAYS',
  enrolls_merchants: false,
};
const loosened = (changes: Partial<PlatformControls>) => loosenedControls(BEFORE, { ...BEFORE, ...changes });

const LOOSER: Partial<PlatformControls>[] = [
  { max_payment_term: 61 },
  { financing_currencies: ['EUR', 'GBP'] },
  { collection_currencies: ['EUR', 'PLN'] },
  { payout_term: 6 },
  { min_payout_business_day: 1 },
  { financing_default_days: 91 },
  { financing_review: 'UNREADABLE_FILES' },
  { enrolls_merchants: true },
];

describe('loosenedControls', () => {
  it.each(LOOSER)('%j is looser', (changes) => {
    expect(loosened(changes)).toEqual(Object.keys(changes));
  });

  it('knows a looser value of every control', () => {
    expect(LOOSER.flatMap((changes) => Object.keys(changes))).toEqual(PLATFORM_CONTROLS);
  });

  it.each<Partial<PlatformControls>>([
    {},
    { max_payment_term: 0 },
    { financing_currencies: [] },
    { collection_currencies: ['GBP'] },
    { payout_term: 8 },
    { financing_review: 'ALWAYS' },
    { min_payout_business_day: 3 },
  ])('%j is not', (changes) => {
    expect(loosened(changes)).toEqual([]);
  });

  it('finds a looser control beside a stricter one', () => {
    expect(loosened({ max_payment_term: 30, payout_term: 0 })).toEqual(['payout_term']);
  });
});
