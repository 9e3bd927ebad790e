/** Payments as the API shows them. */
import type { Db } from '#infra/database/database';
import { type ChargeAllocation, listChargeAllocations } from './late-charges/late-charge.queries.ts';
import { type AllocationRow, listAllocations, type PaymentRow } from './payment.queries.ts';
import type { InvoicePayment } from './payment.schemas.ts';

/** The payments with the parts of invoices that they settle now. */
export async function showPayments(
  db: Db,
  platformId: number,
  rows: readonly PaymentRow[],
): Promise<InvoicePayment[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ external_id }) => external_id);
  const allocations = await listAllocations(db, platformId, ids);
  const ofCharges = await listChargeAllocations(db, platformId, ids);
  return rows.map((row) =>
    toInvoicePayment(
      row,
      allocations.filter(({ paymentId }) => paymentId === row.external_id),
      ofCharges.filter(({ paymentId }) => paymentId === row.external_id),
    ),
  );
}

/** A payment with the parts that it settles, in the order of invoices and instalments. */
export function toInvoicePayment(
  row: PaymentRow,
  allocations: readonly AllocationRow[],
  ofCharges: readonly ChargeAllocation[],
): InvoicePayment {
  return {
    external_id: row.external_id,
    invoice_external_id: row.invoice_external_id,
    order_external_id: row.order_external_id,
    buyer_external_id: row.buyer_external_id,
    merchant_external_id: row.merchant_external_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
    paid_at: row.paid_at,
    received_by: row.received_by,
    amount: row.amount,
    currency: row.currency,
    allocated_amount: row.allocated_amount,
    unapplied_amount: unappliedOf(row),
    reference: row.reference,
    allocations: allocations.map(({ invoiceExternalId, installment, feeMinor, goodsMinor }) => ({
      invoice_external_id: invoiceExternalId,
      installment,
      amount: feeMinor + goodsMinor,
      term_fee: feeMinor,
    })),
    late_charge_allocations: ofCharges.map(({ lateChargeExternalId, invoiceExternalId, amountMinor }) => ({
      late_charge_external_id: lateChargeExternalId,
      invoice_external_id: invoiceExternalId,
      amount: amountMinor,
    })),
    reversed_at: row.reversed_at,
    reversal_reason: row.reversal_reason,
  };
}

/** The part of a payment that settles nothing, in minor units. Only money that the platform received counts. */
export function unappliedOf({ received_by, reversed_at, amount, allocated_amount }: PaymentRow): number {
  return received_by === 'PLATFORM' && reversed_at === null ? amount - allocated_amount : 0;
}
