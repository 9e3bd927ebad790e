import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultServiceFees } from './default-service-fees.rules.ts';
import {
  type FeePayer,
  type FeeTax,
  feeRangeOf,
  feeTaxOf,
  type ServiceFees,
  type ServicePrice,
  serviceFeeOf,
} from './service-fee.rules.ts';
import { readServiceFees } from './service-fee.schemas.ts';

const TODAY = '2026-01-01';
const taxOf = (basis_points: number): FeeTax => ({
  ...{ country: 'DE', has_vat_id: null, category: 'S', basis_points },
  ...{ from: '2021-01-01', until: null },
});
const part = (amountMinor: number, dueOn = '2026-01-31') => ({ amountMinor, dueOn });
const feeOf = (amountMinor: number, base_ppm: number, daily_ppm: number, taxBasisPoints = 1_900) => {
  const { fee_net, fee_tax } = serviceFeeOf(
    [part(amountMinor)],
    { base_ppm, daily_ppm },
    taxOf(taxBasisPoints),
    TODAY,
  );
  return [fee_net, fee_tax];
};

describe('the fee of a service', () => {
  it.each<[string, number[], number[]]>([
    ['nothing', [10_000, 0, 0], [0, 0]],
    ['a base and thirty days', [11_900, 4_000, 220], [126, 24]],
    ['a half below an even number', [50, 10_000, 0], [0, 0]],
    ['a half above an odd number', [150, 10_000, 0], [2, 0]],
    ['a half of tax to the even one', [3_000, 50_000, 0, 300], [150, 4]],
    ['the largest amount, to the cent', [1_000_000_000_000, 15_000, 550], [31_500_000_000, 5_985_000_000]],
  ])('is %s', (_, [amount, base, daily, tax], fee) => {
    expect(feeOf(amount as number, base as number, daily as number, tax)).toEqual(fee);
  });

  it('counts the days of each part, and none of one that was due', () => {
    const price = { base_ppm: 0, daily_ppm: 1_000 };
    const parts = [part(100_000, '2026-01-11'), part(100_000, '2026-01-21'), part(100_000, '2025-12-01')];
    expect(serviceFeeOf(parts, price, taxOf(0), TODAY).fee_net).toBe(1_000 + 2_000);
  });

  it('is never more than half a unit from the exact one', () => {
    const upTo = (max: number) => fc.integer({ min: 0, max });
    fc.assert(
      fc.property(upTo(1_000_000_000_000), upTo(1_000_000), upTo(10_000), (amount, base, daily) => {
        const [net] = feeOf(amount, base, daily, 0) as [number, number];
        const exact = BigInt(amount) * (BigInt(base) + 30n * BigInt(daily));
        const distance = BigInt(net) * 1_000_000n - exact;
        expect((distance < 0n ? -distance : distance) <= 500_000n).toBe(true);
      }),
    );
  });
});

describe('the tax of a fee', () => {
  const payer = (country: string, hasVatId: boolean): FeePayer => ({
    merchantExternalId: 'm',
    country,
    hasVatId,
  });
  const german = defaultServiceFees('DE');

  it.each<[string, FeePayer, [string, number] | undefined]>([
    ['at home', payer('DE', true), ['S', 1_900]],
    ['at home without a VAT id', payer('DE', false), ['S', 1_900]],
    ['in the Union with a VAT id', payer('FR', true), ['AE', 0]],
    ['in the Union without one', payer('FR', false), ['S', 1_900]],
    ['where nothing is set', payer('US', true), undefined],
  ])('is, by default, of a merchant %s', (_, of, expected) => {
    const tax = feeTaxOf(german, of, TODAY);
    expect(tax && [tax.category, tax.basis_points]).toEqual(expected);
  });

  it('ends with its last day, and begins with its first', () => {
    const rates = [
      { ...taxOf(1_600), from: '2025-01-01', until: '2025-12-31' },
      { ...taxOf(1_900), from: '2026-02-01' },
    ];
    const on = (day: string) => feeTaxOf({ prices: [], taxes: rates }, payer('DE', true), day)?.basis_points;
    expect([on('2024-12-31'), on('2025-12-31'), on('2026-01-01'), on('2026-02-01')]).toEqual([
      undefined,
      1_600,
      undefined,
      1_900,
    ]);
  });
});

describe('the price of a merchant', () => {
  const bandsOf = (daily_ppm: number) =>
    Object.fromEntries(
      Object.keys(defaultServiceFees('DE').prices[0]?.risk_bands ?? {}).map((band, nth) => [
        band,
        { base_ppm: 0, daily_ppm: daily_ppm * (nth + 1) } satisfies ServicePrice,
      ]),
    ) as ServiceFees['prices'][number]['risk_bands'];
  const fees: ServiceFees = {
    prices: [
      { service_type: 'FINANCING', merchant_external_id: null, risk_bands: bandsOf(100) },
      { service_type: 'FINANCING', merchant_external_id: 'own', risk_bands: bandsOf(10) },
    ],
    taxes: [taxOf(0)],
  };
  const rangeOf = (merchantExternalId: string, band: 'A2' | null) =>
    feeRangeOf(
      fees,
      { merchantExternalId, country: 'DE', hasVatId: true },
      { parts: [part(1_000_000)], band, today: TODAY },
    );

  it('is its own, else that of all, and exact for a band', () => {
    expect(rangeOf('own', 'A2')).toMatchObject({ lowest: { fee_net: 600 }, highest: { fee_net: 600 } });
    expect(rangeOf('another', 'A2')).toMatchObject({
      lowest: { fee_net: 6_000 },
      highest: { fee_net: 6_000 },
    });
  });

  it('is between the best and the worst band without one', () => {
    expect(rangeOf('own', null)).toMatchObject({ lowest: { fee_net: 300 }, highest: { fee_net: 2_400 } });
  });
});

describe('the file of service fees', () => {
  const valid = defaultServiceFees('DE');
  const [tax] = valid.taxes;
  const [prices] = valid.prices;

  it('can be the default', () => {
    expect(readServiceFees(JSON.stringify(valid))).toEqual({ fees: valid });
  });

  it.each<[string, unknown, RegExp]>([
    ['no JSON', '{', /^it is not JSON/],
    ['a list', [], /^it must be object$/],
    [
      'no price for all',
      { ...valid, prices: [{ ...prices, merchant_external_id: 'm' }] },
      /^prices has none/,
    ],
    ['two prices of one merchant', { ...valid, prices: [prices, prices] }, /^prices\.1 is the second/],
    ['a fraction', { ...valid, taxes: [{ ...tax, basis_points: 0.5 }] }, /basis_points must be integer/],
    [
      'a rate without tax',
      { ...valid, taxes: [{ ...tax, category: 'E' }] },
      /^taxes\.0 must have a rate above 0/,
    ],
    [
      'an end before the start',
      { ...valid, taxes: [{ ...tax, until: '1990-01-01' }] },
      /^taxes\.0 ends before/,
    ],
    ['the same start twice', { ...valid, taxes: [tax, tax] }, /^taxes\.1 begins on the day/],
    ['a country that does not exist', { ...valid, taxes: [{ ...tax, country: 'ZZ' }] }, /country/],
  ])('with %s is refused', (_, file, fault) => {
    const read = readServiceFees(typeof file === 'string' ? file : JSON.stringify(file));
    expect('faults' in read ? read.faults.join('; ') : '').toMatch(fault);
  });
});
