/** A mailing as a document, in the words of its mail: it is filed, and typeset when it is sent or printed. */
import type { DocumentBody, DocumentFact, DocumentPart } from '#infra/typesetting/document-body';
import type { BuyerRow } from '#modules/buyers';
import { dueAmountOf, epcQrOf } from '#modules/invoices';
import { type ReminderForMail, reminderWords } from '#modules/notifications';
import { computationParts, type DocumentWriter, documentBodyOf, writerFor } from '#modules/statements';
import type { LookContext } from './look-context.ts';
import { listedItems, type MailingInvoice, oldestFirst } from './mailing.rules.ts';

/** A mail lists fewer: a document can have several pages. */
export const DOCUMENT_LISTED_MAX = 500;
/** More codes do not help: a buyer that pays so many invoices uses no camera. */
const QR_CODES_MAX = 6;

/** The content of a reminder without its list. */
export type ReminderHead = Omit<ReminderForMail, 'recipient' | keyof ReturnType<typeof listedItems>>;

/** A reminder of a buyer. */
export interface Reminder {
  buyer: BuyerRow;
  content: ReminderHead;
  invoices: readonly MailingInvoice[];
  /** The current day in the buyer's time zone. */
  today: string;
}

/** The same data always gives the same document, regardless of when it is typeset. */
export function reminderDocument(
  { platform, deps, now }: Pick<LookContext, 'platform' | 'deps' | 'now'>,
  { buyer, content, invoices: unsorted, today }: Reminder,
): DocumentBody {
  const writer = writerFor({ platform, buyer, isSandbox: deps.isSandbox });
  const { text, money } = writer.translator;
  const invoices = oldestFirst(unsorted).slice(0, DOCUMENT_LISTED_MAX);
  const listed = listedItems(unsorted, today, DOCUMENT_LISTED_MAX);
  const texts = reminderWords({ ...content, ...listed, recipient: null }, writer.translator);
  const totals = listed.totals.map(({ amountMinor, currency }) => ({
    cells: [text('order.to_pay'), money(amountMinor, currency)],
    isTotal: true,
  }));
  return documentBodyOf(writer, {
    title: texts.title,
    madeAt: now,
    facts: [],
    parts: [
      { paragraph: text('mail.greeting_plain') },
      { paragraph: texts.opening },
      { heading: texts.items },
      {
        columns: [
          { title: text('document.description'), align: 'start', isWide: true },
          { title: text('document.amount'), align: 'end' },
        ],
        rows: [...texts.rows.map((cells) => ({ cells })), ...totals],
      },
      ...paymentParts(writer, { facts: texts.payment, content, invoices, today }),
      ...(texts.closing === null ? [] : [{ paragraph: texts.closing }]),
      { paragraph: helpText(writer) },
      ...computationParts(
        writer,
        invoices.flatMap(({ charges }) => charges),
      ),
    ],
  });
}

/** A letter has no address to reply to. */
function helpText({ platform: { name: platform, support_emails }, translator: { text } }: DocumentWriter) {
  const [email] = support_emails;
  return email === undefined
    ? text('common.help_plain', { platform })
    : text('common.help', { platform, email });
}

/** The account to pay to, and a QR code for each invoice: a payment is matched by the reference of one invoice. */
function paymentParts(
  { translator: { text, money } }: DocumentWriter,
  {
    facts,
    content: { account },
    invoices,
    today,
  }: Pick<Reminder, 'content' | 'invoices' | 'today'> & { facts: DocumentFact[] },
): DocumentPart[] {
  const heading = { heading: text('document.payment_details') };
  const beneficiary = account && { ...account, name: account.holder };
  const codes = invoices.flatMap(({ invoice, charges }) => {
    const { currency, payment_reference: reference, payment_method } = invoice;
    const owed = charges.reduce((sum, charge) => sum + charge.outstanding_amount, 0);
    const amountMinor = dueAmountOf(invoice, today) + owed;
    // A buyer that is debited must not transfer the money too.
    const qrText =
      payment_method === 'DEBIT' ? null : epcQrOf({ beneficiary, amountMinor, currency, reference });
    if (qrText === null) return [];
    const own: DocumentFact[] = [
      [text('document.invoice_number'), invoice.invoice_number ?? invoice.external_id],
      [text('document.amount'), money(amountMinor, currency)],
      [text('transfer.reference'), reference],
    ];
    return [{ qrText, caption: text('document.scan', { amount: money(amountMinor, currency) }), facts: own }];
  });
  const [only] = codes;
  if (only !== undefined && invoices.length === 1) return [heading, { ...only, facts }];
  return [heading, { facts }, ...codes.slice(0, QR_CODES_MAX)];
}
