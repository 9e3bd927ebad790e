/** Documents about one invoice: the summary of what is owed, and the notice that its claim has moved. */
import type { DocumentBody, DocumentFact, DocumentPart } from '#infra/typesetting/document-body';
import { groupedIban } from '#kernel/iban';
import { localeOf } from '#messages';
import { type BuyerRow, findBuyer } from '#modules/buyers';
import {
  disputedOf,
  epcQrOf,
  type InvoiceRow,
  listLateChargesOfInvoice,
  listOwedEntries,
  type PaymentDetails,
  paymentDetailsOf,
  transferAmountOf,
} from '#modules/invoices';
import { statedLateCharges } from '#modules/late-charges';
import { findMerchant, type MerchantRow } from '#modules/merchants';
import type { Context } from '#operation/operation';
import {
  computationParts,
  type DocumentWriter,
  documentBodyOf,
  documentWriter,
  entriesTable,
} from './document-writer.ts';
import { withBalances } from './statement.ts';

export const INVOICE_DOCUMENT_KINDS = ['SUMMARY', 'ASSIGNMENT_NOTICE'] as const;
export type InvoiceDocumentKind = (typeof INVOICE_DOCUMENT_KINDS)[number];

/** The maximum number of entries in the history. Further ones are left out, but count in what is owed. */
const ENTRIES_MAX = 2_000;

/** Returns null for the notice of assignment if the claim still belongs to the merchant. */
export async function invoiceDocumentOf(
  context: Pick<Context, 'db' | 'platformId' | 'now' | 'timeZone' | 'vault' | 'isSandbox'>,
  invoice: InvoiceRow,
  kind: InvoiceDocumentKind,
): Promise<DocumentBody | null> {
  const { db, platformId } = context;
  const [buyer, merchant, details] = await Promise.all([
    findBuyer(db, { platformId, externalId: invoice.buyer_external_id }),
    findMerchant(db, { platformId, externalId: invoice.merchant_external_id }),
    paymentDetailsOf(context, invoice),
  ]);
  const { notice_of_assignment: notice } = details;
  if (kind === 'ASSIGNMENT_NOTICE' && notice === null) return null;
  const writer = await documentWriter(context, buyer as BuyerRow);
  const { text, shortDay, money } = writer.translator;
  const number = invoice.invoice_number ?? invoice.external_id;
  const facts: DocumentFact[] = [
    [text('document.invoice_number'), number],
    [text('document.invoice_date'), shortDay(invoice.invoiced_at)],
    [text('mail.seller'), merchant?.legal_name ?? invoice.merchant_external_id],
  ];
  const paragraphs = (notice?.text ?? '').split('\n').filter((line) => line !== '');
  const noticeParts: DocumentPart[] = paragraphs.map((paragraph) => ({ paragraph }));
  const payment = paymentParts(writer, { invoice, details, now: context.now });
  if (kind === 'ASSIGNMENT_NOTICE')
    return documentBodyOf(writer, {
      title: text('document.assignment_title'),
      madeAt: context.now,
      facts: [...facts, [text('document.outstanding'), money(owedOf(invoice), invoice.currency)]],
      parts: [...noticeParts, ...payment],
    });
  return documentBodyOf(writer, {
    title: text('document.summary_title'),
    madeAt: context.now,
    facts,
    parts: [
      ...(await summaryParts(context, writer, invoice)),
      ...payment,
      ...noticeParts,
      ...(await legalParts(context, writer, { invoice, merchant })),
    ],
  });
}

/** The statements that the law of the merchant's country requires on an invoice, in the language of that country. */
async function legalParts(
  { db }: Pick<Context, 'db'>,
  { platform, buyer }: DocumentWriter,
  { invoice, merchant }: { invoice: InvoiceRow; merchant: MerchantRow | undefined },
): Promise<DocumentPart[]> {
  const stated = merchant ? await statedLateCharges(db, { platform, merchant, buyer, invoice }) : null;
  if (stated === null) return [];
  return [{ paragraph: stated.sentences.join(' '), locale: localeOf(stated.language) }];
}

