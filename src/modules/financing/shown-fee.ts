/** A fee as the API shows it. */
import type { Currency } from '#kernel/currency';
import type { ServiceFee } from '#modules/services';
import type { ComputedFee } from './service-fee.rules.ts';

export function toServiceFee(fee: ComputedFee, currency: Currency): ServiceFee {
  return {
    net: fee.fee_net,
    tax: fee.fee_tax,
    gross: fee.fee_net + fee.fee_tax,
    currency,
    tax_category: fee.fee_tax_category,
    tax_basis_points: fee.fee_tax_basis_points,
  };
}
