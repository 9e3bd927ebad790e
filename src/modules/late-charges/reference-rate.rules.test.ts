import { describe, expect, it } from 'vitest';
import type { ReferenceRates } from './late-payment-law.schemas.ts';
import { MissingReferenceRate, rateOn, updatedRates } from './reference-rate.rules.ts';

const series = (code: string, known_until: string | null, rates: [string, number][]) => ({
  ...{ code, name: code, publisher: 'a bank', source: 'its site', known_until },
  rates: rates.map(([valid_from, ten_thousandths]) => ({ valid_from, ten_thousandths })),
});

const current: ReferenceRates = {
  series: [
    series('A_BASE', '2025-12-31', [
      ['2025-01-01', 200],
      ['2025-07-01', -88],
    ]),
    series('B_BASE', null, []),
  ],
};

describe('the reference rate of a day', () => {
  it.each([
    ['2025-01-01', 200],
    ['2025-06-30', 200],
    ['2025-07-01', -88],
    ['2025-12-31', -88],
  ])('is on %s the last one before: %s', (day, rate) => {
    expect(rateOn(current, 'A_BASE', day)).toBe(rate);
  });

  it.each([
    ['A_BASE', '2024-12-31'],
    ['A_BASE', '2026-01-01'],
    ['B_BASE', '2025-01-01'],
    ['C_BASE', '2025-01-01'],
  ])('is missing of %s on %s', (code, day) => {
    expect(() => rateOn(current, code, day)).toThrow(new MissingReferenceRate(code, day));
  });
});

describe('an update of reference rates', () => {
  const update: ReferenceRates = {
    series: [
      series('A_BASE', '2026-06-30', [
        ['2025-07-01', 150],
        ['2026-01-01', 175],
      ]),
      series('C_BASE', '2026-06-30', [['2026-01-01', 300]]),
    ],
  };

  it('replaces a series from the first day of the update on, and keeps the others', () => {
    const updated = updatedRates(current, update);
    expect(rateOn(updated, 'A_BASE', '2025-06-30')).toBe(200);
    expect(rateOn(updated, 'A_BASE', '2025-12-31')).toBe(150);
    expect(rateOn(updated, 'A_BASE', '2026-06-30')).toBe(175);
    expect(rateOn(updated, 'C_BASE', '2026-06-30')).toBe(300);
    expect(updated.series.map(({ code }) => code)).toEqual(['A_BASE', 'B_BASE', 'C_BASE']);
  });

  it('without rates says that the last one holds for longer', () => {
    const longer = updatedRates(current, { series: [series('A_BASE', '2026-12-31', [])] });
    expect(rateOn(longer, 'A_BASE', '2026-12-31')).toBe(-88);
    expect(rateOn(longer, 'A_BASE', '2025-01-01')).toBe(200);
  });
});
