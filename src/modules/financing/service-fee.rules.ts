/** The fee of a service, which the merchant pays: base and daily rate by risk band, and the tax on it. */
import { halfEven } from '#kernel/half-even';
import { calendarDaysBetween } from '#kernel/local-day';
import type { TaxCategory } from '#modules/services';
import type { RISK_BANDS } from '#modules/underwriting';

/** The bands of buyers that have credit. */
export type GradedBand = (typeof RISK_BANDS)[number];

/** Millionths of the amount, and additional millionths for each day until the amount is due. */
export interface ServicePrice {
  base_ppm: number;
  daily_ppm: number;
}

/** The prices of a service for one merchant, or for all merchants without their own prices. */
export interface ServicePrices {
  service_type: 'FINANCING';
  merchant_external_id: string | null;
  risk_bands: Record<GradedBand, ServicePrice>;
}

/** How the fees of merchants of a country are taxed in a period. Days are inclusive. */
export interface FeeTax {
  country: string;
  /** Null: applies with and without a VAT id. */
  has_vat_id: boolean | null;
  category: TaxCategory;
  basis_points: number;
  from: string;
  until: string | null;
}

/** All prices and taxes of a platform. */
export interface ServiceFees {
  prices: ServicePrices[];
  taxes: FeeTax[];
}

/** The properties of a merchant on which its fees depend. */
export interface FeePayer {
  merchantExternalId: string;
  country: string;
  hasVatId: boolean;
}

/** A financed part of an amount, with its due day. */
export interface FinancedPart {
  amountMinor: number;
  dueOn: string;
}

export interface ComputedFee {
  fee_net: number;
  fee_tax: number;
  fee_tax_category: TaxCategory;
  fee_tax_basis_points: number;
}

const BASIS_POINTS = 10_000n;
const MILLION = 1_000_000n;

/** The fee in minor units, from `today` until the parts are due. Net and tax are each rounded once, half to even. */
export function serviceFeeOf(
  parts: readonly FinancedPart[],
  { base_ppm, daily_ppm }: ServicePrice,
  { category, basis_points }: FeeTax,
  today: string,
): ComputedFee {
  const exact = parts.reduce((sum, { amountMinor, dueOn }) => {
    const days = Math.max(0, calendarDaysBetween(today, dueOn));
    return sum + BigInt(amountMinor) * (BigInt(base_ppm) + BigInt(daily_ppm) * BigInt(days));
  }, 0n);
  const net = halfEven(exact, MILLION);
  return {
    fee_net: Number(net),
    fee_tax: Number(halfEven(net * BigInt(basis_points), BASIS_POINTS)),
    fee_tax_category: category,
    fee_tax_basis_points: basis_points,
  };
}

/** The tax on fees of the merchant on a day; undefined if there is no rate, in which case the service is not offered. */
export function feeTaxOf({ taxes }: ServiceFees, payer: FeePayer, day: string): FeeTax | undefined {
  const matching = taxes.filter(
    ({ country, has_vat_id, from, until }) =>
      country === payer.country &&
      (has_vat_id ?? payer.hasVatId) === payer.hasVatId &&
      from <= day &&
      (until === null || day <= until),
  );
  // The latest rate applies; among equals, a rate for the VAT id takes precedence over a rate for both.
  return matching.sort(
    (one, other) =>
      other.from.localeCompare(one.from) ||
      Number(one.has_vat_id === null) - Number(other.has_vat_id === null),
  )[0];
}

/** The prices of the merchant by risk band: its own, or else those of all merchants. */
export function servicePricesOf(
  { prices }: ServiceFees,
  merchantExternalId: string,
): ServicePrices | undefined {
  const of = (merchant: string | null) => prices.find((each) => each.merchant_external_id === merchant);
  return of(merchantExternalId) ?? of(null);
}

/** The known range of an invoice's fee: exact for a band, between two amounts without one. */
export interface FeeRange {
  lowest: ComputedFee;
  highest: ComputedFee;
}

/** The fee of the band or, without a band, the range from the cheapest to the most expensive. Undefined if no price or no tax is set. */
export function feeRangeOf(
  fees: ServiceFees,
  payer: FeePayer,
  { parts, band, today }: { parts: readonly FinancedPart[]; band: GradedBand | null; today: string },
): FeeRange | undefined {
  const prices = servicePricesOf(fees, payer.merchantExternalId);
  const tax = feeTaxOf(fees, payer, today);
  if (!prices || !tax) return undefined;
  const computed = (band === null ? Object.values(prices.risk_bands) : [prices.risk_bands[band]])
    .map((price) => serviceFeeOf(parts, price, tax, today))
    .sort((one, other) => one.fee_net - other.fee_net);
  return { lowest: computed[0] as ComputedFee, highest: computed.at(-1) as ComputedFee };
}
