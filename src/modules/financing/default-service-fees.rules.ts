/** The fees of a platform that has not set its own. */
import type { FeeTax, GradedBand, ServiceFees, ServicePrice } from './service-fee.rules.ts';

const PRICES: Record<GradedBand, ServicePrice> = {
  A1: { base_ppm: 2_000, daily_ppm: 150 },
  A2: { base_ppm: 2_500, daily_ppm: 180 },
  B1: { base_ppm: 4_000, daily_ppm: 220 },
  B2: { base_ppm: 5_000, daily_ppm: 260 },
  C1: { base_ppm: 7_500, daily_ppm: 320 },
  C2: { base_ppm: 9_000, daily_ppm: 380 },
  D1: { base_ppm: 12_000, daily_ppm: 450 },
  D2: { base_ppm: 15_000, daily_ppm: 550 },
};

/** Standard VAT rates in basis points, each with its first day, as of January 2026. */
const STANDARD_RATES: Record<string, readonly [basisPoints: number, from: string]> = {
  AT: [2000, '1984-01-01'],
  BE: [2100, '1996-01-01'],
  BG: [2000, '1999-01-01'],
  CY: [1900, '2014-01-13'],
  CZ: [2100, '2013-01-01'],
  DE: [1900, '2021-01-01'],
  DK: [2500, '1992-01-01'],
  EE: [2400, '2025-07-01'],
  ES: [2100, '2012-09-01'],
  FI: [2550, '2024-09-01'],
  FR: [2000, '2014-01-01'],
  GR: [2400, '2016-06-01'],
  HR: [2500, '2012-03-01'],
  HU: [2700, '2012-01-01'],
  IE: [2300, '2021-03-01'],
  IT: [2200, '2013-10-01'],
  LT: [2100, '2009-09-01'],
  LU: [1700, '2024-01-01'],
  LV: [2100, '2012-07-01'],
  MT: [1800, '2004-01-01'],
  NL: [2100, '2012-10-01'],
  PL: [2300, '2011-01-01'],
  PT: [2300, '2011-01-01'],
  RO: [2100, '2025-08-01'],
  SE: [2500, '1990-07-01'],
  SI: [2200, '2013-07-01'],
  SK: [2300, '2025-01-01'],
};
/** Services to businesses in other countries are taxed there (VAT Directive, Article 44). */
const SINCE = '2010-01-01';

const tax = (more: Pick<FeeTax, 'country' | 'has_vat_id' | 'category'> & Partial<FeeTax>): FeeTax => ({
  basis_points: 0,
  from: SINCE,
  until: null,
  ...more,
});

/**
 * The fees of a platform in this country. Tax: the standard rate at home and, for merchants without a VAT id, in the rest of the Union;
 * reverse charge for merchants with one. Elsewhere the service is not offered until an operator sets a tax.
 */
export function defaultServiceFees(country: string): ServiceFees {
  const prices: ServiceFees['prices'] = [
    { service_type: 'FINANCING', merchant_external_id: null, risk_bands: PRICES },
  ];
  const home = STANDARD_RATES[country];
  if (!home) return { prices, taxes: [] };
  const [basis_points, from] = home;
  const standard = { category: 'S', basis_points, from } as const;
  const abroad = Object.keys(STANDARD_RATES).filter((each) => each !== country);
  return {
    prices,
    taxes: [
      tax({ country, has_vat_id: null, ...standard }),
      ...abroad.flatMap((each) => [
        tax({ country: each, has_vat_id: true, category: 'AE' }),
        tax({ country: each, has_vat_id: false, ...standard }),
      ]),
    ],
  };
}
