import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type LatePaymentLaw,
  type ReferenceRates,
  readLatePaymentLaw,
  readReferenceRates,
} from './late-payment-law.schemas.ts';
import { LAW_COUNTRIES, latePaymentLawOf, shippedReferenceRates } from './late-payment-laws.ts';

const FOLDER = new URL('../../../policies/late-payment/', import.meta.url);
const german = () => JSON.parse(readFileSync(new URL('DE.json', FOLDER), 'utf8')) as LatePaymentLaw;
const rates = () =>
  JSON.parse(readFileSync(new URL('reference-rates.json', FOLDER), 'utf8')) as ReferenceRates;
const faultsOf = (law: object) => readLatePaymentLaw(JSON.stringify(law));
const rateFaultsOf = (file: object) => readReferenceRates(JSON.stringify(file));

describe('policies/late-payment', () => {
  it('has a file for each country, and no other', () => {
    const files = readdirSync(FOLDER).sort();
    expect(files).toEqual(
      ['README.md', ...LAW_COUNTRIES.map((country) => `${country}.json`), 'reference-rates.json'].sort(),
    );
  });

  it.each(LAW_COUNTRIES)('%s is valid and names series that exist', (country) => {
    const law = latePaymentLawOf(country) as LatePaymentLaw;
    const codes = shippedReferenceRates().series.map(({ code }) => code);
    const named = [
      ...[...law.interest, ...law.interest_of_public_bodies].map(
        ({ value }) => value?.reference_rate ?? null,
      ),
      ...law.compensation.map(({ value }) => value?.conversion?.rate ?? null),
    ].filter((code) => code !== null);
    expect(law.country).toBe(country);
    expect(codes).toEqual(expect.arrayContaining(named));
    expect(law.notice).toContain('Check every value before production');
  });

  it('has no law of other countries', () => {
    expect(latePaymentLawOf('BR')).toBeUndefined();
    expect(latePaymentLawOf('../reference-rates')).toBeUndefined();
  });
});

describe('a law', () => {
  it('is refused with a sentence for each fault', () => {
    const law = german();
    const [interest] = law.interest;
    expect(faultsOf({ ...law, interest: [] })).toEqual({ faults: ['interest must have at least 1 items'] });
    expect(faultsOf({ ...law, interest: [interest, interest] })).toEqual({
      faults: ['interest.1.valid_from is not after the one before'],
    });
    expect(faultsOf({ ...law, interest: [{ ...interest, valid_from: '2023-02-30' }] })).toEqual({
      faults: ['interest.0.valid_from is no day'],
    });
    expect(readLatePaymentLaw('{')).toHaveProperty('faults');
  });

  it('is refused if the tiers of its compensation do not begin at 0 and ascend', () => {
    const law = german();
    const tiers = [
      { from_minor: 100, amount_minor: 1 },
      { from_minor: 100, amount_minor: 2 },
    ];
    const compensation = [
      { valid_from: '2020-01-01', source: 'x', value: { currency: 'EUR', tiers, conversion: null } },
    ];
    expect(faultsOf({ ...law, compensation })).toEqual({
      faults: ['compensation.0.tiers must begin at 0', 'compensation.0.tiers must ascend'],
    });
  });
});

describe('public holidays', () => {
  const faultsOfDay = (...days: string[]) => {
    const value = days.map((day) => ({ name: 'A day', day }));
    return faultsOf({ ...german(), public_holidays: [{ valid_from: '2020-01-01', source: 'x', value }] });
  };

  it('are a date of each year or of one, a Friday from a date on, or so many days from Easter', () => {
    const days = ['12-25', '2024-02-29', 'FRIDAY_FROM_06-19', 'EASTER-2', 'ORTHODOX_EASTER+50'];
    expect(faultsOfDay(...days)).toHaveProperty('law');
  });

  it.each(['02-30', '2023-02-29', 'FRIDAY_FROM_11-31'])('are not %s', (day) => {
    expect(faultsOfDay('12-25', day)).toEqual({
      faults: ['public_holidays.0.value.1.day is no day'],
    });
  });

  it.each(['Easter', 'EASTER', 'EASTER+100', 'MONDAY_FROM_06-19', '13-01'])('are not written %s', (day) => {
    expect(faultsOfDay(day)).toHaveProperty('faults');
  });
});

describe('reference rates', () => {
  it('are refused with a sentence for each fault', () => {
    const [first] = rates().series;
    const [rate] = first?.rates ?? [];
    expect(rateFaultsOf({ series: [first, first] })).toEqual({
      faults: ['series.1 is the second of ECB_MRO'],
    });
    expect(rateFaultsOf({ series: [{ ...first, rates: [rate, rate] }] })).toEqual({
      faults: ['series.0.rates.1.valid_from is not after the one before'],
    });
    expect(rateFaultsOf({ series: [{ ...first, known_until: '2020-01-01' }] })).toEqual({
      faults: ['series.0.known_until is before its last rate'],
    });
    expect(rateFaultsOf({ series: [{ ...first, known_until: '2027-02-29' }] })).toEqual({
      faults: ['series.0.known_until is no day'],
    });
    expect(
      rateFaultsOf({ series: [{ ...first, rates: [{ ...rate, ten_thousandths: 2.5 }] }] }),
    ).toHaveProperty('faults');
  });
});
