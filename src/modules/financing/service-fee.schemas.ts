import { type Static, Type } from 'typebox';
import { CountrySchema, closed, externalId, nullable, oneOf } from '#kernel/fields';
import { TAX_CATEGORIES } from '#modules/services';
import { RISK_BANDS } from '#modules/underwriting';
import { compileValidator } from '#operation/validation';
import type { ServiceFees } from './service-fee.rules.ts';

/** The full amount: a higher fee is a mistake. */
const PPM_MAX = 1_000_000;
const BASIS_POINTS_MAX = 10_000;

const day = Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$' });
const price = closed({
  base_ppm: Type.Integer({ minimum: 0, maximum: PPM_MAX }),
  daily_ppm: Type.Integer({ minimum: 0, maximum: PPM_MAX }),
});

const ServiceFeesFile = closed({
  prices: Type.Array(
    closed({
      service_type: oneOf(['FINANCING'] as const),
      merchant_external_id: nullable(externalId('The merchant')),
      risk_bands: closed(Object.fromEntries(RISK_BANDS.map((band) => [band, price]))),
    }),
    { minItems: 1, maxItems: 1_000 },
  ),
  taxes: Type.Array(
    closed({
      country: CountrySchema,
      has_vat_id: nullable(Type.Boolean()),
      category: oneOf(TAX_CATEGORIES),
      basis_points: Type.Integer({ minimum: 0, maximum: BASIS_POINTS_MAX }),
      from: day,
      until: nullable(day),
    }),
    { maxItems: 1_000 },
  ),
});

const issuesOf = compileValidator(ServiceFeesFile, 'body');

/** Parses the text of service fees; returns a sentence for each fault if it is invalid. */
export function readServiceFees(text: string): { fees: ServiceFees } | { faults: string[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { faults: [`it is not JSON (${(error as Error).message})`] };
  }
  const issues = issuesOf(value);
  if (issues.length > 0)
    return {
      faults: issues.map(({ path, message }) =>
        path === 'body' ? `it ${message}` : `${path.slice('body.'.length)} ${message}`,
      ),
    };
  const fees = value as Static<typeof ServiceFeesFile> as ServiceFees;
  const faults = contradictionsIn(fees);
  return faults.length > 0 ? { faults } : { fees };
}

/**
 * Checks what the schema cannot express: each merchant has one price, only a standard rate is above 0, and periods begin before they
 * end.
 */
function contradictionsIn({ prices, taxes }: ServiceFees): string[] {
  const merchants = prices.map(({ merchant_external_id }) => merchant_external_id);
  const starts = taxes.map(({ country, has_vat_id, from }) => `${country} ${has_vat_id} ${from}`);
  return [
    ...(merchants.includes(null) ? [] : ['prices has none for merchants without a price of their own']),
    ...prices.flatMap(({ merchant_external_id: merchant }, index) =>
      merchants.indexOf(merchant) === index
        ? []
        : [`prices.${index} is the second of ${merchant ?? 'all merchants'}`],
    ),
    ...taxes.flatMap(({ category, basis_points, from, until }, index) => [
      ...((category === 'S') === basis_points > 0
        ? []
        : [`taxes.${index} must have a rate above 0 exactly if its category is S`]),
      ...(until !== null && until < from ? [`taxes.${index} ends before it begins`] : []),
      ...(starts.indexOf(starts[index] as string) === index
        ? []
        : [`taxes.${index} begins on the day of another one`]),
    ]),
  ];
}
