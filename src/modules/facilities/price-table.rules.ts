/** The price of credit: a share of the order's gross amount, by price class and payment term. */
import { halfEven } from '#kernel/half-even';
import type { PaymentTerm } from '#kernel/payment-term';
import type { PriceClass } from '#modules/underwriting';

/** Fees in basis points of the gross amount. A term that a class does not list is not offered to it. */
export type PriceTable = {
  tax_basis_points: number;
  fee_basis_points: Record<PriceClass, Partial<Record<PaymentTerm, number>>>;
};

/** Two weeks are free for the best class; longer terms cost the interest for their risk. */
export const DEFAULT_PRICE_TABLE: PriceTable = {
  tax_basis_points: 0,
  fee_basis_points: {
    A: {
      DEFER_3D: 0,
      DEFER_7D: 0,
      DEFER_14D: 0,
      DEFER_21D: 40,
      DEFER_30D: 75,
      DEFER_45D: 115,
      DEFER_60D: 155,
      DEFER_75D: 195,
      DEFER_90D: 235,
      DEFER_120D: 320,
      SPLIT_3M: 180,
      SPLIT_6M: 330,
    },
    B: {
      DEFER_3D: 0,
      DEFER_7D: 0,
      DEFER_14D: 30,
      DEFER_21D: 65,
      DEFER_30D: 110,
      DEFER_45D: 165,
      DEFER_60D: 220,
      DEFER_75D: 280,
      DEFER_90D: 340,
      DEFER_120D: 460,
      SPLIT_3M: 255,
      SPLIT_6M: 470,
    },
    C: {
      DEFER_3D: 0,
      DEFER_7D: 30,
      DEFER_14D: 75,
      DEFER_21D: 110,
      DEFER_30D: 165,
      DEFER_45D: 245,
      DEFER_60D: 330,
      DEFER_75D: 415,
      DEFER_90D: 500,
      SPLIT_3M: 375,
    },
    D: { DEFER_3D: 30, DEFER_7D: 60, DEFER_14D: 120, DEFER_21D: 175, DEFER_30D: 250 },
  },
};

const BASIS_POINTS = 10_000n;

/** Net, tax and gross of the fee in minor units. Each part is rounded once, half to even. */
export function feeOf(
  grossMinor: number,
  feeBasisPoints: number,
  taxBasisPoints: number,
): { net: number; tax: number; gross: number } {
  const exactNet = BigInt(grossMinor) * BigInt(feeBasisPoints);
  const net = halfEven(exactNet, BASIS_POINTS);
  const tax = halfEven(net * BigInt(taxBasisPoints), BASIS_POINTS);
  return { net: Number(net), tax: Number(tax), gross: Number(net + tax) };
}
