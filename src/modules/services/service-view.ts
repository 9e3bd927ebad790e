import type { ServiceRow } from './service.queries.ts';
import type { InvoiceService } from './service.schemas.ts';

/** The service as the API shows it. */
export function toInvoiceService(row: ServiceRow): InvoiceService {
  const { currency } = row;
  return {
    external_id: row.external_id,
    invoice_external_id: row.invoice_external_id,
    merchant_external_id: row.merchant_external_id,
    service_type: row.service_type,
    status: row.status,
    created_at: row.created_at,
    updated_at: row.updated_at,
    terms_accepted_at: row.terms_accepted_at,
    requested_payout_at: row.requested_payout_at,
    requirements: row.requirements,
    base_amount: row.base_amount,
    fee: {
      net: row.fee_net,
      tax: row.fee_tax,
      gross: row.fee_gross,
      currency,
      tax_category: row.fee_tax_category,
      tax_basis_points: row.fee_tax_basis_points,
    },
    set_off_amount: row.set_off_amount,
    advance: { value: row.advance_amount, currency },
    accepted_at: row.accepted_at,
    paid_out_at: row.paid_out_at,
  };
}
