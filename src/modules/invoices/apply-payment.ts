/** Unapplied cash: money that a buyer paid the platform and that settled no invoice yet settles another invoice of the buyer. */
import type { InvoiceColumns, InvoiceRow } from './invoice.queries.ts';
import type { SettlingContext } from './invoice-settlement.ts';
import { findChargeOrder } from './late-charges/charge-order.ts';
import { splitPayment } from './late-charges/late-charge.rules.ts';
import { payLateCharges } from './late-charges/settle-late-charges.ts';
import { lockPayment, type PaymentRow } from './payment.queries.ts';
import { unappliedOf } from './payment-view.ts';
import { lockToSettle, settleInvoice } from './settle-invoices.ts';

export interface PaymentApplication {
  paymentExternalId: string;
  invoiceExternalId: string;
  /** In minor units. Null: as much as is unapplied and as the invoice and its late charges still owe. */
  amountMinor: number | null;
}

/** Why unapplied cash cannot settle an invoice. Amounts are minor units of the payment's currency. */
export type ApplicationFault =
  | { fault: 'NO_SUCH_PAYMENT' | 'NO_SUCH_INVOICE' | 'NOTHING_UNAPPLIED' }
  | { fault: 'OTHER_BUYER'; paidBy: string; owedBy: string }
  | { fault: 'OTHER_CURRENCY'; owedIn: InvoiceColumns['currency'] }
  | { fault: 'NOT_OWED'; status: InvoiceColumns['status'] }
  | { fault: 'MORE_THAN_UNAPPLIED'; unappliedMinor: number }
  | { fault: 'MORE_THAN_OWED'; outstandingMinor: number };

export interface AppliedCash {
  fault: null;
  amountMinor: number;
  invoice: InvoiceColumns;
}

/** Settles an invoice and its late charges with unapplied cash of its buyer. Returns the fault and changes nothing if it cannot. */
export async function applyPayment(
  context: SettlingContext,
  { paymentExternalId, invoiceExternalId, amountMinor }: PaymentApplication,
): Promise<AppliedCash | ApplicationFault> {
  const invoice = (await lockToSettle(context, [invoiceExternalId])).get(invoiceExternalId);
  const key = { platformId: context.platformId, externalId: paymentExternalId };
  const payment = await lockPayment(context.db, key);
  if (!payment) return { fault: 'NO_SUCH_PAYMENT' };
  if (!invoice) return { fault: 'NO_SUCH_INVOICE' };
  const owedMinor = invoice.outstanding_amount;
  const chargedMinor = invoice.late_charges.outstanding;
  const wanted = amountMinor ?? Math.min(unappliedOf(payment), owedMinor + chargedMinor);
  const fault = faultOf(payment, invoice, wanted);
  if (fault) return fault;
  const order = await findChargeOrder(context, [invoice]);
  const { invoiceMinor, chargesMinor } = splitPayment(wanted, { owedMinor, chargedMinor }, order);
  const change = { cause: 'APPLICATION', payment, amountMinor: invoiceMinor } as const;
  const settled = invoiceMinor === 0 ? invoice : await settleInvoice(context, invoice, change);
  const { actor, now } = context;
  await payLateCharges(context, [
    { invoiceExternalId, payment, cause: 'APPLICATION', amountMinor: chargesMinor, actor, now },
  ]);
  return { fault: null, amountMinor: wanted, invoice: settled };
}

function faultOf(payment: PaymentRow, invoice: InvoiceRow, amountMinor: number): ApplicationFault | null {
  const unappliedMinor = unappliedOf(payment);
  if (unappliedMinor === 0) return { fault: 'NOTHING_UNAPPLIED' };
  if (payment.buyer_external_id !== invoice.buyer_external_id)
    return { fault: 'OTHER_BUYER', paidBy: payment.buyer_external_id, owedBy: invoice.buyer_external_id };
  if (payment.currency !== invoice.currency) return { fault: 'OTHER_CURRENCY', owedIn: invoice.currency };
  const { status, outstanding_amount, late_charges } = invoice;
  const outstandingMinor = outstanding_amount + late_charges.outstanding;
  if (outstandingMinor === 0) return { fault: 'NOT_OWED', status };
  if (amountMinor > unappliedMinor) return { fault: 'MORE_THAN_UNAPPLIED', unappliedMinor };
  return amountMinor > outstandingMinor ? { fault: 'MORE_THAN_OWED', outstandingMinor } : null;
}
