/** The limits of what a credit note may credit. */
import type { Currency } from '#kernel/currency';
import { localDayOf } from '#kernel/local-day';
import { refusal } from '#kernel/problem';
import type { InvoiceRow } from './invoice.queries.ts';

/** Minor units. */
export interface CreditedAmount {
  net: number;
  tax: number;
  gross: number;
}

export interface CreditNoteRequest {
  amount: CreditedAmount;
  /** Null stands for the currency of the invoice. */
  currency: Currency | null;
  /** Unix seconds. */
  invoicedAt: number;
  /** The time zone of the platform, in which days are counted. */
  timeZone: string;
}

type CreditedInvoice = Pick<
  InvoiceRow,
  | 'external_id'
  | 'status'
  | 'invoiced_at'
  | 'currency'
  | 'amount_net'
  | 'amount_tax'
  | 'amount_gross'
  | 'credit_notes'
>;

/** The amounts that can still be credited: net, tax and gross of the invoice, each less its credit notes. */
export function creditableOf(invoice: CreditedInvoice): CreditedAmount {
  return {
    net: invoice.amount_net - invoice.credit_notes.net,
    tax: invoice.amount_tax - invoice.credit_notes.tax,
    gross: invoice.amount_gross - invoice.credit_notes.gross,
  };
}

/**
 * Throws INVOICE_NOT_CREDITABLE and CREDIT_NOTE_EXCEEDS_INVOICE. Net and tax are limited separately, so that the credit notes of a
 * cancelled invoice take back exactly the tax that it showed (VAT Directive, Article 90).
 */
export function assertCreditable(invoice: CreditedInvoice, request: CreditNoteRequest): void {
  const { external_id, status, currency, invoiced_at } = invoice;
  const refuse = (sentence: string) =>
    refusal('INVOICE_NOT_CREDITABLE', sentence, {
      invoice_external_id: external_id,
      status,
      currency,
      invoiced_at,
    });
  if (status === 'CANCELLED') throw refuse('The invoice is cancelled, so it cannot be credited');
  if ((request.currency ?? currency) !== currency) throw refuse(`The invoice is in ${currency}`);
  // Days are compared because many callers send midnight.
  if (localDayOf(request.invoicedAt, request.timeZone) < localDayOf(invoiced_at, request.timeZone))
    throw refuse('The credit note has an earlier date than the invoice');
  const creditable = creditableOf(invoice);
  const exceeded = (['gross', 'net', 'tax'] as const).find((part) => request.amount[part] > creditable[part]);
  if (!exceeded) return;
  throw refusal(
    'CREDIT_NOTE_EXCEEDS_INVOICE',
    `The invoice has ${creditable[exceeded]} of its ${exceeded} amount left to credit`,
    { requested: request.amount, available: creditable, currency },
  );
}