const owedOf = (invoice: InvoiceRow) => invoice.outstanding_amount + invoice.late_charges.outstanding;

async function summaryParts(
  { db, platformId, now, timeZone }: Pick<Context, 'db' | 'platformId' | 'now' | 'timeZone'>,
  writer: DocumentWriter,
  invoice: InvoiceRow,
): Promise<DocumentPart[]> {
  const { text } = writer.translator;
  const scope = {
    buyerExternalId: invoice.buyer_external_id,
    merchantExternalId: null,
    invoiceExternalId: invoice.external_id,
  };
  const [rows, charges] = await Promise.all([
    listOwedEntries(db, platformId, scope, { from: 0, until: now, countMax: ENTRIES_MAX }),
    listLateChargesOfInvoice(db, { platformId, externalId: invoice.external_id }),
  ]);
  return [
    entriesTable(writer, {
      entries: withBalances(rows, 0, timeZone),
      currency: invoice.currency,
      closing: owedOf(invoice),
    }),
    { heading: text('payment.instalments') },
    instalmentsTable(writer, invoice),
    ...computationParts(writer, charges),
  ];
}

function instalmentsTable(
  { translator: { text, money }, dayText }: DocumentWriter,
  { currency, installments, status }: InvoiceRow,
): DocumentPart {
  const amount = (minor: number) => money(minor, currency);
  return {
    columns: [
      { title: text('document.due_date'), align: 'start', isWide: true },
      { title: text('document.amount'), align: 'end' },
      { title: text('document.settled'), align: 'end' },
      { title: text('document.outstanding'), align: 'end' },
    ],
    rows: installments.map((each) => {
      const claim = each.amount + each.fee_amount;
      const settled = each.paid_amount + each.credited_amount;
      // Nothing of a cancelled invoice is owed.
      const owed = status === 'CANCELLED' ? 0 : claim - settled;
      return { cells: [dayText(each.due_on), amount(claim), amount(settled), amount(owed)] };
    }),
  };
}

/** How to pay the amount that is due now or next; empty if nothing is owed or the buyer pays the merchant. */
function paymentParts(
  { translator: { text, money }, platform, dayText }: DocumentWriter,
  { invoice, details, now }: { invoice: InvoiceRow; details: PaymentDetails; now: number },
): DocumentPart[] {
  const { currency, payment_reference: reference } = invoice;
  if (owedOf(invoice) === 0) return [];
  const heading = { heading: text('document.payment_details') };
  if (invoice.payment_method === 'DEBIT')
    return [heading, { paragraph: text('document.direct_debit', { platform: platform.name }) }];
  const { beneficiary, installments } = details;
  if (beneficiary === null)
    return invoice.is_financed
      ? [heading, { paragraph: text('transfer.no_account', { platform: platform.name }) }]
      : [];
  const [next] = installments;
  const lateChargesMinor = invoice.late_charges.outstanding;
  const amountMinor = transferAmountOf(details, lateChargesMinor, now);
  const disputedMinor = disputedOf(invoice);
  const facts: DocumentFact[] = [
    [text('document.amount'), money(amountMinor, currency)],
    ...(disputedMinor === 0
      ? []
      : [[text('dispute.title'), money(disputedMinor, currency)] satisfies DocumentFact]),
    ...(next === undefined || amountMinor === lateChargesMinor
      ? []
      : [[text('transfer.until'), dayText(next.due_on)] satisfies DocumentFact]),
    [text('transfer.holder'), beneficiary.name],
    ['IBAN', groupedIban(beneficiary.iban)],
    ...(beneficiary.bic === null ? [] : [['BIC', beneficiary.bic] satisfies DocumentFact]),
    [text('transfer.reference'), reference],
  ];
  const qrText = epcQrOf({ beneficiary, amountMinor, currency, reference });
  const caption = text('document.scan', { amount: money(amountMinor, currency) });
  return [heading, qrText === null ? { facts } : { qrText, caption, facts }];
}
