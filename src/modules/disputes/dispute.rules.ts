/** The limits of what can be disputed of an invoice, and of what an accepted dispute takes off it. Amounts are minor units. */
import { type Issue, invalidRequest, refusal } from '#kernel/problem';
import type { CreditedAmount, CreditNoteCreation, InvoiceRow } from '#modules/invoices';
import type { DisputeRow } from './dispute.queries.ts';
import type { DisputeCreation } from './dispute.schemas.ts';

/** Throws a 400 for a line that the invoice does not have, a line without an amount, another currency, or a file named twice. */
export function assertDisputeCreation(
  body: DisputeCreation,
  { currency, line_items }: Pick<InvoiceRow, 'currency' | 'line_items'>,
): void {
  const issues: Issue[] = [];
  const { line_number: lineNumber, file_external_ids: files = [] } = body;
  if (lineNumber != null && lineNumber > line_items.length)
    issues.push({
      ...{ code: 'INVALID_VALUE', path: 'body.line_number' },
      message: `the invoice has ${line_items.length} line items`,
    });
  if (lineNumber != null && body.amount == null)
    issues.push({
      ...{ code: 'REQUIRED', path: 'body.amount' },
      message: 'is required for a dispute about a line item',
    });
  if ((body.currency ?? currency) !== currency)
    issues.push({
      ...{ code: 'INVALID_VALUE', path: 'body.currency' },
      message: `must be the invoice's currency, ${currency}`,
    });
  for (const [index, file] of files.entries())
    if (files.indexOf(file) !== index)
      issues.push({
        ...{ code: 'INVALID_VALUE', path: `body.file_external_ids.${index}` },
        message: 'names the same file twice',
      });
  if (issues.length > 0) throw invalidRequest(issues);
}

/**
 * The amount of a new dispute: the requested one, or the outstanding amount without other open disputes. Throws INVOICE_NOT_DISPUTABLE
 * and DISPUTE_EXCEEDS_OUTSTANDING.
 */
export function disputableAmount(
  {
    status,
    outstanding_amount,
    disputed_amount,
    currency,
  }: Pick<InvoiceRow, 'status' | 'outstanding_amount' | 'disputed_amount' | 'currency'>,
  wantedMinor: number | null,
): number {
  if (status === 'CLOSED' || status === 'CANCELLED' || outstanding_amount === 0)
    throw refusal('INVOICE_NOT_DISPUTABLE', 'Nothing is owed on the invoice, so nothing can be disputed', {
      status,
    });
  const availableMinor = Math.max(0, outstanding_amount - disputed_amount);
  if (availableMinor > 0 && (wantedMinor ?? availableMinor) <= availableMinor)
    return wantedMinor ?? availableMinor;
  throw refusal(
    'DISPUTE_EXCEEDS_OUTSTANDING',
    `The invoice owes only ${availableMinor} in addition to its other open disputes`,
    { requested: wantedMinor, available: availableMinor, currency },
  );
}

/** The accepted amount: net, tax and gross, or a gross amount with tax in the proportion of the invoice. */
export type WantedAmount = { gross: number } & Partial<Pick<CreditNoteCreation['amount'], 'net' | 'tax'>>;

/**
 * The amount of the credit note for an accepted dispute. Without a requested amount: the disputed amount, as far as it can be credited.
 * Throws ACCEPTED_AMOUNT_EXCEEDS_DISPUTE.
 */
export function acceptedAmount(
  disputedMinor: number,
  creditable: CreditedAmount,
  wanted: WantedAmount | undefined,
): CreditedAmount {
  if (wanted && wanted.gross > disputedMinor)
    throw refusal('ACCEPTED_AMOUNT_EXCEEDS_DISPUTE', `Only ${disputedMinor} is disputed`, {
      requested: wanted.gross,
      disputed: disputedMinor,
    });
  if (wanted?.net !== undefined) return { net: wanted.net, tax: wanted.tax ?? 0, gross: wanted.gross };
  return inProportion(wanted?.gross ?? Math.min(disputedMinor, creditable.gross), creditable);
}

/** The tax is rounded half up. If a gross amount can be credited, so can its net and tax. */
function inProportion(grossMinor: number, creditable: CreditedAmount): CreditedAmount {
  if (creditable.gross === 0) return { net: grossMinor, tax: 0, gross: grossMinor };
  const [gross, tax, of] = [grossMinor, creditable.tax, creditable.gross].map(BigInt) as [
    bigint,
    bigint,
    bigint,
  ];
  const taxMinor = Number((2n * gross * tax + of) / (2n * of));
  return { net: grossMinor - taxMinor, tax: taxMinor, gross: grossMinor };
}

/**
 * Throws DISPUTED_PAYMENT_NOT_RECORDED if less than the amount of the dispute PAID_ALREADY was paid since it was opened: the buyer
 * would immediately owe that amount again.
 */
export function assertPaymentRecorded(
  { amount, invoice_paid_amount }: Pick<DisputeRow, 'amount' | 'invoice_paid_amount'>,
  { paid_amount, outstanding_amount }: Pick<InvoiceRow, 'paid_amount' | 'outstanding_amount'>,
): void {
  const missing = invoice_paid_amount + amount - paid_amount;
  if (missing <= 0 || outstanding_amount === 0) return;
  throw refusal(
    'DISPUTED_PAYMENT_NOT_RECORDED',
    'The payment is not recorded in full: record it first, then accept the dispute',
    { disputed: amount, missing },
  );
}
