/** Issuing a credit note. The note and all changes of its invoice are one transaction. */
import { futureIssues } from '#kernel/clock-skew';
import { referenceNotFound } from '#kernel/missing-entity';
import { invalidRequest, refusal } from '#kernel/problem';
import { readLineItems } from '#modules/orders';
import { type Caller, isOfMerchant } from '#operation/caller';
import { creditNoteCreated } from './credit-note.events.ts';
import { type CreditNoteRow, insertCreditNote } from './credit-note.queries.ts';
import { assertCreditable } from './credit-note.rules.ts';
import type { CreditNoteCreation } from './credit-note.schemas.ts';
import type { InvoiceRow } from './invoice.queries.ts';
import { assertLineCurrency } from './invoice.rules.ts';
import type { SettlingContext } from './invoice-settlement.ts';
import { lockToSettle, settleInvoice } from './settle-invoices.ts';

/** The context of the request, with the caller's restriction to one merchant, if any. */
type IssuingContext = SettlingContext & { caller: Pick<Caller, 'merchantExternalId'> };

/**
 * Issues a credit note. The invoice is locked first, so of two concurrent credit notes that together exceed its amount, one is refused.
 * Throws IN_THE_FUTURE, REFERENCED_ENTITY_NOT_FOUND, EXTERNAL_ID_ALREADY_EXISTS, INVOICE_NOT_CREDITABLE and
 * CREDIT_NOTE_EXCEEDS_INVOICE.
 */
export async function issueCreditNote(
  context: IssuingContext,
  body: CreditNoteCreation,
): Promise<CreditNoteRow> {
  const { db, platformId, actor, now, timeZone } = context;
  const issues = futureIssues(body.invoiced_at ?? now, now, 'body.invoiced_at');
  if (issues.length > 0) throw invalidRequest(issues);
  const invoice = await lockNamedInvoice(context, body.invoice_external_id);
  assertLineCurrency(body, invoice.currency);
  const amount = { net: body.amount.net, tax: body.amount.tax ?? 0, gross: body.amount.gross };
  const invoicedAt = body.invoiced_at ?? now;
  // Inserted before the invoice is judged: a caller who repeats a request learns that the credit note exists, not that nothing is left to
  // credit.
  const note = await insertCreditNote(db, platformId, {
    external_id: body.external_id,
    created_at: now,
    updated_at: now,
    invoice_external_id: invoice.external_id,
    buyer_external_id: invoice.buyer_external_id,
    merchant_external_id: invoice.merchant_external_id,
    reason_code: body.reason_code,
    invoiced_at: invoicedAt,
    currency: invoice.currency,
    amount_net: amount.net,
    amount_tax: amount.tax,
    amount_gross: amount.gross,
    line_items: readLineItems(body.line_items, invoice.currency),
    actor,
  });
  if (!note)
    throw refusal('EXTERNAL_ID_ALREADY_EXISTS', 'A credit note with this external_id already exists');
  assertCreditable(invoice, { amount, currency: body.amount.currency ?? null, invoicedAt, timeZone });
  const change = {
    cause: 'CREDIT_NOTE',
    creditNoteExternalId: note.external_id,
    amountMinor: amount.gross,
  } as const;
  await settleInvoice(context, invoice, change, (settled) => creditNoteCreated(note, settled));
  return note;
}

/** To a key restricted to a merchant, invoices of other merchants do not exist. */
async function lockNamedInvoice(context: IssuingContext, externalId: string): Promise<InvoiceRow> {
  const { caller } = context;
  const invoice = (await lockToSettle(context, [externalId])).get(externalId);
  if (invoice && (!isOfMerchant(caller) || invoice.merchant_external_id === caller.merchantExternalId))
    return invoice;
  throw referenceNotFound('There is no invoice with this external_id', {
    field: 'body.invoice_external_id',
    value: externalId,
    remedy: 'GET /v1/invoices lists the invoices; POST /v1/invoices creates one.',
  });
}
